import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findAnvil } from '../../../src/devnet/execution/find-anvil.ts'
import { freshDirectory } from './support.ts'

const nowhere = { packaged: () => undefined, searchPath: '' }

function program(text: string, mode = 0o755): { path: string; directory: string } {
  const directory = freshDirectory()
  const path = join(directory, 'anvil')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return { path, directory }
}

describe('finding anvil', () => {
  test('takes the optional package', async () => {
    expect(await findAnvil()).toMatchObject({ version: expect.stringMatching(/^1\.7\.1/) })
  })

  test('takes one on the PATH when there is no package, or when the package does not run here', async () => {
    const broken = program('#!/nonexistent/loader\n')
    const good = program('#!/bin/sh\necho "anvil Version: 1.9.0"\n')
    const found = { path: good.path, version: '1.9.0' }
    expect(await findAnvil({ ...nowhere, searchPath: `/nonexistent:${good.directory}` })).toEqual(found)
    expect(await findAnvil({ packaged: () => broken.path, searchPath: good.directory })).toEqual(found)
  })

  test.each([
    ['anvil.loader', '#!/nonexistent/loader\n', 0o755],
    ['anvil.forbidden', '#!/bin/sh\n', 0o644],
    ['anvil.machine', '\u007fELF not really', 0o755],
    ['anvil.machine', '#!/bin/sh\nexit 127\n', 0o755],
    ['anvil.library', '#!/bin/sh\necho "libc.so.6: version GLIBC_2.35 not found" >&2; exit 1\n', 0o755],
    ['anvil.unusable', '#!/bin/sh\necho "\u001b[2Jhello"\n', 0o755],
  ])('says %s in a sentence of its own', async (code, text, mode) => {
    const { path } = program(text, mode)
    const failure: unknown = await findAnvil({ ...nowhere, packaged: () => path }).catch(
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ code, money: 'untouched' })
    expect(String(failure)).not.toContain('\u001b')
  })

  test('says that there is none at all', async () => {
    await expect(findAnvil(nowhere)).rejects.toMatchObject({ code: 'anvil.missing' })
  })
})
