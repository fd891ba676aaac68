import { constants, type Stats } from 'node:fs'
import { type FileHandle, readFile, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sep } from 'node:path'
import { fileError } from '../errors/file.ts'
import { type Decoder, decodeWhole, FieldFault, optional, record, text, uint } from '../format/decode.ts'
import { JsonFault, parseStrictJson } from '../format/strict-json.ts'
import { safeText } from '../format/text.ts'
import { type Disk, OWN_DISK } from './disk.ts'
import type { NamedHolder } from './effects.ts'
import { guarded, homeDirectory, unlessAbsent } from './node-file-fault.ts'
import { makeDirectory } from './node-files.ts'

/** Takes one sentence about what was put right, for the user to read. */
export type Tell = (sentence: string) => void

const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Makes a directory ours alone: creates it 0700, or judges the one that is there. One of ours that
 * others may enter becomes 0700, and that is told. The home of the user, what lies above it and shared places keep
 * their permissions, and are refused when others may write there. Windows has other means: there it is only created.
 * Throws a `file.*` error; `file.not-ours` for a directory, or a link to one, of another user.
 */
export async function claimDirectory(directory: string, tell: Tell, disk: Disk = OWN_DISK): Promise<void> {
  await guarded(directory, async () => {
    await makeDirectory(directory, disk)
    const user = process.getuid?.()
    if (user === undefined) return
    const named = await disk.lstat(directory)
    if (named.uid !== user && named.uid !== 0) throw fileError('file.not-ours', directory)
    const handle = await disk.open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await tightenDirectory(handle, { directory, user, tell, disk })
    } finally {
      await handle.close()
    }
  })
}

/**
 * Makes an open file ours alone: 0600, and told when it was not. Throws `file.not-ours` when it belongs to another
 * user, whose content it may be.
 */
export async function claimFile(handle: FileHandle, path: string, tell: Tell): Promise<void> {
  const user = process.getuid?.()
  if (user === undefined) return
  const found = await handle.stat()
  if (found.uid !== user) throw fileError('file.not-ours', path)
  if ((found.mode & OTHERS) !== 0) await tighten(handle, { path, found, mode: 0o600, tell })
}

async function tightenDirectory(
  handle: FileHandle,
  { directory, user, tell, disk }: { directory: string; user: number; tell: Tell; disk: Disk },
): Promise<void> {
  const found = await handle.stat()
  if (found.uid !== user) throw fileError('file.not-ours', directory)
  if ((found.mode & OTHERS) === 0) return
  if ((found.mode & STICKY) === 0 && !(await isAboveUser(directory, disk))) {
    await tighten(handle, { path: directory, found, mode: 0o700, tell })
    return
  }
  if ((found.mode & OTHERS_WRITE) !== 0) throw fileError('file.open-to-others', directory, modeOf(found))
}

async function tighten(
  handle: FileHandle,
  { path, found, mode, tell }: { path: string; found: Stats; mode: number; tell: Tell },
): Promise<void> {
  await handle.chmod(mode)
  tell(`${path} was open to others (${modeOf(found)}); now it is ${mode.toString(8)}.`)
}

/** Whether the user's home or the working directory is this directory or lies in it. */
async function isAboveUser(directory: string, disk: Disk): Promise<boolean> {
  const real = await disk.realpath(directory)
  const inside = real.endsWith(sep) ? real : `${real}${sep}`
  return [homeDirectory(), process.cwd()].some((place) => place === real || place.startsWith(inside))
}

function modeOf(found: Stats): string {
  return (found.mode & 0o7777).toString(8)
}

/**
 * What a lock file says of its holder. `startTime` and `bootId` are `unknown` where the system does not tell (no
 * /proc). The last three are missing in locks of older versions.
 */
export type LockClaim = {
  pid: number
  startTime: string
  bootId: string
  host?: string
  machineId?: string
  sinceMs?: number
}

const UNKNOWN = 'unknown'

const number: Decoder<number> = (value, path) => Number(uint(value, path))
const fields = record({
  pid: number,
  startTime: text,
  bootId: text,
  host: optional(text),
  machineId: optional(text),
  sinceMs: optional(number),
})

/** Returns the claim of this process, now. */
export async function ownClaim(): Promise<Required<LockClaim>> {
  return {
    pid: process.pid,
    startTime: await startTimeOf('self'),
    bootId: await fileOr('/proc/sys/kernel/random/boot_id'),
    host: hostname(),
    machineId: await fileOr('/etc/machine-id'),
    sinceMs: Date.now(),
  }
}

/** Reads a claim back, or undefined when the text is none. Its texts are safe to draw. */
export function parseClaim(json: string): LockClaim | undefined {
  try {
    const { host, machineId, sinceMs, ...rest } = decodeWhole(fields, parseStrictJson(json))
    return {
      ...rest,
      ...(host === undefined ? {} : { host: safeText(host, 80) }),
      ...(machineId === undefined ? {} : { machineId }),
      ...(sinceMs === undefined ? {} : { sinceMs }),
    }
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault) return undefined
    throw fault
  }
}

/**
 * Whether whoever wrote this claim in `directory` would be seen by the kernel's lock, which we have: then it is gone.
 * That is so for the same boot, and on a disk of this computer, which one kernel uses at a time. On a shared disk an
 * earlier boot of this very computer is gone as well; another computer cannot be judged. Names of processes decide
 * nothing: they mean something else in another container.
 */
export async function isOfThisKernel(
  claim: LockClaim | undefined,
  own: Required<LockClaim>,
  directory: string,
): Promise<boolean> {
  if (isKnown(claim?.bootId) && claim?.bootId === own.bootId) return true
  if (process.platform !== 'linux') return claim?.host === undefined || sameName(claim.host, own.host)
  if (await isOwnDisk(directory)) return true
  return isKnown(own.machineId) && claim?.machineId === own.machineId && claim.host === own.host
}

/**
 * Whether the process that wrote a claim runs, judged by its id, to say who may have a lock. `unknown` where a process has
 * the id and the system does not tell since when: the id may have been given to another program.
 */
async function isRunning({ pid, startTime, bootId }: LockClaim): Promise<boolean | 'unknown'> {
  if (!isInUse(pid)) return false
  const found = await startTimeOf(pid)
  if (found === UNKNOWN || startTime === UNKNOWN) return 'unknown'
  return startTime === found && bootId === (await fileOr('/proc/sys/kernel/random/boot_id'))
}

/**
 * The process of another program that has put its name on the lock at `path`, and runs. Not sure where the system
 * does not tell since when it runs: after a crash its id may be another program's. Nor where the name is of another host:
 * its processes cannot be judged from here. Then the journal is opened like any other, and the kernel's lock says whether it is held.
 * Throws a `file.*` error where the file can't be read.
 */
export async function holderNamed(path: string): Promise<NamedHolder | undefined> {
  const text = await unlessAbsent(path, readFile(path, 'utf8'))
  const claim = text === undefined ? undefined : parseClaim(text)
  if (claim === undefined) return undefined
  const { pid, host } = claim
  if (host !== undefined && !sameName(host, hostname())) return { pid, isSure: false, host }
  if (pid === process.pid) return undefined
  const runs = await isRunning(claim)
  return runs === false ? undefined : { pid, isSure: runs === true }
}

/** Kinds of file systems that are never shared between kernels, by the numbers of statfs(2). */
const OWN_DISKS = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // xfs
  0x9123683e, // btrfs
  0x2fc12fc1, // zfs
  0xf2f52010, // f2fs
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x794c7630, // overlay
  0x4d44, // vfat
  0x2011bab0, // exfat
])

async function isOwnDisk(directory: string): Promise<boolean> {
  const { type } = await statfs(directory)
  return OWN_DISKS.has(type)
}

/** Names of one computer differ behind the first dot with the network it is in. */
function sameName(one: string, other: string): boolean {
  const first = (name: string) => name.split('.')[0]?.toLowerCase()
  return first(one) === first(other)
}

function isKnown(value: string | undefined): boolean {
  return value !== undefined && value !== UNKNOWN
}

function isInUse(pid: number): boolean {
  if (pid < 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

/** Field 22 of /proc/<pid>/stat: clock ticks after boot. The second field may hold spaces, so count from its end. */
async function startTimeOf(id: number | 'self'): Promise<string> {
  const stat = await fileOr(`/proc/${id}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? UNKNOWN
}

async function fileOr(path: string): Promise<string> {
  const found = await readFile(path, 'utf8').catch(() => '')
  return found.trim() === '' ? UNKNOWN : found.trim()
}
