import { constants } from 'node:fs'
import { access, type FileHandle, lstat, open, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { fileNotRegular, fileTooLarge } from '../errors/file.ts'
import type { FileFacts, Files } from './effects.ts'
import { expandHome } from './expand-home.ts'
import { guarded, toFileError } from './node-file-fault.ts'

const PIECE_BYTES = 1024 * 1024

/**
 * Reading files of the machine; `~/` at the beginning of a path is the user's own directory. Nothing here can write.
 * Failures are `FileError`s.
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
    await guarded(path, () => judge(handle, path, maxBytes))
    if (sink === undefined) return await guarded(path, () => readWhole(handle, path, maxBytes))
    await readPieces(handle, { path, maxBytes, sink })
    return new Uint8Array()
  } finally {
    await handle.close()
  }
}

async function judge(handle: FileHandle, path: string, maxBytes: number): Promise<void> {
  const found = await handle.stat()
  if (!found.isFile()) throw fileNotRegular(path)
  if (found.size > maxBytes) throw fileTooLarge(path, maxBytes)
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
    if (length > maxBytes) throw fileTooLarge(path, maxBytes)
    sink(buffer.subarray(0, bytesRead))
  }
}

async function readWhole(handle: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(maxBytes + 1)
  let length = 0
  while (length <= maxBytes) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) return new Uint8Array(buffer.subarray(0, length))
    length += bytesRead
  }
  throw fileTooLarge(path, maxBytes)
}

async function facts(path: string): Promise<FileFacts | undefined> {
  try {
    const found = await lstat(path)
    const uid = process.getuid?.()
    const ownedByUser = uid === undefined || found.uid === uid || found.uid === 0
    const identity = `${found.dev}:${found.ino}`
    return { kind: kindOf(found), sizeBytes: found.size, mode: found.mode & 0o7777, ownedByUser, identity }
  } catch (thrown) {
    const fault = toFileError(path, thrown)
    if (fault.fault === 'missing') return undefined
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
