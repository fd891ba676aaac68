import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { guarded } from './node-file-fault.ts'

const PREFIX = 'bearings-tool-'
const GONE = { recursive: true, force: true, maxRetries: 5 } as const

/** What is lent at present: a process that ends in between takes it away as well. */
const lent = new Set<string>()

/**
 * Lends an empty directory that only this user may enter, below the system's directory for temporary files, and takes
 * it away when `use` settles. Throws a `FileError` where it cannot be made, and whatever `use` throws.
 */
export async function lendScratch<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const parent = resolve(tmpdir())
  const directory = await guarded(parent, () => mkdtemp(join(parent, PREFIX)))
  if (lent.size === 0) process.once('exit', takeAllAway)
  lent.add(directory)
  try {
    return await use(directory)
  } finally {
    await rm(directory, GONE).catch(() => undefined)
    lent.delete(directory)
    if (lent.size === 0) process.off('exit', takeAllAway)
  }
}

function takeAllAway(): void {
  for (const directory of lent) rmSync(directory, GONE)
}
