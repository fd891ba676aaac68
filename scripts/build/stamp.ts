import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = ['src', 'contracts/artifacts', 'scripts/build', 'scripts/build.ts', 'package-lock.json']

/** What the sources look like: how many files, and when the newest of them changed. */
export function sourceStamp(root: string): string {
  let files = 0
  let newestMs = 0
  const visit = (path: string): void => {
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts === undefined) return
    if (facts.isDirectory()) {
      for (const name of readdirSync(path)) visit(join(path, name))
      return
    }
    files += 1
    newestMs = Math.max(newestMs, facts.mtimeMs)
  }
  for (const source of SOURCES) visit(join(root, source))
  return `${files} files, newest ${newestMs}\n`
}

/** Whether `dist` was built from sources with this stamp. */
export function isFresh(root: string, stamp: string): boolean {
  try {
    return readFileSync(join(root, 'dist', 'stamp'), 'utf8') === stamp
  } catch {
    return false
  }
}

/** Notes what `dist` was built from. */
export function writeStamp(root: string, stamp: string): void {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'dist', 'stamp'), stamp)
}
