import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { fileNotRegular, filePoisoned, fileShrunk, fileSystemError } from '../errors/file.ts'
import type { AppendFile } from './effects.ts'
import { claimFile, type Tell } from './node-claim.ts'
import { syncDirectory } from './node-create.ts'
import { guarded } from './node-file-fault.ts'

const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens `path` for appending lines (0600, no links, of this user) after cutting everything beyond `keepBytes` off.
 * The file and its name are on the disk when this resolves. Throws a `FileError`.
 */
export async function openAppendFile(
  path: string,
  { keepBytes, tell }: { keepBytes: number; tell: Tell },
): Promise<AppendFile> {
  const handle = await guarded(path, () => open(path, FLAGS, 0o600))
  try {
    await guarded(path, () => prepare(handle, path, { keepBytes, tell }))
    await guarded(path, () => syncDirectory(path))
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
  return appendFile(handle, path)
}

async function prepare(
  handle: FileHandle,
  path: string,
  { keepBytes, tell }: { keepBytes: number; tell: Tell },
): Promise<void> {
  const found = await handle.stat()
  if (!found.isFile()) throw fileNotRegular(path)
  await claimFile(handle, path, tell)
  if (found.size < keepBytes) throw fileShrunk(path, keepBytes, found.size)
  if (found.size > keepBytes) await handle.truncate(keepBytes)
  await handle.sync()
}

function appendFile(handle: FileHandle, path: string): AppendFile {
  let poisoned = false
  let last: Promise<void> = Promise.resolve()
  let closed: Promise<void> | undefined

  const write = async (line: string) => {
    if (poisoned) throw filePoisoned(path)
    try {
      const bytes = Buffer.from(`${line}\n`, 'utf8')
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length)
      if (bytesWritten !== bytes.length) throw fileSystemError(path, 'ENOSPC')
      await handle.datasync()
    } catch (thrown) {
      poisoned = true
      throw thrown
    }
  }

  return {
    append(line) {
      if (line.includes('\n')) return Promise.reject(new RangeError('a line holds no line break'))
      const run = last.then(() => guarded(path, () => write(line)))
      last = run.catch(() => undefined)
      return run
    },
    close() {
      closed ??= last.then(() => handle.close())
      return closed
    },
  }
}
