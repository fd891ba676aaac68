import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeFiles } from '../../../../src/core/base/effects/node-files.ts'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { isError } from '../../../../src/core/base/errors/base.ts'
import { NOT_OUR_FILE } from '../../../../src/core/base/errors/file.ts'

const store = createNodeStore()
const files = createNodeFiles()
let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-store-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const mode = (path: string) => statSync(path).mode & 0o777

async function faultOf(run: Promise<unknown>): Promise<string> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (isError(thrown, 'file')) return thrown.code.slice('file.'.length)
  throw new Error(`expected a file.* error, got ${String(thrown)}`)
}

describe('appending', () => {
  test('creates directories 0700 and the file 0600 whatever the umask', async () => {
    const before = process.umask(0)
    const path = join(directory, 'a', 'b', 'journal.jsonl')
    const file = await store.openAppend(path, { keepBytes: 0 })
    process.umask(before)
    await file.append('one')
    await Promise.all([file.append('two'), file.append('three')])
    await file.close()
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')
    expect([mode(path), mode(join(directory, 'a')), mode(join(directory, 'a', 'b'))]).toEqual([
      0o600, 0o700, 0o700,
    ])
  })

  test('cuts a torn tail off and goes on behind what is kept', async () => {
    const path = join(directory, 'journal.jsonl')
    writeFileSync(path, 'one\ntw')
    const file = await store.openAppend(path, { keepBytes: 4 })
    await file.append('two')
    await file.close()
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  })

  test('says what to do about what is no file in the place of its own one: nobody gave its path', async () => {
    const path = join(directory, 'journal.jsonl')
    symlinkSync(join(directory, 'elsewhere'), path)
    const pipe = join(directory, 'pipe')
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
    const own = { code: 'file.not-a-file', nextSteps: NOT_OUR_FILE }
    await expect(store.readText(path)).rejects.toMatchObject(own)
    for (const at of [path, pipe])
      await expect(store.openAppend(at, { keepBytes: 0 })).rejects.toMatchObject(own)
  })

  test('refuses a file that became shorter, a link and a directory', async () => {
    const path = join(directory, 'journal.jsonl')
    writeFileSync(path, 'one\n')
    expect(await faultOf(store.openAppend(path, { keepBytes: 5 }))).toBe('failed')
    symlinkSync(path, join(directory, 'link'))
    expect(await faultOf(store.openAppend(join(directory, 'link'), { keepBytes: 0 }))).toBe('not-a-file')
    mkdirSync(join(directory, 'd'))
    expect(await faultOf(store.openAppend(join(directory, 'd'), { keepBytes: 0 }))).toBe('not-a-file')
    expect(readFileSync(path, 'utf8')).toBe('one\n')
  })

  test('writes nothing more after a failed write', async () => {
    const pipe = join(directory, 'pipe')
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
    expect(await faultOf(store.openAppend(pipe, { keepBytes: 0 }))).toBe('not-a-file')
    const path = join(directory, 'journal.jsonl')
    const closed = await store.openAppend(path, { keepBytes: 0 })
    await closed.append('one')
    await closed.close()
    expect(await faultOf(closed.append('two'))).toBe('failed')
    expect(await faultOf(closed.append('three'))).toBe('poisoned')
    expect(readFileSync(path, 'utf8')).toBe('one\n')
  })

  const CHANGES: readonly [string, (path: string) => void][] = [
    ['deleted', (path) => rmSync(path)],
    ['deleted with its directory', (path) => rmSync(dirname(path), { recursive: true })],
    ['moved', (path) => renameSync(path, `${path}.old`)],
    [
      'replaced by an equal one',
      (path) => {
        renameSync(path, `${path}.old`)
        copyFileSync(`${path}.old`, path)
      },
    ],
    ['emptied', (path) => truncateSync(path)],
    ['lengthened', (path) => appendFileSync(path, 'more\n')],
  ]

  test.each(CHANGES)('writes nothing where the file was %s meanwhile', async (_, change) => {
    const path = join(directory, 'state', 'journal.jsonl')
    const file = await store.openAppend(path, { keepBytes: 0 })
    await file.append('one')
    change(path)
    expect(await faultOf(file.append('two'))).toBe('failed')
    expect(await faultOf(file.append('three'))).toBe('poisoned')
    await file.close()
    for (const left of [path, `${path}.old`])
      if (existsSync(left)) expect(readFileSync(left, 'utf8')).not.toContain('two')
  })
})

describe('whole files', () => {
  test('are written 0600 and not overwritten unless asked', async () => {
    const path = join(directory, 'x', 'deposit.json')
    await store.writeText(path, 'one', { replace: false })
    expect(mode(path)).toBe(0o600)
    expect(await faultOf(store.writeText(path, 'two', { replace: false }))).toBe('exists')
    expect(await store.readText(path)).toBe('one')
    await store.writeText(path, 'two', { replace: true })
    expect(await store.readText(path)).toBe('two')
    expect(await store.readText(join(directory, 'none'))).toBeUndefined()
  })

  test('replace a link by a file and never write through it', async () => {
    const target = join(directory, 'target')
    writeFileSync(target, 'mine')
    symlinkSync(target, join(directory, 'link'))
    expect(await faultOf(store.writeText(join(directory, 'link'), 'x', { replace: false }))).toBe('exists')
    await store.writeText(join(directory, 'link'), 'x', { replace: true })
    expect(readFileSync(target, 'utf8')).toBe('mine')
    expect(await faultOf(store.readText(directory))).toBe('not-a-file')
  })
})

describe('reading', () => {
  test('takes a regular file up to the cap', async () => {
    const path = join(directory, 'f')
    writeFileSync(path, 'abc')
    expect(new TextDecoder().decode(await files.read(path, { maxBytes: 3 }))).toBe('abc')
    expect(await faultOf(files.read(path, { maxBytes: 2 }))).toBe('too-large')
    truncateSync(path)
    expect(await files.read(path, { maxBytes: 0 })).toHaveLength(0)
    expect(await faultOf(files.read(directory, { maxBytes: 10 }))).toBe('not-a-file')
    expect(await faultOf(files.read(join(directory, 'none'), { maxBytes: 10 }))).toBe('missing')
    expect(await faultOf(files.read('/dev/zero', { maxBytes: 10 }))).toBe('not-a-file')
  })

  test('hands a file to a sink in order, up to the cap, and stops at what the sink throws', async () => {
    const path = join(directory, 'f')
    const text = Array.from({ length: 400_000 }, (_, line) => `${line}\n`).join('')
    writeFileSync(path, text)
    const pieces: string[] = []
    const sink = (piece: Uint8Array) => void pieces.push(Buffer.from(piece).toString('latin1'))
    expect(await files.read(path, { maxBytes: text.length, sink })).toHaveLength(0)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.join('')).toBe(text)
    expect(await faultOf(files.read(path, { maxBytes: text.length - 1, sink }))).toBe('too-large')
    expect(await faultOf(files.read('/dev/zero', { maxBytes: 10, sink }))).toBe('not-a-file')
    const stop = new Error('enough')
    const stopping = files.read(path, {
      maxBytes: text.length,
      sink: () => {
        throw stop
      },
    })
    await expect(stopping).rejects.toBe(stop)
  })

  test('tells what is at a path without following links', async () => {
    const path = join(directory, 'f')
    writeFileSync(path, 'abc', { mode: 0o640 })
    symlinkSync(path, join(directory, 'link'))
    expect(await files.facts(path)).toMatchObject({
      kind: 'file',
      sizeBytes: 3,
      mode: 0o640,
      ownedByUser: true,
    })
    expect((await files.facts(join(directory, 'link')))?.kind).toBe('symlink')
    expect((await files.facts(directory))?.kind).toBe('directory')
    expect(await files.facts(join(directory, 'none'))).toBeUndefined()
    expect(await files.facts(join(path, 'below'))).toBeUndefined()
  })

  test('finds programs on PATH by their bare name only', async () => {
    expect(await files.findProgram('sh')).toMatch(/^\/.*\/sh$/)
    expect(await files.findProgram('no-such-program-here')).toBeUndefined()
    expect(await files.findProgram('../bin/sh')).toBeUndefined()
  })
})
