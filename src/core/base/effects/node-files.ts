import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, open, stat } from 'node:fs/promises'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { directoryNotMade, fileError } from '../errors/file.ts'
import { type Disk, OWN_DISK } from './disk.ts'
import type { FileFacts, Files } from './effects.ts'
import { expandHome, guarded, systemCode, toFileError } from './node-file-fault.ts'

const PIECE_BYTES = 1024 * 1024

/**
 * Reading files of the machine; `~/` at the beginning of a path is the user's own directory. Nothing here can write.
 * Failures are `file.*` errors.
 */
export function createNodeFiles(): Files {
  return {
    read: (path, options) => readFile(expandHome(path), options),
    facts: (path) => facts(expandHome(path)),
    findProgram,
  }
}

type ReadOptions = Parameters<Files['read']>[1]

async function readFile(path: string, { maxBytes, sink }: ReadOptions): Promise<Uint8Array> {
  // O_NONBLOCK: a pipe put at the path must not hang the program.
  const handle = await guarded(path, () => open(path, constants.O_RDONLY | constants.O_NONBLOCK))
  try {
    const sizeBytes = await guarded(path, () => judge(handle, path, maxBytes))
    if (sink === undefined) return await guarded(path, () => readWhole(handle, path, { sizeBytes, maxBytes }))
    await readPieces(handle, { path, maxBytes, sink })
    return new Uint8Array()
  } finally {
    await handle.close()
  }
}

/** How large a file is that may be read. */
async function judge(handle: FileHandle, path: string, maxBytes: number): Promise<number> {
  const found = await handle.stat()
  if (!found.isFile()) throw fileError('file.not-a-file', path)
  if (found.size > maxBytes) throw fileError('file.too-large', path, maxBytes)
  return found.size
}

async function readPieces(
  handle: FileHandle,
  { path, maxBytes, sink }: { path: string; maxBytes: number; sink: (piece: Uint8Array) => void },
): Promise<void> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  for (let length = 0; ; ) {
    const { bytesRead } = await guarded(path, () => handle.read(buffer, 0, PIECE_BYTES, length))
    if (bytesRead === 0) return
    length += bytesRead
    if (length > maxBytes) throw fileError('file.too-large', path, maxBytes)
    sink(buffer.subarray(0, bytesRead))
  }
}

/** Reads up to the end, which may have moved since the size was asked for; some files of the system say 0. */
async function readWhole(
  handle: FileHandle,
  path: string,
  { sizeBytes, maxBytes }: { sizeBytes: number; maxBytes: number },
): Promise<Uint8Array> {
  let buffer = Buffer.alloc(Math.min(sizeBytes, maxBytes) + 1)
  let length = 0
  while (length <= maxBytes) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(2 * length, maxBytes) + 1)
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) return new Uint8Array(buffer.subarray(0, length))
    length += bytesRead
  }
  throw fileError('file.too-large', path, maxBytes)
}

async function facts(path: string): Promise<FileFacts | undefined> {
  try {
    const found = await lstat(path)
    const uid = process.getuid?.()
    const ownedByUser = uid === undefined || found.uid === uid || found.uid === 0
    const identity = `${found.dev}:${found.ino}`
    // What Node tells on Windows says whether a file is only read, the same for everybody.
    const mode = uid === undefined ? undefined : found.mode & 0o7777
    return { kind: kindOf(found), sizeBytes: found.size, mode, ownedByUser, identity }
  } catch (thrown) {
    const fault = toFileError(path, thrown)
    if (fault.code === 'file.missing') return undefined
    throw fault
  }
}

function kindOf(found: {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}): FileFacts['kind'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'directory'
  return found.isSymbolicLink() ? 'symlink' : 'other'
}

async function findProgram(name: string): Promise<string | undefined> {
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return undefined
  for (const directory of (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const path = join(directory, name)
    if (await isProgram(path)) return path
  }
  return undefined
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

const OURS_ALONE = 0o700

/**
 * Makes a directory, and those above it that are not there, each 0700; one that is there stays as it is. Throws a
 * `file.*`. The recursive form of the platform never returns where a file system refuses every name
 * (below `/proc`, for one), so each level is asked for by itself.
 */
export function makeDirectory(directory: string, disk: Disk = OWN_DISK): Promise<void> {
  return makeEach(directory, disk).catch((thrown: unknown) => {
    throw directoryNotMade(directory, systemCode(thrown), thrown)
  })
}

async function makeEach(directory: string, disk: Disk): Promise<void> {
  if (await isMade(directory, disk)) return
  const parent = dirname(directory)
  if (parent !== directory) await makeEach(parent, disk)
  // What is above is there now, so a name that is still refused is refused for good.
  if (!(await isMade(directory, disk))) await disk.mkdir(directory, { mode: OURS_ALONE })
}

/** Makes one level, as others may at the same time. Resolves to false where something above it is not there. */
async function isMade(directory: string, disk: Disk): Promise<boolean> {
  try {
    await disk.mkdir(directory, { mode: OURS_ALONE })
    await syncName(directory, disk)
    return true
  } catch (thrown) {
    const code = systemCode(thrown)
    if (code === 'EEXIST' && (await isDirectory(directory, disk))) return true
    if (code === 'ENOENT') return false
    throw thrown
  }
}

const isDirectory = async (path: string, disk: Disk): Promise<boolean> =>
  (await disk.stat(path).catch(() => undefined))?.isDirectory() === true

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const NO_DIRECTORY_SYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'])

/** Writes a new file (0600, never through a link) and syncs it. Throws what the system throws, EEXIST included. */
export async function writeNewFile(path: string, text: string, disk: Disk = OWN_DISK): Promise<void> {
  const handle = await disk.open(path, NEW_FILE, 0o600)
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
export async function createWhole(path: string, text: string, disk: Disk = OWN_DISK): Promise<void> {
  const temporary = temporaryName(path)
  try {
    await writeNewFile(temporary, text, disk)
    await disk.link(temporary, path)
  } catch (thrown) {
    if (!NO_LINKS.has(systemCode(thrown))) throw thrown
    await writeNewFile(path, text, disk)
  } finally {
    await disk.rm(temporary, { force: true })
  }
}

/** Returns a name beside `path` that nothing else uses. */
export function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`
}

/**
 * Makes the names of all directories above `path` durable: what is synced below a name that the power takes away is gone.
 * An earlier start may have ended between making one of them and syncing it.
 */
export async function syncAbove(path: string, disk: Disk = OWN_DISK): Promise<void> {
  const directory = dirname(path)
  if (directory === path) return
  await syncName(directory, disk)
  await syncAbove(directory, disk)
}

/** Makes the name of a directory durable. A place that may not be read holds no name that was made here. */
async function syncName(directory: string, disk: Disk): Promise<void> {
  await syncDirectory(directory, disk).catch((thrown: unknown) => {
    if (systemCode(thrown) !== 'EACCES') throw thrown
  })
}

/** Makes a new or renamed name in the directory of `path` durable, where the system can do that. */
export async function syncDirectory(path: string, disk: Disk = OWN_DISK): Promise<void> {
  const handle = await disk.open(dirname(path), constants.O_RDONLY)
  try {
    await handle.sync()
  } catch (thrown) {
    if (!NO_DIRECTORY_SYNC.has(systemCode(thrown))) throw thrown
  } finally {
    await handle.close()
  }
}
