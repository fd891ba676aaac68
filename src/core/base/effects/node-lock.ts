import { randomBytes } from 'node:crypto'
import { chmodSync, constants, lstatSync } from 'node:fs'
import { access, lstat, readFile, realpath, rm, stat, unlink } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileSystemError } from '../errors/file.ts'
import { heldElsewhere, heldHere, sessionError } from '../errors/journal.ts'
import type { LockReply } from './effects.ts'
import { isOfThisKernel, type LockClaim, ownClaim, parseClaim } from './node-claim.ts'
import { systemCode } from './node-file-fault.ts'
import { createWhole } from './node-files.ts'

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
 * lock. Throws `lock.unavailable` where the file system or this Node has no such locks, or a `file.*` error.
 */
function takeKernelLock(path: string): (() => void) | undefined {
  if (isLink(path)) throw fileSystemError(path, 'ELOOP')
  const database = open(path)
  try {
    // Without a journal of its own there is nothing to clean up after a kill; RESERVED is one process's at a time.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    chmodSync(path, 0o600)
  } catch (thrown) {
    database.close()
    if (BUSY.includes(resultOf(thrown))) return undefined
    throw sessionError('lock.unavailable', path, reasonOf(thrown), thrown)
  }
  held.add(database)
  return () => {
    if (held.delete(database)) database.close()
  }
}

function open(path: string): DatabaseSync {
  const sqlite = loadSqlite()
  if (sqlite === undefined)
    throw sessionError('lock.unavailable', path, 'this Node was built without node:sqlite')
  try {
    return new sqlite.DatabaseSync(path)
  } catch (thrown) {
    throw sessionError('lock.unavailable', path, reasonOf(thrown), thrown)
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

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
const ATTEMPTS = 3

/**
 * Takes the lock at `path`, or says who has it.
 *
 * Two things together are the lock. The kernel's lock on `path`.db is had by one process at a time, in whatever
 * container, and ends with it. The file at `path` names the holder, for computers that share the directory without
 * sharing locks: it is put in place whole and only if none is there, and only who has the kernel's lock may judge one
 * that was left behind. Throws what the file system throws, and `lock.unavailable`.
 */
export async function takeLock(path: string): Promise<LockReply> {
  const real = join(await realpath(dirname(path)), basename(path))
  const before = await readClaim(real)
  const letGo = takeKernelLock(`${real}.db`)
  if (letGo === undefined) return { heldBy: heldHere({ path: real, ...parsed(before) }) }
  try {
    const claim = JSON.stringify({ ...(await ownClaim()), nonce: randomBytes(8).toString('hex') })
    const heldBy = await putClaim(real, claim)
    if (heldBy === undefined) return { release: once(() => release(real, claim, letGo)) }
    letGo()
    return { heldBy }
  } catch (thrown) {
    letGo()
    throw thrown
  }
}

/** Puts our claim in place of none or of one left behind. Answers who holds the lock otherwise. */
async function putClaim(path: string, claim: string): Promise<string | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await putWhole(path, claim)) return undefined
    const found = await readClaim(path)
    const heldBy = found === undefined ? undefined : await judge(path, found)
    if (heldBy !== undefined) return heldBy
    await rm(path, { force: true })
  }
  return heldHere({ path })
}

/**
 * Who holds the lock by the claim that was found, while the kernel's lock is ours; undefined when nobody does. Throws
 * `lock.older-version` for a claim that names no host: whoever wrote it knew no kernel's lock, and may run.
 */
async function judge(path: string, found: string): Promise<string | undefined> {
  const claim = parseClaim(found)
  if (claim !== undefined && claim.host === undefined)
    throw sessionError('lock.older-version', { path, pid: claim.pid })
  if (await isOfThisKernel(claim, await ownClaim(), dirname(path))) return undefined
  return heldElsewhere({ path, ...claim })
}

async function release(path: string, claim: string, letGo: () => void): Promise<void> {
  try {
    if ((await readClaim(path)) === claim) await unlink(path)
  } finally {
    letGo()
  }
}

/** Creates the file with its whole content, or answers false when there is one already. */
async function putWhole(path: string, text: string): Promise<boolean> {
  try {
    await createWhole(path, text)
    return true
  } catch (thrown) {
    if (systemCode(thrown) === 'EEXIST') return false
    throw thrown
  }
}

async function readClaim(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: 'utf8', flag: READ })
  } catch (thrown) {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

function parsed(claim: string | undefined): Partial<LockClaim> {
  return claim === undefined ? {} : (parseClaim(claim) ?? {})
}

function once(run: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= run()
    return done
  }
}

const OTHERS_WRITE = 0o002

const BELOW_HOME: Readonly<Record<string, readonly string[]>> = {
  darwin: ['Library', 'Application Support', 'bearings', 'locks'],
  win32: ['AppData', 'Local', 'bearings', 'locks'],
}
const BELOW_HOME_ELSEWHERE = ['.local', 'state', 'bearings', 'locks']

/** What the system's list of users says of one, whatever the environment says. */
export type User = { home: string; uid: number | undefined }

/** Returns the user who runs this program. Throws `lock.no-place` for one whom the system does not know. */
export function passwdUser(): User {
  const uid = process.getuid?.()
  try {
    return { home: userInfo().homedir, uid }
  } catch (thrown) {
    throw sessionError(
      'lock.no-place',
      { field: `user ${uid}`, found: 'no entry', expected: 'an entry in the passwd file' },
      thrown,
    )
  }
}

/**
 * The one directory of a user's locks on this computer, below the home of the passwd entry. What is there already
 * must be out of the reach of others and no link at its end; what is not is made with the first lock. Throws
 * `lock.no-place`.
 */
export async function userLockDirectory(user: User): Promise<string> {
  const levels = BELOW_HOME[process.platform] ?? BELOW_HOME_ELSEWHERE
  if (!isAbsolute(user.home)) throw unfit('home', user.home === '' ? 'nothing' : user.home)
  let path = user.home
  await requireOwn(path, user)
  for (const [depth, level] of levels.entries()) {
    const next = join(path, level)
    if (!(await isThere(next, { mayBeLink: depth < levels.length - 1 }))) break
    await requireOwn(next, user)
    path = next
  }
  await access(path, constants.W_OK | constants.X_OK).catch((thrown: unknown) => {
    throw unfit(path, `a directory in which this user may not write (${systemCode(thrown)})`, thrown)
  })
  return join(user.home, ...levels)
}

/** Whether there is anything at the path. Throws for a link where none may be. */
async function isThere(path: string, { mayBeLink }: { mayBeLink: boolean }): Promise<boolean> {
  const found = await lstat(path).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined
    throw unfit(path, systemCode(thrown), thrown)
  })
  if (!mayBeLink && found?.isSymbolicLink() === true) throw unfit(path, 'a link')
  return found !== undefined
}

/** Only in a directory of this user alone can nobody else put the next level of the place first. */
async function requireOwn(path: string, { uid }: User): Promise<void> {
  const found = await stat(path).catch((thrown: unknown) => {
    throw unfit(path, systemCode(thrown) === 'ENOENT' ? 'nothing there' : systemCode(thrown), thrown)
  })
  if (!found.isDirectory()) throw unfit(path, 'no directory')
  if (uid === undefined) return
  if (found.uid !== uid) throw unfit(path, `a directory of user ${found.uid}`)
  if ((found.mode & OTHERS_WRITE) !== 0) throw unfit(path, 'a directory in which everybody may write')
}

function unfit(field: string, found: string, cause?: unknown): Error {
  return sessionError(
    'lock.no-place',
    { field, found, expected: 'a directory of this user, in which it may write' },
    cause,
  )
}
