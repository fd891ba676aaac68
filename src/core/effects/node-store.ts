import { constants } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AppendFile, Store } from './effects.ts'
import { openAppendFile } from './node-append.ts'
import { createWhole, syncDirectory, temporaryName, writeNewFile } from './node-create.ts'
import { guarded, toFileError } from './node-file-fault.ts'
import { takeLock } from './node-lock.ts'

/**
 * Durable writing (`safety.md` §2.2): directories 0700, files 0600, links never followed, every write synced to the
 * disk before it counts. Failures are `FileError`s.
 */
export function createNodeStore(): Store {
  return { readText, openAppend, writeText, lock }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW })
  } catch (thrown) {
    const fault = toFileError(path, thrown)
    if (fault.fault === 'missing') return undefined
    throw fault
  }
}

async function openAppend(path: string, options: { keepBytes: number }): Promise<AppendFile> {
  await makeDirectory(path)
  return openAppendFile(path, options.keepBytes)
}

async function lock(path: string): Promise<(() => Promise<void>) | undefined> {
  await makeDirectory(path)
  return guarded(path, () => takeLock(path))
}

async function writeText(path: string, text: string, options: { replace: boolean }): Promise<void> {
  await makeDirectory(path)
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

async function makeDirectory(path: string): Promise<void> {
  const directory = dirname(path)
  await guarded(directory, () => mkdir(directory, { recursive: true, mode: 0o700 }))
}
