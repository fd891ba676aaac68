import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { checkPath, completePath, foundKeystores } from '../../src/compose/create-launcher.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'paths-'))
  mkdirSync(join(directory, 'node/config'), { recursive: true })
  mkdirSync(join(directory, 'notes'))
  mkdirSync(join(directory, '.hidden'))
  writeFileSync(join(directory, 'key.json'), '{}')
})
afterEach(() => rmSync(directory, { recursive: true }))

const at = (name: string) => join(directory, name)

describe('a look at a path', () => {
  test.each([
    ['folder', 'node', { note: 'a folder with config in it' }],
    ['folder', 'notes', { note: 'There is no config folder in it. Is it the node home?', doubt: true }],
    ['folder', 'gone', { fault: 'There is no such folder.' }],
    ['folder', 'key.json', { fault: 'This is a file. The node home is a folder.' }],
    ['folder', 'key.json/more', { fault: 'There is no such folder.' }],
    ['file', 'key.json', { note: 'a file that you may read' }],
    ['file', 'gone', { fault: 'There is no such file.' }],
    ['file', 'node', { fault: 'This is a folder. Tab shows what is in it.' }],
  ] as const)('for a %s, at %s', async (kind, name, found) => {
    expect(await checkPath({ text: at(name), kind })).toEqual(found)
  })

  test('never says that nothing is there where that cannot be seen', async () => {
    symlinkSync('loop', at('loop'))
    for (const kind of ['file', 'folder'] as const) {
      const faultAt = async (name: string) => (await checkPath({ text: at(name), kind })).fault
      expect(await faultAt('loop/key.json')).not.toBe(await faultAt('gone'))
    }
  })

  test.skipIf(process.getuid?.() === 0)('says that this user may not read it', async () => {
    chmodSync(at('key.json'), 0)
    const faultAt = async (name: string) => (await checkPath({ text: at(name), kind: 'file' })).fault
    const faults = [await faultAt('key.json'), await faultAt('gone'), await faultAt('node')]
    expect(faults).toEqual([expect.any(String), expect.any(String), expect.any(String)])
    expect(new Set(faults).size).toBe(3)
  })

  test('knows the user’s own directory as a shell does', async () => {
    expect(await checkPath({ text: '~', kind: 'folder' })).toEqual(
      await checkPath({ text: homedir(), kind: 'folder' }),
    )
  })
})

describe('Tab in a path', () => {
  test.each([
    ['folder', 'nod', { to: 'node/', names: [] }],
    ['folder', 'n', { to: 'no', names: ['node/', 'notes/'] }],
    ['folder', 'node', { to: 'node', names: [] }],
    ['folder', 'node/', { to: 'node/config/', names: [] }],
    ['folder', 'k', { to: 'k', names: [] }],
    ['folder', '.h', { to: '.hidden/', names: [] }],
    ['file', 'k', { to: 'key.json', names: [] }],
    ['file', '', { to: '', names: ['key.json', 'node/', 'notes/'] }],
    ['file', 'gone/x', { to: 'gone/x', names: [] }],
  ] as const)('for a %s, behind "%s"', async (kind, text, { to, names }) => {
    expect(await completePath({ text: `${directory}/${text}`, kind })).toEqual({
      to: `${directory}/${to}`,
      names,
    })
  })
})

test('keystores are found in the node home, small files alone', async () => {
  const folder = at('node/config/keystore')
  mkdirSync(join(folder, 'folder'), { recursive: true })
  writeFileSync(join(folder, 'ann'), '{}')
  writeFileSync(join(folder, 'large'), Buffer.alloc(100_000))
  expect(await foundKeystores(at('node'))).toContain(join(folder, 'ann'))
  expect((await foundKeystores(at('node'))).filter((path) => path.startsWith(folder))).toHaveLength(1)
  expect(await foundKeystores(at('gone'))).toEqual(await foundKeystores(undefined))
})
