import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CLIENT_PACKAGES, type ClientPlaces, findClient } from '../../../src/devnet/execution/find-client.ts'
import { freshDirectory } from './support.ts'

const nowhere: ClientPlaces = { machine: 'linux x64', folderOf: () => undefined, searchPath: '' }

/** A program at the place where a package of anvil has it, and the folder of that package. */
function program(text: string, { mode = 0o755, name = 'anvil' } = {}) {
  const folder = freshDirectory()
  const path = join(folder, 'bin', name)
  mkdirSync(dirname(path))
  writeFileSync(path, text)
  chmodSync(path, mode)
  return { folder, path, searchPath: dirname(path) }
}

const good = () => program('#!/bin/sh\necho "anvil Version: 1.9.0"\n')

describe('finding an execution client', () => {
  test.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'takes the anvil that npm ci brings',
    async () => {
      expect(await findClient()).toMatchObject({ kind: 'anvil', version: expect.stringMatching(/^1\.7\.1/) })
    },
  )

  test.each([
    ['linux arm64', '@nomicfoundation/edr-linux-arm64-gnu'],
    ['darwin arm64', '@nomicfoundation/edr-darwin-arm64'],
    ['darwin x64', '@nomicfoundation/edr-darwin-x64'],
    ['win32 x64', '@nomicfoundation/edr-win32-x64-msvc'],
  ])(
    'takes EDR on %s, where anvil is not packaged, also before an anvil on the PATH',
    async (machine, name) => {
      const folderOf = (asked: string) => (asked === name ? `/modules/${name}` : undefined)
      const found = { kind: 'edr', path: `/modules/${name}` }
      expect(await findClient({ ...nowhere, machine, folderOf })).toEqual(found)
      expect(await findClient({ ...nowhere, machine, folderOf, searchPath: good().searchPath })).toEqual(
        found,
      )
    },
  )

  test('takes an anvil on the PATH when there is no package, or when the package does not run here', async () => {
    const broken = program('#!/nonexistent/loader\n')
    const { path, searchPath } = good()
    const found = { kind: 'anvil', path, version: '1.9.0' }
    expect(await findClient({ ...nowhere, searchPath: `/nonexistent:${searchPath}` })).toEqual(found)
    expect(await findClient({ ...nowhere, folderOf: () => broken.folder, searchPath })).toEqual(found)
    expect(await findClient({ ...nowhere, machine: 'freebsd x64', searchPath })).toEqual(found)
  })

  test('looks for anvil.exe on Windows', async () => {
    const { path, searchPath } = program('#!/bin/sh\necho "anvil Version: 1.9.0"\n', { name: 'anvil.exe' })
    const windows = { ...nowhere, machine: 'win32 arm64' }
    expect(await findClient({ ...windows, searchPath })).toMatchObject({ path })
    await expect(findClient({ ...windows, searchPath: good().searchPath })).rejects.toThrow()
  })

  test.each([
    ['anvil.loader', '#!/nonexistent/loader\n', 0o755],
    ['anvil.forbidden', '#!/bin/sh\n', 0o644],
    ['anvil.machine', '\u007fELF not really', 0o755],
    ['anvil.machine', '#!/bin/sh\nexit 127\n', 0o755],
    ['anvil.library', '#!/bin/sh\necho "libc.so.6: version GLIBC_2.35 not found" >&2; exit 1\n', 0o755],
    ['anvil.unusable', '#!/bin/sh\necho "\u001b[2Jhello"\n', 0o755],
  ])('says %s in a sentence of its own', async (code, text, mode) => {
    const { folder } = program(text, { mode })
    const failure: unknown = await findClient({ ...nowhere, folderOf: () => folder }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code, money: 'untouched' })
    expect(String(failure)).not.toContain('\u001b')
  })

  test('names the package that is missing, and what brings it', async () => {
    await expect(findClient({ ...nowhere, machine: 'darwin arm64' })).rejects.toMatchObject({
      code: 'anvil.missing',
      details: [
        'Looked for the package @nomicfoundation/edr-darwin-arm64 and for `anvil` on the PATH.',
        expect.stringContaining('older Node'),
      ],
      // As a package of its own npm installs it on any Node: what is optional alone is left out.
      nextSteps: [
        expect.stringContaining('`npm install @nomicfoundation/edr-darwin-arm64@0.20.0`'),
        expect.stringContaining('PATH'),
        expect.anything(),
      ],
    })
    await expect(findClient({ ...nowhere, machine: 'freebsd x64' })).rejects.toMatchObject({
      code: 'anvil.missing',
      details: ['No package brings one for freebsd x64, and there is no `anvil` on the PATH.'],
      nextSteps: [expect.stringContaining('Foundry'), expect.anything()],
    })
  })
})

describe('the packages that bring one', () => {
  type Locked = { version: string; os: string[]; cpu: string[]; optional: boolean }
  const read = (name: string): unknown => JSON.parse(readFileSync(name, 'utf8'))
  const { optionalDependencies } = read('package.json') as { optionalDependencies: Record<string, string> }
  const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }

  test.each([...CLIENT_PACKAGES])('are locked for %s alone', (machine, { name, version }) => {
    expect(optionalDependencies[name]).toBe(version)
    const [os, cpu] = machine.split(' ')
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, os: [os], cpu: [cpu], optional: true })
  })

  test('of EDR are of one version', () => {
    const edr = Object.entries(packages).filter(([path]) => path.includes('@nomicfoundation/edr-'))
    expect(edr).toHaveLength(5)
    expect(new Set(edr.map(([, { version }]) => version)).size).toBe(1)
  })
})
