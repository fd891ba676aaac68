import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDirectory } from '../../../../src/core/base/effects/node-files.ts'
import { isError } from '../../../../src/core/base/errors/base.ts'
import { directoryNotMade } from '../../../../src/core/base/errors/file.ts'

const root = mkdtempSync(join(tmpdir(), 'make-'))
afterAll(() => rmSync(root, { recursive: true }))

async function faultOf(path: string): Promise<unknown> {
  const thrown = await makeDirectory(path).catch((error: unknown) => error)
  return isError(thrown, 'file') ? thrown.code : thrown
}

test('makes what is missing, for its owner alone, and leaves what is there', async () => {
  await makeDirectory(join(root, 'a/b/c'))
  await makeDirectory(join(root, 'a/b'))
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700)
})

test('two at once make it together', async () => {
  await Promise.all(Array.from({ length: 8 }, () => makeDirectory(join(root, 'x/y/z'))))
  expect(existsSync(join(root, 'x/y/z'))).toBe(true)
})

test('a file in its way is named', async () => {
  writeFileSync(join(root, 'file'), '')
  expect(await faultOf(join(root, 'file'))).toBeTypeOf('string')
  expect(await faultOf(join(root, 'file/below'))).toBeTypeOf('string')
})

test.runIf(existsSync('/proc/self'))(
  'a place that takes no names is refused, not asked for ever',
  async () => {
    expect(await faultOf('/proc/nowhere')).toBeTypeOf('string')
    expect(await faultOf('/proc/nowhere/at/all')).toBeTypeOf('string')
  },
)

test.runIf(existsSync('/sys/kernel'))(
  'says of a place that is not ours which option names another one',
  async () => {
    const path = '/sys/kernel/.local/state/bearings'
    const thrown: unknown = await makeDirectory(path).catch((error: unknown) => error)
    expect(thrown).toMatchObject({
      code: 'file.denied',
      shortMessage: directoryNotMade(path, 'EACCES').shortMessage,
      nextSteps: [expect.stringContaining('who owns'), expect.stringContaining('--state')],
    })
  },
)
