import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

/**
 * Outside the tests of texts a test asserts ids and numbers, not sentences: who changes a sentence then finds one place. A
 * sentence is four words of the program in a row. It counts where it stands in an expectation, and where the file does not
 * put it in by itself, as what somebody else says or as what is to be drawn.
 */
const WORDS = 4

/** The tests of texts, by what they hold. Sentences of a room that are worth holding belong into one of them. */
const OF_TEXTS: readonly { path: RegExp; why: string }[] = [
  { path: /(?:^|[/-])(?:text|words)\.test\.tsx?$/, why: 'texts and words by themselves' },
  { path: /^(?:prose|sentences)\.test\.ts$|^languages\//, why: 'where texts stand, and other languages' },
  { path: /(?:^|\/)frames\.test\.ts$/, why: 'whole screens' },
  { path: /^commands\/help\.test\.ts$/, why: 'the help pages' },
  { path: /^core\/base\/format\/next\.test\.ts$/, why: 'how what to do next is worded' },
  { path: /^core\/pay\/payment-view\/verdict\.test\.ts$/, why: 'the verdict of a payment' },
  { path: /^core\/steps\/status\/situation\.test\.ts$/, why: 'title and money band by situation' },
  { path: /^core\/steps\/sign\/who-can-lines\.test\.ts$/, why: 'who can do what, in sentences' },
  { path: /^signer\/(?:password|prompt-lines)\.test\.ts$/, why: 'the page that asks for the password' },
  { path: /^devnet\//, why: 'what a node and its execution client say' },
]

type Node = { type: string; start: number; end: number; [part: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** What a regular expression asks for, with a mark where it leaves the letters open. */
const patternText = (pattern: string): string =>
  pattern
    .replace(/\\[dDwWsSbBpPu](?:\{[^}]*\})?|\[[^\]]*\]|\\x\w\w/g, '#')
    .replace(/\\(.)/g, '$1')
    .replace(/[\^$]/g, '')

function textOf({ type, value, regex, quasis }: Node): string {
  if (type === 'Literal' && typeof value === 'string') return value
  if (type === 'JSXText') return String(value)
  if (type === 'Literal' && typeof regex === 'object' && regex !== null && 'pattern' in regex)
    return patternText(String(regex.pattern))
  if (type !== 'TemplateLiteral') return ''
  return (quasis as { value: { cooked: string | null } }[]).map((each) => each.value.cooked ?? '').join('#')
}

/** Each so many words in a row, in small letters; light punctuation may stand between them. */
function runsOf(text: string): string[] {
  return text.split(/[^\p{L}'’\-\s,;:.()“”"]+/u).flatMap((part) => {
    const words = part.toLowerCase().match(/\p{L}[\p{L}'’-]*/gu) ?? []
    return words.slice(WORDS - 1).map((_, at) => words.slice(at, at + WORDS).join(' '))
  })
}

/** `expect(…).toBe(…)`, or `expect.stringContaining(…)`. */
function isExpectation(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.type === 'Identifier') return node.name === 'expect'
  return isExpectation(node.type === 'CallExpression' ? node.callee : node.object)
}

/** Goes through a program, and tells of each part whether it belongs to what is expected; a message to `expect` does not. */
function walk(value: unknown, visit: (node: Node, isExpected: boolean) => void, isExpected = false): void {
  if (Array.isArray(value)) {
    for (const each of value) walk(each, visit, isExpected)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const below = isExpected || (isNode(value) && value.type === 'CallExpression' && isExpectation(value))
  if (isNode(value)) visit(value, below)
  const isBare = isNode(value) && isNode(value.callee) && value.callee.name === 'expect'
  const parts = isBare ? [(value.arguments as unknown[])[0]] : Object.values(value)
  for (const part of parts) walk(part, visit, below)
}

const programOf = (path: string, source: string): unknown => {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  return program
}

const root = (name: string): string => join(import.meta.dirname, '..', name)
const filesOf = (directory: string): string[] =>
  readdirSync(root(directory), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))

/** Each run of words that a text of the program has; what the devnet says is what a node says. */
const OWN: ReadonlySet<string> = new Set(
  filesOf('src')
    .filter((path) => !path.startsWith('devnet/'))
    .flatMap((path) => {
      const runs: string[] = []
      walk(
        programOf(path, readFileSync(root(`src/${path}`), 'utf8')),
        (node) => void runs.push(...runsOf(textOf(node))),
      )
      return runs
    }),
)

/** The sentences of the program that a test expects, as they stand there. */
function sentencesIn(path: string, source: string): string[] {
  const program = programOf(path, source)
  const given = new Set<string>()
  const found = new Map<number, string>()
  walk(program, (node, isExpected) => {
    if (!isExpected) for (const run of runsOf(textOf(node))) given.add(run)
  })
  walk(program, (node, isExpected) => {
    if (isExpected && runsOf(textOf(node)).some((run) => OWN.has(run) && !given.has(run)))
      found.set(node.start, source.slice(node.start, node.end))
  })
  return [...found.values()]
}

const isOfTexts = (path: string): boolean => OF_TEXTS.some((each) => each.path.test(path))

describe('a test outside the tests of texts asserts ids and numbers', () => {
  const tests = filesOf('test')
  const found = tests
    .filter((path) => !isOfTexts(path))
    .map((path) => [path, ...sentencesIn(path, readFileSync(root(`test/${path}`), 'utf8'))])

  test('without an exception', () => {
    expect(found.length).toBeGreaterThan(500)
    expect(found.filter(([, ...sentences]) => sentences.length > 0)).toEqual([])
  })

  test('and each test of texts is there', () => {
    expect(OF_TEXTS.filter((each) => !tests.some((path) => each.path.test(path)))).toEqual([])
    expect(OWN.size).toBeGreaterThan(10_000)
  })

  test.each([
    "expect(title).toBe('Your validator is active')",
    'expect(row(view)).toMatch(/^proven +Your validator is active, \\d+$/)',
    "expect(view).toMatchObject({ title: expect.stringContaining('Your validator is active') })",
    "expect(text.includes('Your validator is active')).toBe(true)",
    "await expect.poll(() => screen()).toContain('Your validator is active')",
  ])('would be found where it stood: %s', (source) => {
    expect(sentencesIn('a.ts', source)).toHaveLength(1)
  })

  test.each([
    "expect(problem.id).toBe('status.left')",
    'expect(row).toMatch(/^proven .* 250,000 BERA, slot 4$/)',
    'expect(title).toBe(STATUS_TEXT.timeline.topUp)',
    "expect(value, 'Your validator is active').toBe(1)",
    "draw('Your validator is active'); expect(line).toBe('Your validator is active')",
  ])('is not what only looks like it: %s', (source) => {
    expect(sentencesIn('a.ts', source)).toEqual([])
  })
})
