import { link, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'

/** The calls by which the store reads and writes: those of `node:fs/promises`, which another disk can stand in for. */
export type Disk = Pick<
  typeof import('node:fs/promises'),
  'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'realpath' | 'rename' | 'rm' | 'stat'
>

/** The disk of this computer. */
export const OWN_DISK: Disk = { link, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, stat }
