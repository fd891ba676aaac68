import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { parseSync } from 'oxc-parser'
import { LANGUAGES, type LanguageCode } from '../../src/compose/choose-language.ts'
import type { LanguageText, LanguageTexts } from '../../src/core/base/format/texts.ts'

/**
 * A language is a folder of `languages`: JSON files that give, for a source file, each of its English texts another one. In
 * a text, `{0}`, `{1}` … stand for what the program puts in, in the order of the English text.
 *
 * There is one program for all languages. The build turns each text that a language has into a look-up with the English
 * beside it (`src/core/base/format/texts.ts`), and writes the texts of each language to one file.
 */
export type Language = Exclude<LanguageCode, 'en'>

/** Texts by the English one, for a source file by its path below `src`. */
type Texts = Readonly<Record<string, string>>
export type Catalogue = ReadonlyMap<string, Texts>

/** A text in a source file. `fills` are the expressions in it; a fill is `optional` where it only chooses between literals. */
export type SourceText = { text: string; fills: readonly { optional: boolean }[] }

/** All files of a language. Throws where two of them speak of the same source file. */
export function readCatalogue(root: string, language: Language): Catalogue {
  const folder = join(root, 'languages', language)
  const all = new Map<string, Texts>()
  for (const name of readdirSync(folder).sort()) {
    const parts = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, Texts>
    for (const [path, texts] of Object.entries(parts)) {
      if (all.has(path)) throw new Error(`${join(folder, name)} has ${path}, which another file has too`)
      all.set(path, texts)
    }
  }
  return all
}

/** The texts of a source that a person could read: its literals but for those that are compared, imported or only types. */
export function textsIn(source: string, path: string): SourceText[] {
  return placesIn(source, path).map(({ text, fills }) => ({
    text,
    fills: fills.map(({ optional }) => ({ optional })),
  }))
}

/** The texts of each language by their number, and the sources that look them up. */
export type LookUps = {
  texts: ReadonlyMap<Language, LanguageTexts>
  /** Returns a source, by its path below `src`, with a look-up for each text that a language has. */
  rewrite: (source: string, path: string) => string
}

/** Numbers the texts that a language has. Texts that are the same in every language share a number. */
export function lookUpsIn(
  sources: ReadonlyMap<string, string>,
  catalogues: ReadonlyMap<Language, Catalogue>,
): LookUps {
  /** What the languages say, by its number. */
  const rows = new Map<string, number>()
  const numberOf = (path: string, place: Place): number | undefined => {
    const said = [...catalogues.values()].map((catalogue) => textIn(catalogue, path, place))
    if (said.every((each) => each === null)) return undefined
    const row = JSON.stringify(said)
    const number = rows.get(row) ?? rows.size
    rows.set(row, number)
    return number
  }
  const rewrite = (source: string, path: string) => {
    const isKnown = [...catalogues.values()].some((catalogue) => catalogue.has(path))
    return isKnown ? withLookUps(source, path, (place) => numberOf(path, place)) : source
  }
  for (const [path, source] of sources) rewrite(source, path)
  const said = [...rows.keys()].map((row) => JSON.parse(row) as LanguageTexts)
  const texts = [...catalogues.keys()].map(
    (language, at) => [language, said.map((each) => each[at] ?? null)] as const,
  )
  return { texts: new Map(texts), rewrite }
}

/** What a language says in a place, or null where it has nothing. Throws where it asks for a value that nobody puts in. */
function textIn(catalogue: Catalogue, path: string, { text, kind, fills }: Place): LanguageText | null {
  const texts = catalogue.get(path) ?? {}
  const other = Object.hasOwn(texts, text) ? texts[text] : undefined
  if (other === undefined) return null
  if (kind !== 'template') return other
  const parts = other.split(HOLE)
  const order = parts.filter((_, at) => at % 2 === 1).map(Number)
  for (const at of order)
    if (fills[at] === undefined) throw new Error(`${path}: nothing fills {${at}} of "${other}"`)
  return [parts.filter((_, at) => at % 2 === 0), order]
}

/** Names that no source has. */
const LOOK_UP = { text: '__lookUpText', template: '__lookUpTemplate' }

function withLookUps(source: string, path: string, numberOf: (place: Place) => number | undefined): string {
  const chosen = placesIn(source, path).flatMap((place) => {
    const number = numberOf(place)
    return number === undefined ? [] : [{ place, number }]
  })
  const render = (from: number, to: number): string => {
    let at = from
    let out = ''
    for (const each of chosen) {
      if (each.place.start < at || each.place.end > to) continue
      out += source.slice(at, each.place.start) + rendered(each.place, each.number)
      at = each.place.end
    }
    return out + source.slice(at, to)
  }
  const rendered = ({ kind, text, start, end, fills, tag }: Place, number: number): string => {
    // As the words of an element are read, a line break in them is one space.
    const english = kind === 'element' ? text.replace(/\s*\n\s*/g, ' ') : text
    // A constant that nobody uses is left out of the bundle.
    const call = `/* @__PURE__ */ ${LOOK_UP.text}(${number}, ${JSON.stringify(english)})`
    if (kind === 'plain') return call
    if (kind !== 'template') return `{${call}}`
    let at = tag?.end ?? start
    let template = ''
    for (const fill of fills) {
      template += source.slice(at, fill.start) + render(fill.start, fill.end)
      at = fill.end
    }
    const given = tag === undefined ? '' : `, ${render(tag.start, tag.end)}`
    return `${LOOK_UP.template}(${number}${given})${template}${source.slice(at, end)}`
  }
  if (chosen.length === 0) return source
  const names = `lookUpText as ${LOOK_UP.text}, lookUpTemplate as ${LOOK_UP.template}`
  return `import { ${names} } from '${relativePath(path, TEXTS)}'\n${render(0, source.length)}`
}

/** Where texts are looked up, below `src`. */
export const TEXTS = 'core/base/format/texts.ts'

function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/** Returns the look-ups of all languages in our own sources. */
export function lookUpsOf(root: string): LookUps {
  const languages = LANGUAGES.filter((language) => language !== 'en')
  return lookUpsIn(
    readSources(root),
    new Map(languages.map((language) => [language, readCatalogue(root, language)])),
  )
}

/** Our own sources, by their paths below `src`. */
export function readSources(root: string): Map<string, string> {
  const paths = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
  return new Map(
    paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, 'src', path), 'utf8')]),
  )
}

/** Returns what reads a source of ours by its whole path, with its look-ups. */
export function sourceReader(root: string, { rewrite }: LookUps): (path: string) => string {
  return (path) =>
    rewrite(readFileSync(path, 'utf8'), relative(join(root, 'src'), path).replaceAll('\\', '/'))
}

/** Builds our own sources as a reader answers them. */
export function readBy(read: (path: string) => string): Plugin {
  return {
    name: 'read-by',
    setup(build) {
      build.onLoad({ filter: OWN_SOURCE }, ({ path }) =>
        path.includes('node_modules')
          ? undefined
          : { contents: read(path), loader: path.endsWith('x') ? 'tsx' : 'ts' },
      )
    },
  }
}

/** A source of ours by its path. */
export const OWN_SOURCE = /[\\/]src[\\/].*\.tsx?$/

const HOLE = /\{(\d+)\}/

type Fill = { start: number; end: number; optional: boolean }
type Place = {
  text: string
  start: number
  end: number
  kind: 'plain' | 'attribute' | 'element' | 'template'
  fills: Fill[]
  /** What makes a value of a template. */
  tag?: { start: number; end: number }
}

/** A part of a parsed program, as far as it is looked at. */
type Node = { type: string; start: number; end: number; [part: string]: unknown }

function placesIn(source: string, path: string): Place[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  return below(program).toSorted((one, other) => one.start - other.start || other.end - one.end)
}

/** Parts that name modules, types and properties, or are compared with: nobody reads them. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  ImportDeclaration: ['source', 'attributes'],
  ExportNamedDeclaration: ['source', 'attributes'],
  ExportAllDeclaration: ['source', 'attributes'],
  ImportExpression: ['source'],
  SwitchCase: ['test'],
}
const COMPARED: readonly unknown[] = ['===', '!==', 'in']

function below(value: unknown): Place[] {
  if (Array.isArray(value)) return value.flatMap(below)
  if (!isNode(value) || (value.type.startsWith('TS') && !TRANSPARENT.has(value.type))) return []
  const unread = UNREAD[value.type] ?? unreadOf(value)
  const parts = Object.entries(value).filter(([part]) => !unread.includes(part))
  if (value.type === 'TaggedTemplateExpression' && unread.length === 0) {
    const { tag, quasi } = value as Node & { tag: Node; quasi: Node }
    return [templateOf(quasi, tag), ...below([tag, quasi.expressions])]
  }
  return [...ownText(value), ...parts.flatMap(([, part]) => below(part))]
}

/** What only says of which type a value is. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
])

function unreadOf(node: Node): readonly string[] {
  // What is made by a tag of the program's own is said; `String.raw` holds patterns.
  if (node.type === 'TaggedTemplateExpression')
    return isNode(node.tag) && node.tag.type === 'MemberExpression' ? ['quasi'] : []
  if (node.type === 'Property' && node.computed !== true) return ['key']
  if (node.type === 'MemberExpression') return ['property']
  if (node.type !== 'BinaryExpression' || !COMPARED.includes(node.operator)) return []
  return ['left', 'right'].filter((side) => isNode(node[side]) && LITERALS.has(node[side].type))
}

const LITERALS: ReadonlySet<string> = new Set(['Literal', 'TemplateLiteral'])

function ownText(node: Node): Place[] {
  const { type, start, end, value } = node
  if (type === 'Literal' && typeof value === 'string')
    return [{ text: value, start, end, kind: 'plain', fills: [] }]
  if (type === 'JSXAttribute' && isNode(value) && value.type === 'Literal' && typeof value.value === 'string')
    return [{ text: value.value, start: value.start, end: value.end, kind: 'attribute', fills: [] }]
  if (type === 'JSXText' && typeof value === 'string') {
    const text = value.trim()
    const from = start + value.indexOf(text)
    return text === '' ? [] : [{ text, start: from, end: from + text.length, kind: 'element', fills: [] }]
  }
  return type === 'TemplateLiteral' ? [templateOf(node)] : []
}

function templateOf({ start, end, quasis, expressions }: Node, tag?: Node): Place {
  const pieces = (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  const fills = (expressions as Node[]).map((fill) => ({
    start: fill.start,
    end: fill.end,
    optional: isChoice(fill),
  }))
  const text = pieces.map((piece, at) => (at === 0 ? piece : `{${at - 1}}${piece}`)).join('')
  if (tag !== undefined) return { text, start: tag.start, end, kind: 'template', fills, tag }
  return { text, start, end, kind: fills.length === 0 ? 'plain' : 'template', fills }
}

/** Whether an expression only chooses between literals, as the ending of a plural does. */
function isChoice({ type, consequent, alternate }: Node): boolean {
  if (type !== 'ConditionalExpression') return false
  return [consequent, alternate].every((end) => isNode(end) && (end.type === 'Literal' || isChoice(end)))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
