import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { parseSync } from 'oxc-parser'
import type { LanguageCode } from '../../src/compose/choose-language.ts'

/**
 * A language is a folder of `languages`: JSON files that give, for a source file, each of its English texts another one.
 * The program is built once for each language; every decision is made by the same sources. In a text, `{0}`, `{1}` … stand
 * for what the program puts in, in the order of the English text.
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

/** The source with the texts of a catalogue in the place of its own. Texts that the catalogue has not stay as they are. */
export function translate(source: string, path: string, texts: Texts): string {
  const chosen = placesIn(source, path).filter(({ text }) => Object.hasOwn(texts, text))
  const render = (from: number, to: number): string => {
    let at = from
    let out = ''
    for (const place of chosen) {
      if (place.start < at || place.end > to) continue
      out += source.slice(at, place.start) + rendered(place)
      at = place.end
    }
    return out + source.slice(at, to)
  }
  const rendered = (place: Place): string => {
    const other = texts[place.text] ?? ''
    if (place.kind === 'plain') return JSON.stringify(other)
    if (place.kind === 'element') return `{${JSON.stringify(other)}}`
    const parts = other.split(HOLE).map((part, index) => {
      if (index % 2 === 0) return part.replace(/[\\`]|\$\{/g, String.raw`\$&`)
      const fill = place.fills[Number(part)]
      if (fill === undefined) throw new Error(`${path}: nothing fills {${part}} of "${other}"`)
      return `\${${render(fill.start, fill.end)}}`
    })
    return `\`${parts.join('')}\``
  }
  return render(0, source.length)
}

/** A reader of our own sources, which answers them in a language; in English they are as they are. */
export function sourcesIn(root: string, language: LanguageCode): (path: string) => string {
  const catalogue: Catalogue = language === 'en' ? new Map() : readCatalogue(root, language)
  return (path) => {
    const source = readFileSync(path, 'utf8')
    const texts = catalogue.get(relative(join(root, 'src'), path).replaceAll('\\', '/'))
    return texts === undefined ? source : translate(source, path, texts)
  }
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
  kind: 'plain' | 'element' | 'template'
  fills: Fill[]
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
    return [{ text: value.value, start: value.start, end: value.end, kind: 'element', fills: [] }]
  if (type === 'JSXText' && typeof value === 'string') {
    const text = value.trim()
    const from = start + value.indexOf(text)
    return text === '' ? [] : [{ text, start: from, end: from + text.length, kind: 'element', fills: [] }]
  }
  return type === 'TemplateLiteral' ? [templateOf(node)] : []
}

function templateOf({ start, end, quasis, expressions }: Node): Place {
  const pieces = (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  const fills = (expressions as Node[]).map((fill) => ({
    start: fill.start,
    end: fill.end,
    optional: isChoice(fill),
  }))
  const text = pieces.map((piece, at) => (at === 0 ? piece : `{${at - 1}}${piece}`)).join('')
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
