import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startRehearsal } from '../../src/compose/start-rehearsal.ts'
import { fileSystemError } from '../../src/core/base/errors/file.ts'

const [, script = ''] = process.argv
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'start-rehearsal-'))
})

afterEach(async () => {
  process.argv[1] = script
  await rm(directory, { recursive: true })
})

test('a network that does not start says its own last words', async () => {
  const program = join(directory, 'program.mjs')
  await writeFile(
    program,
    "console.error('one\\n\\nthe client \\u001b[2J is not there'); process.exitCode = 3\n",
  )
  process.argv[1] = program
  await expect(startRehearsal({ directory })).rejects.toMatchObject({
    code: 'rehearsal.not-started',
    details: [expect.stringMatching(/ exit code 3$/), 'one', 'the client ·[2J is not there'],
    nextSteps: [`read ${join(directory, 'network-1/network.log')}`, 'try again'],
  })
})

test.runIf(existsSync('/dev/full'))(
  'a network that does not start on a full disk says that it is full',
  async () => {
    // After so large a number the next one is the same: so the folder of the next network is there already.
    const folder = join(directory, 'network-100000000000000000000')
    await mkdir(folder)
    await symlink('/dev/full', join(folder, 'network.log'))
    const program = join(directory, 'program.mjs')
    await writeFile(program, "console.error('The disk is full.'); process.exitCode = 3\n")
    process.argv[1] = program
    await expect(startRehearsal({ directory })).rejects.toMatchObject({
      code: 'file.no-space',
      shortMessage: 'The disk is full.',
      nextSteps: fileSystemError('network.log', 'ENOSPC').nextSteps,
    })
  },
)

test('a network that is given up while it starts is gone, even if it hears nothing', async () => {
  const program = join(directory, 'program.mjs')
  const pidFile = join(directory, 'pid')
  await writeFile(
    program,
    `process.on('SIGTERM', () => undefined)
     setInterval(() => undefined, 1000)
     await (await import('node:fs/promises')).writeFile(${JSON.stringify(pidFile)}, String(process.pid))`,
  )
  process.argv[1] = program
  const stop = new AbortController()
  const started = startRehearsal({ directory, signal: stop.signal })
  const pid = () => Number(existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : 0)
  await expect.poll(pid).toBeGreaterThan(0)
  stop.abort(new Error('the end'))
  await expect(started).rejects.toThrow('the end')
  await expect.poll(() => isAlive(pid())).toBe(false)
})

test('nothing is started after the end has begun', async () => {
  const signal = AbortSignal.abort(new Error('the end'))
  process.argv[1] = join(directory, 'none.mjs')
  await expect(startRehearsal({ directory, signal })).rejects.toThrow('the end')
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
