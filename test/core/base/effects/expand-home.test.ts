import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { expandHome } from '../../../../src/core/base/effects/node-file-fault.ts'
import { createNodeFiles } from '../../../../src/core/base/effects/node-files.ts'

test.each([
  ['~', '/home/ann'],
  ['~/', '/home/ann/'],
  ['~/.beacond/config', '/home/ann/.beacond/config'],
  ['~bob/x', '~bob/x'],
  ['a/~/b', 'a/~/b'],
  ['./~', './~'],
  ['/srv/node', '/srv/node'],
  ['', ''],
])('%j is %j', (path, expected) => {
  expect(expandHome(path, '/home/ann')).toBe(expected)
})

test.skipIf(process.platform === 'win32')('a file below the home of the user is found by ~', async () => {
  const home = mkdtempSync(join(tmpdir(), 'bearings-home-'))
  vi.stubEnv('HOME', home)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true })
  })
  writeFileSync(join(home, 'file'), 'abc')
  const files = createNodeFiles()
  expect((await files.facts('~/file'))?.sizeBytes).toBe(3)
  expect(new TextDecoder().decode(await files.read('~/file', { maxBytes: 3 }))).toBe('abc')
})
