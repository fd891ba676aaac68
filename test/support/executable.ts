import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeExecutable, PLATFORM } from '../../scripts/release/executable.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Whether a single executable can be made and run here. */
export const HAS_EXECUTABLE = `${process.platform}-${process.arch}` === PLATFORM

/** Makes the single executable from `dist`, alone in a fresh directory; `remove` takes its 125 MiB away again. */
export async function buildExecutable(): Promise<{ path: string; remove: () => void }> {
  const directory = mkdtempSync(join(tmpdir(), 'executable-'))
  const path = join(directory, 'bearings')
  await makeExecutable(ROOT, readdirSync(join(ROOT, 'dist')), path)
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
