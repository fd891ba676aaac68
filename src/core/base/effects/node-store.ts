import { constants, rmSync, type Stats } from 'node:fs'
import { type FileHandle, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { onceSettled, programError } from '../errors/base.ts'
import { fileError, fileSystemError } from '../errors/file.ts'
import { safeText } from '../format/text.ts'
import { type Disk, OWN_DISK } from './disk.ts'
import type { AppendFile, Store } from './effects.ts'
import { claimDirectory, claimFile, holderNamed, type Tell } from './node-claim.ts'
import { guarded, systemCode, toFileError, toOwnFileError } from './node-file-fault.ts'
import {
  createWhole,
  makeDirectory,
  syncAbove,
  syncDirectory,
  temporaryName,
  writeNewFile,
} from './node-files.ts'
import { takeLock } from './node-lock.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Where a file lies that is opened, and who hears what had to be tightened. */
type Place = { path: string; disk: Disk; tell: Tell }

const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Opens `path` for appending lines (0600, no links, of this user) after cutting everything beyond `keepBytes` off.
 * The file, its name and those above it are on the disk when this resolves. Throws a `file.*` error.
 */
async function openAppendFile(place: Place, keepBytes: number): Promise<AppendFile> {
  const { path, disk } = place
  const handle = await guarded(path, () => disk.open(path, FLAGS, 0o600))
  try {
    await guarded(path, () => prepare(handle, place, keepBytes))
    await guarded(path, async () => {
      await syncDirectory(path, disk)
      await syncAbove(path, disk)
    })
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
  return appendFile(handle, place, keepBytes)
}

async function prepare(handle: FileHandle, place: Place, keepBytes: number): Promise<void> {
  const { path, tell } = place
  const found = await handle.stat()
  if (!found.isFile()) throw fileError('file.not-a-file', path)
  await claimFile(handle, path, tell)
  if (found.size < keepBytes) throw fileError('file.failed', path, keepBytes, BigInt(found.size))
  if (found.size > keepBytes) await cutOff(place, found, keepBytes)
  await handle.sync()
}

/**
 * Cuts the file `opened` off by a handle of its own: one that appends may not do that on Windows
 * (https://github.com/nodejs/node/issues/3177).
 */
async function cutOff({ path, disk }: Place, opened: Stats, keepBytes: number): Promise<void> {
  const handle = await disk.open(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const found = await handle.stat()
    if (found.ino !== opened.ino || found.dev !== opened.dev) throw fileSystemError(path, 'ESTALE')
    await handle.truncate(keepBytes)
  } finally {
    await handle.close()
  }
}

function appendFile(handle: FileHandle, { path, disk }: Place, keptBytes: number): AppendFile {
  let size = keptBytes
  let poisoned = false
  let last: Promise<void> = Promise.resolve()
  let closed: Promise<void> | undefined

  const write = async (line: string) => {
    if (poisoned) throw fileError('file.poisoned', path)
    try {
      const bytes = Buffer.from(`${line}\n`, 'utf8')
      await requireSame(handle, { path, disk }, size)
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length)
      if (bytesWritten !== bytes.length) throw fileSystemError(path, 'ENOSPC')
      await handle.datasync()
      size += bytes.length
    } catch (thrown) {
      poisoned = true
      throw thrown
    }
  }

  return {
    append(line) {
      if (line.includes('\n')) return Promise.reject(new RangeError('a line holds no line break'))
      const run = last.then(() => guarded(path, () => write(line)))
      last = onceSettled(run)
      return run
    },
    close() {
      closed ??= last.then(() => handle.close())
      return closed
    },
  }
}

/** What was deleted, moved or changed by somebody else keeps no line that the next start would read. */
async function requireSame(
  handle: FileHandle,
  { path, disk }: Pick<Place, 'path' | 'disk'>,
  size: number,
): Promise<void> {
  const [opened, there] = await Promise.all([
    handle.stat({ bigint: true }),
    disk.lstat(path, { bigint: true }).catch(() => undefined),
  ])
  if (there === undefined) throw fileError('file.failed', path, size, 'nothing')
  if (there.ino !== opened.ino || there.dev !== opened.dev)
    throw fileError('file.failed', path, size, 'another')
  if (there.size !== BigInt(size)) throw fileError('file.failed', path, size, there.size)
}

/** Without waiting for whoever would write into a pipe at that path. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Durable writing: directories 0700, files 0600, links never followed, every write synced to the
 * disk before it counts. Journals and locks lie only where nobody else may enter; `tell` is told in a sentence what
 * had to be tightened for that. Failures are `file.*` errors.
 */
export function createNodeStore({
  tell = () => undefined,
  disk = OWN_DISK,
}: {
  tell?: Tell
  disk?: Disk
} = {}): Store {
  return {
    readText: (path) => readText(path, disk),
    async openAppend(path, { keepBytes }) {
      await claimDirectory(dirname(path), tell, disk)
      try {
        return await openAppendFile({ path, disk, tell }, keepBytes)
      } catch (thrown) {
        throw toOwnFileError(path, thrown)
      }
    },
    list: (directory) => listNames(directory, disk),
    writeText: (path, text, options) => writeText({ path, disk }, text, options),
    async lock(path) {
      await claimDirectory(dirname(path), tell)
      return guarded(path, () => takeLock(path))
    },
    holderOf: holderNamed,
  }
}

async function readText(path: string, disk: Disk): Promise<string | undefined> {
  try {
    return await disk.readFile(path, { encoding: 'utf8', flag: READ })
  } catch (thrown) {
    const fault = toOwnFileError(path, thrown)
    if (fault.code === 'file.missing') return undefined
    throw fault
  }
}

async function listNames(directory: string, disk: Disk): Promise<readonly string[]> {
  try {
    return await disk.readdir(directory)
  } catch (thrown) {
    const fault = toOwnFileError(directory, thrown)
    if (fault.code === 'file.missing') return []
    throw fault
  }
}

async function writeText(
  { path, disk }: Pick<Place, 'path' | 'disk'>,
  text: string,
  options: { replace: boolean },
): Promise<void> {
  await makeDirectory(dirname(path), disk)
  await guarded(path, async () => {
    await (options.replace ? replaceWhole(path, text, disk) : createWhole(path, text, disk))
    await syncDirectory(path, disk)
  })
}

async function replaceWhole(path: string, text: string, disk: Disk): Promise<void> {
  const temporary = temporaryName(path)
  try {
    await writeNewFile(temporary, text, disk)
    await disk.rename(temporary, path)
  } finally {
    await disk.rm(temporary, { force: true })
  }
}

const PREFIX = 'bearings-tool-'
const GONE = { recursive: true, force: true, maxRetries: 5 } as const

/** The scratch directories in use: a process that ends in between takes it away as well. */
const scratchDirectories = new Set<string>()

/**
 * Makes an empty directory that only this user may enter, below the system's directory for temporary files, and takes
 * it away when `use` settles. Throws `install.temporary` where it cannot be made, and whatever `use` throws.
 */
export async function withScratch<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await makeTemporary()
  if (scratchDirectories.size === 0) process.once('exit', takeAllAway)
  scratchDirectories.add(directory)
  try {
    return await use(directory)
  } finally {
    await onceSettled(rm(directory, GONE))
    scratchDirectories.delete(directory)
    if (scratchDirectories.size === 0) process.off('exit', takeAllAway)
  }
}

const TOO_MANY = ['EMFILE', 'ENFILE']

async function makeTemporary(): Promise<string> {
  const place = temporaryDirectory()
  try {
    return await mkdtemp(join(resolve(place.directory), PREFIX))
  } catch (thrown) {
    const directory = safeText(place.directory)
    if (TOO_MANY.includes(systemCode(thrown))) throw toFileError(directory, thrown)
    throw programError('install.temporary', { ...place, directory, found: systemCode(thrown) }, thrown)
  }
}

function takeAllAway(): void {
  for (const directory of scratchDirectories) rmSync(directory, GONE)
}
