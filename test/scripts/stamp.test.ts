import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commitOf, isFresh, sourceStamp, writeStamp } from '../../scripts/build/stamp.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bearings-stamp-'))
  mkdirSync(join(root, 'src', 'core'), { recursive: true })
  writeFileSync(join(root, 'src', 'core', 'a.ts'), '')
  writeFileSync(join(root, 'package-lock.json'), '{}')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('whether the bundle is stale', () => {
  it('is stale before the first build and fresh after it', () => {
    expect(isFresh(root, sourceStamp(root))).toBe(false)
    writeStamp(root, sourceStamp(root))
    expect(isFresh(root, sourceStamp(root))).toBe(true)
  })

  it.each([
    ['a source was changed', () => utimesSync(join(root, 'src', 'core', 'a.ts'), 5e9, 5e9)],
    [
      'a source was added, however old',
      () => {
        writeFileSync(join(root, 'src', 'b.ts'), '')
        utimesSync(join(root, 'src', 'b.ts'), 1, 1)
      },
    ],
    ['a source was taken away', () => rmSync(join(root, 'src', 'core', 'a.ts'))],
    ['the dependencies were changed', () => utimesSync(join(root, 'package-lock.json'), 5e9, 5e9)],
  ])('is stale when %s', (_, change) => {
    writeStamp(root, sourceStamp(root))
    change()
    expect(isFresh(root, sourceStamp(root))).toBe(false)
  })
})

describe('the commit of a build', () => {
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@localhost', '-c', 'commit.gpgsign=false']
    return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim()
  }

  /** As another user than the one to whom the checkout belongs, by git's own means for that. */
  const asAnother = <T>(run: () => T): T => {
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
    try {
      return run()
    } finally {
      vi.unstubAllEnvs()
    }
  }

  it('is unknown where the sources are no checkout, also below a repository of somebody else', () => {
    expect(commitOf(root)).toBe('unknown')
    git('init', '--quiet')
    expect(commitOf(join(root, 'src'))).toBe('unknown')
    expect(commitOf(root)).toBe('unknown')
  })

  it('is the one that is checked out, and says where a file was changed since; then the bundle is stale', () => {
    git('init', '--quiet')
    git('add', '.')
    git('commit', '--quiet', '--message', 'First')
    const commit = git('rev-parse', 'HEAD')
    expect(commitOf(root)).toBe(commit)
    expect(asAnother(() => commitOf(root))).toBe(commit)
    writeStamp(root, sourceStamp(root))
    git('commit', '--quiet', '--allow-empty', '--message', 'Second')
    expect(isFresh(root, sourceStamp(root))).toBe(false)
    writeFileSync(join(root, 'package-lock.json'), '{ }')
    expect(commitOf(root)).toBe(`${git('rev-parse', 'HEAD')}+changes`)
  })
})
