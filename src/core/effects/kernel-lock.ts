import { chmodSync, lstatSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { fileSystemError } from '../errors/file.ts'
import { noKernelLock } from '../errors/lock.ts'
import { systemCode } from './node-file-fault.ts'

/** Result codes of SQLite: another connection has the lock. */
const BUSY = [5, 6]

/** A database that nobody refers to would be closed, and its lock given back. */
const held = new Set<DatabaseSync>()

/**
 * Takes the kernel's own lock on the file at `path`, which it creates empty: answers how to give it back, or undefined
 * while another process has it. The kernel gives it back by itself when the process ends, however it ends. It holds
 * between containers of one computer, and over a network where the file system passes locks on.
 *
 * Node has no file locks; SQLite, which it brings, has them on every platform. Nothing is ever written: an open
 * transaction is all. The file must stay, and no other code of this process may open it: closing it would end the
 * lock. Throws `lock.unavailable` where the file system or this Node has no such locks, or a `FileError`.
 */
export function takeKernelLock(path: string): (() => void) | undefined {
  if (isLink(path)) throw fileSystemError(path, 'ELOOP')
  const database = open(path)
  try {
    // Without a journal of its own there is nothing to clean up after a kill; RESERVED is one process's at a time.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    chmodSync(path, 0o600)
  } catch (thrown) {
    database.close()
    if (BUSY.includes(resultOf(thrown))) return undefined
    throw noKernelLock(path, reasonOf(thrown), thrown)
  }
  held.add(database)
  return () => {
    if (held.delete(database)) database.close()
  }
}

function open(path: string): DatabaseSync {
  const sqlite = loadSqlite()
  if (sqlite === undefined) throw noKernelLock(path, 'this Node was built without node:sqlite')
  try {
    return new sqlite.DatabaseSync(path)
  } catch (thrown) {
    throw noKernelLock(path, reasonOf(thrown), thrown)
  }
}

/** Node 22 warns that the module is new, in the middle of the screen; that one warning is left out. */
function loadSqlite(): typeof import('node:sqlite') | undefined {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return false
    throw thrown
  }
}

function resultOf(thrown: unknown): number {
  return typeof thrown === 'object' && thrown !== null && 'errcode' in thrown ? Number(thrown.errcode) : 0
}

function reasonOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'errstr' in thrown
    ? String(thrown.errstr)
    : systemCode(thrown)
}
