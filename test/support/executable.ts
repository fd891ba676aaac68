import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeExecutable, PLATFORM } from '../../scripts/release/executable.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Whether a single executable can be made and run here. */
export const HAS_EXECUTABLE = `${process.platform}-${process.arch}` === PLATFORM

/** Makes the single executable from `dist`, alone in a directory that ends with this process; answers its path. */
export async function buildExecutable(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'executable-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'bearings')
  await makeExecutable(ROOT, readdirSync(join(ROOT, 'dist')), path)
  return path
}
