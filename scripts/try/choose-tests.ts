import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nearWord } from '../../src/core/base/format/near-word.ts'

/** Folders of whole stories: they take minutes, and run by their own name, by a path, or where nothing else has the word. */
const STORIES = ['journeys', 'hostile', 'model', 'e2e']

/** The files that were chosen, or the word that chose none, with the known one that it may mean. */
export type Choice = { files: readonly string[] } | { unknown: string; near: string | undefined }

/** Every file of tests below a folder of the project, from its root; those that only the nightly run takes left out. */
export function testFiles(root: string): string[] {
  return filesBelow(root, 'test').filter(
    (path) => /\.test\.tsx?$/.test(path) && !path.startsWith('test/mutation/'),
  )
}

/** Every file below a folder, by its path from the root, with `/` on every system. */
export function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
}

/** The tests that a word or a path of the command line means, each word by itself, all of them together. */
export function chooseTests(words: readonly string[], files: readonly string[]): Choice {
  const chosen = words.map((word) => ({ word, found: foundBy(word, files) }))
  const none = chosen.find(({ found }) => found.length === 0)
  if (none !== undefined) return { unknown: none.word, near: nearWord(none.word, wordsOf(files)) }
  return { files: [...new Set(chosen.flatMap(({ found }) => found))].sort() }
}

/** Whether a path has a word as a name or as a part of one: `sign` is in `steps/sign/view`, not in `signer/child`. */
export function hasWord(path: string, word: string): boolean {
  return (
    ` ${partsOf(path).join(' ')} `.match(new RegExp(` ${partsOf(word).map(escaped).join(' ')}s? `)) !== null
  )
}

function foundBy(word: string, files: readonly string[]): string[] {
  if (/[/.\\]/.test(word)) {
    const path = word.replaceAll('\\', '/').replace(/^\.\//, '')
    return files.filter((file) => file.includes(path))
  }
  const isStory = (file: string) => STORIES.includes(file.split('/')[1] ?? '') && !STORIES.includes(word)
  const having = files.filter((file) => hasWord(file, word))
  const ofRooms = having.filter((file) => !isStory(file))
  const ways = [ofRooms, having, files.filter((file) => file.includes(word))]
  return ways.find(({ length }) => length > 0) ?? []
}

const partsOf = (text: string): string[] => text.split(/[/.-]/).filter((part) => part !== '')

const escaped = (text: string): string => text.replace(/[^\w]/g, String.raw`\$&`)

function wordsOf(files: readonly string[]): string[] {
  const names = files.flatMap((file) => file.replace(/\.test\.tsx?$/, '').split('/'))
  return [...new Set(names.flatMap((name) => [name, ...partsOf(name)]))].filter(({ length }) => length > 2)
}
