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
  if (await isMade(directory)) return
  const parent = dirname(directory)
  if (parent !== directory) await makeEach(parent)
  // What is above is there now, so a name that is still refused is refused for good.
  if (!(await isMade(directory))) await mkdir(directory, { mode: OURS_ALONE })
}

/** Makes one level, as others may at the same time. Resolves to false where something above it is not there. */
async function isMade(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: OURS_ALONE })
    return true
  } catch (thrown) {
    const code = systemCode(thrown)
    if (code === 'EEXIST' && (await isDirectory(directory))) return true
    if (code === 'ENOENT') return false
    throw thrown
  }
}

const isDirectory = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true
