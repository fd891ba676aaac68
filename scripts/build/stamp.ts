import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = [
  'src',
  'languages',
  'contracts/artifacts',
  'scripts/build',
  'scripts/build.ts',
  'package-lock.json',
]

/** What the sources look like: how many files, when the newest of them changed, and the commit, which the program says. */
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
  return `${files} files, newest ${newestMs}, commit ${commitOf(root)}\n`
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

/**
 * The commit that is checked out, 40 hex digits, with `+changes` behind it where a file of it was changed since; `unknown`
 * where the sources are no checkout, or git cannot tell.
 */
export function commitOf(root: string): string {
  // A repository above these sources is not theirs.
  if (!existsSync(join(root, '.git'))) return 'unknown'
  // Who builds runs the code of this checkout anyway, also where another user made it.
  const trusted = ['-c', `safe.directory=${root}`]
  const args = [...trusted, 'describe', '--always', '--exclude=*', '--abbrev=40', '--dirty=+changes']
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}
