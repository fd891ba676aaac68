import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { lookUpsOf, sourceReader } from '../../scripts/build/translate.ts'
import { hardTest } from '../support/hard.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The sources in Chinese, in a folder of their own with what they need beside them; it is gone with its test. */
function translatedTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'in-chinese-'))
  onTestFinished(() => rmSync(tree, { recursive: true }))
  cpSync(join(ROOT, 'src'), join(tree, 'src'), { recursive: true })
  for (const name of ['node_modules', 'contracts', 'package.json'])
    symlinkSync(join(ROOT, name), join(tree, name))
  const config = { extends: join(ROOT, 'tsconfig.json'), include: ['src'] }
  writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify(config))
  const read = sourceReader(ROOT, lookUpsOf(ROOT))
  for (const path of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }))
    if (/\.tsx?$/.test(path)) writeFileSync(join(tree, 'src', path), read(join(ROOT, 'src', path)))
  return tree
}

const compile = (tree: string) =>
  promisify(execFile)(
    join(ROOT, 'node_modules/.bin/tsc'),
    // The second time only what changed is looked at.
    ['--noEmit', '--incremental', '--tsBuildInfoFile', join(tree, 'types.json'), '--project', tree],
    { encoding: 'utf8' },
  )

hardTest('a name of which the type is known is never exchanged for a text', async () => {
  const tree = translatedTree()
  await expect(compile(tree)).resolves.toEqual({ stdout: '', stderr: '' })
  const path = join(tree, 'src/core/view/text.ts')
  writeFileSync(path, `${readFileSync(path, 'utf8')}export const MARK: import('./view.ts').Mark = '已证明'\n`)
  await expect(compile(tree)).rejects.toMatchObject({ stdout: expect.stringContaining('已证明') })
})
