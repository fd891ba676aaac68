import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { guarded, systemCode } from './node-file-fault.ts'

const OURS_ALONE = 0o700

/**
 * Makes a directory, and those above it that are not there, each 0700; one that is there stays as it is. Throws a
 * `FileError`. The recursive form of the platform never returns where a file system refuses every name
 * (below `/proc`, for one), so each level is asked for by itself.
 */
export function makeDirectory(directory: string): Promise<void> {
  return guarded(directory, () => makeEach(directory))
}

async function makeEach(directory: string): Promise<void> {
  if ((await missingAbove(directory)) === undefined) return
  const parent = dirname(directory)
  if (parent !== directory) await makeEach(parent)
  const refused = await missingAbove(directory)
  if (refused !== undefined) throw refused
}

/** Makes one level. Resolves to the system's error where something above it is not there; others may be at work too. */
async function missingAbove(directory: string): Promise<unknown> {
  try {
    await mkdir(directory, { mode: OURS_ALONE })
    return undefined
  } catch (thrown) {
    const code = systemCode(thrown)
    if (code === 'EEXIST' && (await isDirectory(directory))) return undefined
    if (code === 'ENOENT') return thrown
    throw thrown
  }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
