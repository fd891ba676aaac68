import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..', 'src')
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => path.replaceAll('\\', '/'))
  .sort()

/** Words that a name of the code no longer has, and what is said in their place. */
const WORDS: Readonly<Record<string, string>> = {
  beat: 'tick',
  gainsaid: 'contradicted',
  giving: 'broadcast',
  givings: 'broadcasts',
  hush: 'mute',
  lend: 'suspend',
  lent: 'suspended',
  paper: 'renderer',
  sight: 'picture',
  sighting: 'picture',
  teller: 'printer',
}

/** Types that two modules declare, and why that is one meaning or may stay. */
const DECLARED_TWICE: Readonly<Record<string, string>> = {
  Typing: 'a field that is typed into: of the sign step, and of the screens before the steps',
}

/** Names that said too little: each of them had several meanings at a time, and now has none. */
const VAGUE = ['nameOf', 'verdictOf', 'heard']

const TESTS = join(import.meta.dirname, '..', 'test')
const testFiles = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.tsx?$/.test(path),
)

const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[ _]/)

/** Every identifier of a source, as it stands there. */
function namesIn(source: string, path: string): Set<string> {
  const names = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'Identifier' && 'name' in node) names.add(String(node.name))
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseSync(path, source).program.body)
  return names
}

const oldWordsIn = (source: string, path: string): string[] =>
  [...namesIn(source, path)].filter((name) => wordsOf(name).some((word) => Object.hasOwn(WORDS, word)))

/** The modules that declare each exported name of a kind. */
function modulesOf(kinds: string): Map<string, string[]> {
  const modules = new Map<string, string[]>()
  const exported = new RegExp(`^export (?:async )?(?:${kinds}) (\\w+)`, 'gm')
  for (const path of files) {
    const source = readFileSync(join(SOURCES, path), 'utf8')
    const names = new Set([...source.matchAll(exported)].map(([, name = '']) => name))
    for (const name of names) modules.set(name, [...(modules.get(name) ?? []), path])
  }
  return modules
}

describe('the names of the code', () => {
  test('have none of the words that were replaced', () => {
    expect(oldWordsIn('const isLent = teller.of(nextSighting) // paper', 'a.ts')).toEqual([
      'isLent',
      'teller',
      'nextSighting',
    ])
    const old = files.flatMap((path) =>
      oldWordsIn(readFileSync(join(SOURCES, path), 'utf8'), path).map((name) => `${path}: ${name}`),
    )
    expect(old).toEqual([])
    expect(
      files.filter((path) => wordsOf(path.replace(/[/.-]/g, '_')).some((word) => word in WORDS)),
    ).toEqual([])
  })

  test('of files are terms, not what somebody saw or said', () => {
    const vague = ['answers', 'heard', 'look', 'looks', 'said', 'seen', 'told', 'world']
    const isVague = (path: string) =>
      wordsOf(path.replace(/[/.-]/g, '_')).some((word) => vague.includes(word))
    expect(isVague('core/observe/look-heads.ts')).toBe(true)
    expect(files.filter(isVague)).toEqual([])
  })

  test('mean one thing: an exported type is declared in one module', () => {
    const twice = [...modulesOf('type|class|interface')].filter(([, modules]) => modules.length > 1)
    expect(twice.map(([name]) => name).sort()).toEqual(Object.keys(DECLARED_TWICE).sort())
  })

  test('mean one thing: an exported function or constant is declared in one module', () => {
    expect([...modulesOf('function|const')].filter(([, modules]) => modules.length > 1)).toEqual([])
  })

  test('say which name, whose verdict, what was heard', () => {
    const vague = (source: string, path: string) =>
      [...namesIn(source, path)].filter((name) => VAGUE.includes(name) || name.startsWith('lookAt'))
    expect(vague('const nameOf = lookAtKey', 'a.ts')).toEqual(['nameOf', 'lookAtKey'])
    const found = files.flatMap((path) =>
      vague(readFileSync(join(SOURCES, path), 'utf8'), path).map((name) => `${path}: ${name}`),
    )
    expect(found).toEqual([])
  })

  test('call what commands may use their context, in the source and in its tests', () => {
    const mistaken = (source: string) =>
      /\bworld\??: (?:Pick<)?(?:Command|Step|Status|Key|Claim)Context\b/.test(source)
    expect(mistaken('function ask(world: CommandContext<never>) {}')).toBe(true)
    expect(files.filter((path) => mistaken(readFileSync(join(SOURCES, path), 'utf8')))).toEqual([])
    const tests = testFiles.filter((path) => path !== 'names.test.ts')
    expect(tests.filter((path) => mistaken(readFileSync(join(TESTS, path), 'utf8')))).toEqual([])
  })

  test('have no teller in the tests, neither for what prints nor for what responds', () => {
    const others = testFiles.filter((path) => path !== 'names.test.ts')
    const tellers = others.filter((path) =>
      [...namesIn(readFileSync(join(TESTS, path), 'utf8'), path)].some((name) =>
        wordsOf(name).includes('teller'),
      ),
    )
    expect(tellers).toEqual([])
  })
})
