import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from './node-file-fault.ts'

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'])

/** Writes a new file (0600, never through a link) and syncs it. Throws what the system throws, EEXIST included. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  const handle = await open(path, NEW_FILE, 0o600)
  try {
    await handle.writeFile(text, 'utf8')
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Puts a file in place whole, only if there is none: nobody ever sees a part of it. Where the file system has no
 * links (USB sticks) it is created in place. Throws what the system throws, EEXIST included.
 */
export async function createWhole(path: string, text: string): Promise<void> {
  const temporary = temporaryName(path)
  try {
    await writeNewFile(temporary, text)
    await link(temporary, path)
  } catch (thrown) {
    if (!NO_LINKS.has(systemCode(thrown))) throw thrown
    await writeNewFile(path, text)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** A name beside `path` that nothing else uses. */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}

/** Makes a new or renamed name in the directory of `path` durable, where the system can do that. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(dirname(path), constants.O_RDONLY)
  try {
    await handle.sync()
  } catch (thrown) {
    if (!NO_DIRECTORY_SYNC.has(systemCode(thrown))) throw thrown
  } finally {
    await handle.close()
  }
}
