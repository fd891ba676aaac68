import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isFresh, sourceStamp, writeStamp } from '../../scripts/build/stamp.ts'

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
