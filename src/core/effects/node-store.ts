import { constants } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Store } from './effects.ts'
import { openAppendFile } from './node-append.ts'
import { claimDirectory, type Tell } from './node-claim.ts'
import { createWhole, syncDirectory, temporaryName, writeNewFile } from './node-create.ts'
import { guarded, toFileError } from './node-file-fault.ts'
import { takeLock } from './node-lock.ts'
import { makeDirectory } from './node-make-directory.ts'

/** Without waiting for whoever would write into a pipe at that path. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Durable writing: directories 0700, files 0600, links never followed, every write synced to the
 * disk before it counts. Journals and locks lie only where nobody else may enter; `tell` is told in a sentence what
 * had to be tightened for that. Failures are `FileError`s.
 */
export function createNodeStore({ tell = () => undefined }: { tell?: Tell } = {}): Store {
  return {
    readText,
    async openAppend(path, { keepBytes }) {
      await claimDirectory(dirname(path), tell)
      return openAppendFile(path, { keepBytes, tell })
    },
    writeText,
    async lock(path) {
      await claimDirectory(dirname(path), tell)
      return guarded(path, () => takeLock(path))
    },
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: READ })
  } catch (thrown) {
    const fault = toFileError(path, thrown)
    if (fault.fault === 'missing') return undefined
    throw fault
  }
}

async function writeText(path: string, text: string, options: { replace: boolean }): Promise<void> {
  await makeDirectory(dirname(path))
  await guarded(path, async () => {
    await (options.replace ? replaceWhole(path, text) : createWhole(path, text))
    await syncDirectory(path)
  })
}

async function replaceWhole(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path)
  try {
    await writeNewFile(temporary, text)
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
