import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const REASONS: Record<string, string> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EEXIST: 'a file is where the folder belongs',
  ENOTDIR: 'a file is where the folder belongs',
}

/** Tries to write into `dist`, so that a build that cannot be kept ends before it begins. Throws the error of the system. */
export function tryToWrite(root: string): void {
  const dist = join(root, 'dist')
  const trial = join(dist, `trial.${process.pid}`)
  mkdirSync(dist, { recursive: true })
  try {
    writeFileSync(trial, '', { flag: 'wx' })
  } finally {
    rmSync(trial, { force: true })
  }
}

/**
 * What to say where `dist` cannot be written: what is, what it means, what to do; undefined for an error of another kind.
 * What an earlier build made is never run in the place of what the sources say.
 */
export function unwritable(root: string, thrown: unknown): string | undefined {
  if (!(thrown instanceof Error && 'code' in thrown && 'path' in thrown)) return undefined
  const { code, path } = thrown
  const dist = join(root, 'dist')
  if (typeof code !== 'string' || typeof path !== 'string' || !path.startsWith(dist)) return undefined
  const built = existsSync(join(dist, 'cli.js'))
  const what = built ? 'The sources are newer than the program in dist' : 'The program is not built yet'
  const means = built ? 'the old program is not run in its place' : 'there is nothing to run'
  const why = `${dist} cannot be written (${REASONS[code] ?? 'the system gave an error'}, ${code})`
  const help = `Make that folder writable for you, or copy ${root} to where you may write, and run the command again there.`
  return `${what}, and ${why}: ${means}. ${help}\n`
}
