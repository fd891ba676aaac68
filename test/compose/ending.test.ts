import { execFileSync, spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEnding, END_SIGNALS } from '../../src/compose/ending.ts'

const MODULE = join(import.meta.dirname, '../../src/compose/ending.ts')

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ending-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test.each(END_SIGNALS)('the first %s begins the end, every later signal cuts it short', async (name) => {
  const did: string[] = []
  const process = new EventEmitter()
  const ending = createEnding(() => did.push('left'))
  ending.atLast(async () => {
    await turn()
    did.push('the terminal is back')
  })
  ending.signal.addEventListener('abort', () => did.push('began'))
  ending.hear(process)
  process.emit(name)
  expect(did).toEqual(['began'])
  process.emit('SIGTERM')
  await turn()
  await turn()
  expect(did).toEqual(['began', 'the terminal is back', 'left'])
})

test('a signal cuts an end short that a key began', async () => {
  const did: string[] = []
  const process = new EventEmitter()
  const ending = createEnding(() => did.push('left'))
  ending.hear(process)
  ending.begin()
  process.emit('SIGINT')
  await turn()
  expect(did).toEqual(['left'])
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Runs a program that imports the module; resolves to its exit code. */
function exitCodeOf(script: string): Promise<number | null> {
  const text = `import { createEnding, leave } from ${JSON.stringify(MODULE)}\n${script}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.once('data', () => child.kill('SIGTERM'))
  child.stdout.on('data', (text) => String(text).includes('began') && child.kill('SIGTERM'))
  return new Promise((resolve) => {
    child.once('exit', resolve)
  })
}

test('a second signal ends a program whose end never comes', async () => {
  const script = `
    const ending = createEnding(() => leave(4))
    ending.hear(process)
    ending.signal.addEventListener('abort', () => console.log('began'))
    setInterval(() => undefined, 1000)
    console.log('ready')`
  expect(await exitCodeOf(script)).toBe(4)
})

test('a file that is waited for does not hold the end up, and what the end takes away is taken away', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const script = `
    import { open, rmSync } from 'node:fs'
    open(${JSON.stringify(pipe)}, 'r', () => undefined)
    process.on('exit', () => rmSync(${JSON.stringify(pipe)}))
    setTimeout(() => leave(4), 50)`
  expect(await exitCodeOf(script)).toBe(4)
  expect(existsSync(pipe)).toBe(false)
})
