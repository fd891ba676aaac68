import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

/**
 * Nothing is decided by the words of a sentence, in any language. This finds each place in the sources that looks for
 * words in a text, or compares with a text of the program: regular expressions and string methods with words in them, and
 * `===` with a text of a text module. What is no sentence of the program is named below, with the reason.
 */
const ALLOWED: readonly { path: RegExp; is?: RegExp; why: string }[] = [
  { path: /^devnet\//, why: 'a node reads what it is asked, and what its execution client answers' },
  { path: /^commands\/api\//, why: 'paths of a node API' },
  { path: /^core\/chain\/identity\/run-tool\.ts$/, why: 'what the node tool printed' },
  { path: /^core\/clients\//, why: 'what a node answered: its content type and its errors' },
  { path: /^core\/base\/effects\/node-http\.ts$/, why: 'codes and words of Node and OpenSSL' },
  { path: /^core\/chain\/deposit\/strict-points\.ts$/, why: 'errors of the curve library' },
  { path: /^core\/pay\/payment\/track\.ts$/, why: 'errors of an execution client' },
  { path: /^core\/view\/observation\.ts$/, is: /Cannot find module/, why: 'errors of Node' },
  { path: /^native-library\.ts$/, why: 'errors of the loader of the system' },
  { path: /^commands\/read-arguments\.ts$/, is: /ambiguous|ERR_PARSE_ARGS/, why: 'errors of Node' },
  { path: /^core\/base\/errors\/http\.ts$/, is: /https?:|SELF_SIGNED/, why: 'an address, and codes of Node' },
  { path: /^core\/base\/format\/document\.ts$/, why: 'names of fields' },
  { path: /^core\/base\/format\/(?:endpoint-url|url-secrets)\.ts$/, why: 'addresses' },
  { path: /^core\/base\/format\/drawable\.ts$/, why: 'where a line of Chinese may end' },
  { path: /^watch\/notify\/fields\.ts$/, why: 'addresses in a configuration' },
  { path: /^core\/chain\/identity\/app-toml\.ts$/, why: 'an address in a settings file' },
  { path: /^core\/wizard\/journal\/events\.ts$/, why: 'types of events' },
  { path: /^commands\/verify-material\.ts$/, why: 'names of fields in what somebody gives' },
  {
    path: /^commands\/support-report\.ts$/,
    why: 'what the system says of itself: versions, addresses, its locale',
  },
  { path: /^core\/chain\/deposit\/deposit-file\.ts$/, why: 'the form of what somebody gives' },
  {
    path: /^output\/io\.ts$|^core\/wizard\/launch\/machine\.ts$/,
    is: /no-space|'file\./,
    why: 'codes of errors',
  },
  { path: /^screens\/ui\/line\.ts$/, is: /gap\./, why: 'keys of rows' },
  { path: /^compose\/kept-places\.ts$/, why: 'names of files' },
  {
    path: /^core\/wizard\/journal\/guard-file\.ts$/,
    is: /guard-|pubkey/,
    why: 'a field of a journal, and names of folders',
  },
  { path: /^core\/pay\/gate\/commitments\.ts$/, is: /funder-/, why: 'names of lock files' },
  { path: /^compose\/network-choice\.ts$/, is: /tcp:/, why: 'form of addresses' },
  {
    path: /^compose\/journal-files\.ts$/,
    is: /pubkey|hash|guard-/,
    why: 'fields of a journal, and names of folders',
  },
  { path: /^compose\/(?:attach|start)-rehearsal\.ts$/, is: /network-/, why: 'names of folders' },
  { path: /^compose\/ending\.ts$/, why: 'names of resources of Node, and words of a command line' },
  { path: /^executable\.ts$/, why: 'names of files and modules' },
  {
    path: /^screens\/theme\.tsx$|^compose\/choose-language\.ts$/,
    is: /utf-/,
    why: 'names of character sets',
  },
  { path: /^terminal\/notification\.ts$/, why: 'names of terminals' },
  {
    path: /^commands\/(?:command|report|home-rows)\.ts$|^compose\/drive-rehearsal\.ts$|^core\/steps\/status\/machine\.ts$/,
    is: /key-file|devnet|client\.|key-missing/,
    why: 'codes of errors and ids of findings',
  },
  { path: /^commands\/doctor\.ts$/, is: /'tool'/, why: 'ids of rows' },
  { path: /^commands\/doctor\/rows\.ts$/, is: /geth/, why: 'what an execution client calls itself' },
  {
    path: /^core\/view\/rows\.ts$|^screens\/ui\/facts\.ts$|^commands\/verify(?:-subject)?\.ts$/,
    is: /'(?:where asked|where answered|by source|the file)'/,
    why: 'ids with a blank: their types name each of them',
  },
  { path: /^compose\/(?:choose-language|network-choice|own-command)\.ts$/, is: /--/, why: 'options' },
  { path: /^core\/steps\/sign\/typing\.ts$/, is: /'Again'/, why: 'ids of fields' },
  {
    path: /^core\/(?:view\/rows|base\/errors\/deposit)\.ts$|^commands\/help-text\.ts$/,
    is: /[。、]/,
    why: 'the mark that ends a sentence, where the sentence goes on or is broken into lines',
  },
  {
    path: /^plain\/turn\.ts$/,
    is: /slots/,
    why: 'a line in which only numbers have changed is said less often; nothing is decided by it, but when a line is said',
  },
]

const ROOT = join(import.meta.dirname, '../src')

/** What looks for a text in a text. Lists have some of these names too: a list that holds an id is no sentence. */
const METHODS: ReadonlySet<unknown> = new Set([
  'startsWith',
  'endsWith',
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
])
const LIST_METHODS: ReadonlySet<unknown> = new Set(['includes', 'indexOf', 'lastIndexOf'])

/** What goes through a list of words, and looks for each of them. */
const SEARCHES: ReadonlySet<unknown> = new Set(['some', 'every', 'find', 'findIndex', 'filter'])

type Node = { type: string; start: number; end: number; [part: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const WORD = /\p{L}{3}|[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]/u
const hasWord = (text: string): boolean => WORD.test(text)
/** In a list stand ids and options; a sentence has blanks, or is Chinese. */
const isSentence = (text: string): boolean => /\p{L}\s|\s\p{L}|[\u3000-\u9fff]/u.test(text)

/** The letters that a regular expression asks for, without the names of classes and groups. */
const lettersOf = (pattern: string): string =>
  pattern.replace(
    /\\[pP]\{[^}]*\}|\\[ux]\{?[0-9a-fA-F]+\}?|\\[a-zA-Z]|\(\?<\w+>|\[[^\]\p{Script=Han}\u3000-\u303f\uff00-\uffef]*\]/gu,
    '',
  )

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
}

/** A value of a text module: `STEP_TEXT.left.unknown`, or what one of its functions makes. */
function isOfTexts(node: unknown): boolean {
  if (!isNode(node)) return false
  if (node.type === 'Identifier') return /^(?:[A-Z_]+_)?TEXT$/.test(String(node.name))
  if (node.type === 'MemberExpression') return isOfTexts(node.object)
  return node.type === 'CallExpression' && isOfTexts(node.callee)
}

/** Whether a function looks in something else for what it is given: `(end) => title.startsWith(end)`. */
function looksForEach(callback: unknown): boolean {
  if (!isNode(callback) || callback.type !== 'ArrowFunctionExpression') return false
  const [given] = callback.params as unknown[]
  if (!isNode(given) || given.type !== 'Identifier') return false
  const below = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(below)
    if (!isNode(value)) return false
    if (value.type === 'CallExpression' && isNode(value.callee) && value.callee.type === 'MemberExpression') {
      const { property, object } = value.callee
      const [sought] = value.arguments as unknown[]
      const isIt = (node: unknown) => isNode(node) && node.type === 'Identifier' && node.name === given.name
      const name = isNode(property) ? property.name : undefined
      if (METHODS.has(name) && isIt(sought) && !isIt(object)) return true
      if (name === 'test' && isIt(object)) return true
    }
    return Object.values(value).some(below)
  }
  return below(callback.body)
}

function findsWords(node: Node): boolean {
  const { type, regex, callee, operator, left, right } = node
  if (type === 'Literal' && typeof regex === 'object' && regex !== null && 'pattern' in regex)
    return hasWord(lettersOf(String(regex.pattern)))
  if (type === 'NewExpression' && isNode(callee)) return callee.name === 'RegExp'
  if (type === 'BinaryExpression' && ['===', '!=='].includes(String(operator)))
    return [left, right].some((side) => isOfTexts(side) || isSentence(textOf(side) ?? ''))
  if (type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return false
  const [first] = node.arguments as unknown[]
  const name = isNode(callee.property) ? callee.property.name : undefined
  if (SEARCHES.has(name)) return looksForEach(first)
  if (LIST_METHODS.has(name)) return isOfTexts(first) || isSentence(textOf(first) ?? '')
  return METHODS.has(name) && (isOfTexts(first) || hasWord(textOf(first) ?? ''))
}

/** Every place of a source that looks for words, as it stands there. */
function placesIn(source: string, path: string): string[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const below = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(below)
    if (!isNode(value)) return []
    const own = findsWords(value) ? [source.slice(value.start, value.end)] : []
    return [...own, ...Object.values(value).flatMap(below)]
  }
  return below(program)
}

const isText = (path: string): boolean => /(?:^|[/-])text\.ts$/.test(path)

const found = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !isText(path))
  .flatMap((path) => placesIn(readFileSync(join(ROOT, path), 'utf8'), path).map((place) => ({ path, place })))

const allows = ({ path, is }: (typeof ALLOWED)[number], at: { path: string; place: string }): boolean =>
  path.test(at.path) && (is === undefined || is.test(at.place))

describe('no module decides by the words of a sentence', () => {
  test('outside of what other programs said, paths, names and addresses', () => {
    const strays = found.filter((at) => !ALLOWED.some((each) => allows(each, at)))
    expect(strays).toEqual([])
  })

  test('and each exception is there', () => {
    expect(ALLOWED.filter((each) => !found.some((at) => allows(each, at)))).toEqual([])
    expect(found.length).toBeGreaterThan(80)
  })

  test.each([
    "title.startsWith('Stop: ')",
    'ENDS.some((end) => title.startsWith(end))',
    'parts.some((part) => PATTERNS.some((pattern) => pattern.test(part)))',
    "['Stop: ', 'Closed: '].some((end) => text.replace(/^press [a-z]/, end))",
    "next.includes('asks again')",
    "next.includes('停止')",
    'next.includes(STEP_TEXT.verdict.askAgain)',
    'left === STEP_TEXT.left.unknown',
    'left !== TEXT.left.strangers(amount)',
    "text === 'not asked yet'",
    "worst.startsWith('worst')",
    "new RegExp('press ' + key)",
    'line.split(/(?<=[，；：])/)',
  ])('would be found where it stood: %s', (source) => {
    expect(placesIn(source, 'a.ts')).not.toEqual([])
  })

  test.each([
    "hash.startsWith('0x')",
    "ids.includes('second')",
    "status === 'unasked'",
    String.raw`/^\d+(?:\.\d+)?$/.test(text)`,
    '/[^0-9a-fA-F]/.test(text)',
    "path.split('/')",
  ])('is not what only looks like it: %s', (source) => {
    expect(placesIn(source, 'a.ts')).toEqual([])
  })
})

test('no comment cites a page that is not in the project', () => {
  const cites = /\bfacts, ["“]|\(facts\)\.?$/m
  const comments = (text: string): string[] => text.match(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? []
  const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  expect(paths.length).toBeGreaterThan(500)
  const citing = paths.filter((path) =>
    comments(readFileSync(join(ROOT, path), 'utf8')).some((comment) =>
      cites.test(comment.replace(/\s*\*\/$/, '')),
    ),
  )
  expect(citing).toEqual([])
})
