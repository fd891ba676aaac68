import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { sep } from 'node:path'
import { fileOfAnother, fileOpenToOthers } from '../errors/file.ts'
import { guarded } from './node-file-fault.ts'
import { makeDirectory } from './node-make-directory.ts'

/** Takes one sentence about what was put right, for the user to read. */
export type Tell = (sentence: string) => void

const OTHERS = 0o077
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Makes a directory ours alone: creates it 0700, or judges the one that is there. One of ours that
 * others may enter becomes 0700, and that is told. The home of the user, what lies above it and shared places keep
 * their permissions, and are refused when others may write there. Windows has other means: there it is only created.
 * Throws a `FileError`; `file.not-ours` for a directory, or a link to one, of another user.
 */
export async function claimDirectory(directory: string, tell: Tell): Promise<void> {
  await guarded(directory, async () => {
    await makeDirectory(directory)
    const user = process.getuid?.()
    if (user === undefined) return
    const named = await lstat(directory)
    if (named.uid !== user && named.uid !== 0) throw fileOfAnother(directory)
    const handle = await open(directory, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await tightenDirectory(handle, { directory, user, tell })
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
  if (found.uid !== user) throw fileOfAnother(path)
  if ((found.mode & OTHERS) !== 0) await tighten(handle, { path, found, mode: 0o600, tell })
}

async function tightenDirectory(
  handle: FileHandle,
  { directory, user, tell }: { directory: string; user: number; tell: Tell },
): Promise<void> {
  const found = await handle.stat()
  if (found.uid !== user) throw fileOfAnother(directory)
  if ((found.mode & OTHERS) === 0) return
  if ((found.mode & STICKY) === 0 && !(await isAboveUser(directory))) {
    await tighten(handle, { path: directory, found, mode: 0o700, tell })
    return
  }
  if ((found.mode & OTHERS_WRITE) !== 0) throw fileOpenToOthers(directory, modeOf(found))
}

async function tighten(
  handle: FileHandle,
  { path, found, mode, tell }: { path: string; found: Stats; mode: number; tell: Tell },
): Promise<void> {
  await handle.chmod(mode)
  tell(`${path} was open to others (${modeOf(found)}); now it is ${mode.toString(8)}.`)
}

/** Whether the user's home or the working directory is this directory or lies in it. */
async function isAboveUser(directory: string): Promise<boolean> {
  const real = await realpath(directory)
  const inside = real.endsWith(sep) ? real : `${real}${sep}`
  return [homedir(), process.cwd()].some((place) => place === real || place.startsWith(inside))
}

function modeOf(found: Stats): string {
  return (found.mode & 0o7777).toString(8)
}
