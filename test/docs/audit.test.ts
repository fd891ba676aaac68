import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { codeSpansOf, linksOf, ROOT } from '../support/markdown.ts'

const PAGE = 'docs/audit.md'
const text = readFileSync(join(ROOT, PAGE), 'utf8')

function foldersIn(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`)
}

/** The folders whose files the page names. */
const ROOMS = [
  'src/core/pay',
  ...foldersIn('src/core/pay'),
  'src/core/chain/deposit',
  'src/core/wizard',
  'src/core/wizard/journal',
  'src/signer',
  'src/core/base/effects',
]
const isCode = (name: string): boolean => name.endsWith('.ts') && !/(?:^|-)text\.ts$/.test(name)

/** The sections of the money rooms: the folders of the heading, and the files of the table below. */
const sections = [...text.matchAll(/^### (.+?): .+\n\| file \| does \|\n\|---\|---\|\n((?:\|.*\n)+)/gm)].map(
  ([, heading = '', table = '']) => ({
    folders: [...heading.matchAll(/`([^`]+)`/g)].map(([, folder = '']) => folder),
    files: [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file),
  }),
)

describe('the page for an auditor', () => {
  test('names each file of the money rooms once, and none that is not there', () => {
    expect(sections.flatMap(({ folders }) => folders).toSorted()).toEqual(ROOMS.toSorted())
    for (const { folders, files } of sections) {
      const there = folders.flatMap((folder) => readdirSync(join(ROOT, folder)).filter(isCode))
      expect(files.toSorted()).toEqual(there.toSorted())
    }
  })

  test('names files and folders that are there', () => {
    const paths = codeSpansOf(text)
      .flatMap((span) => span.split(' '))
      .filter((word) => /^(?:src|test|scripts|docs)\//.test(word))
    expect(paths.length).toBeGreaterThan(20)
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test.each(['docs/README.md', 'SECURITY.md', 'docs/safety.md'])('is linked from %s', (from) => {
    const links = linksOf(readFileSync(join(ROOT, from), 'utf8'))
    expect(links.some((link) => link.replace(/^docs\//, '') === 'audit.md')).toBe(true)
  })
})
