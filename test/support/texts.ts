import { readFileSync } from 'node:fs'
import { parseSync } from '@swc/core'

/** A piece of a parsed program: all that is asked of it is its kind and what is below it. */
type Node = { readonly [part in 'type' | 'value' | 'quasis' | 'properties' | 'key']?: unknown }

/** What names modules and types; nobody reads it on a screen. */
const NOT_SHOWN: ReadonlySet<unknown> = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'TsInterfaceDeclaration',
  'TsTypeAliasDeclaration',
  'TsTypeAnnotation',
  'TsTypeParameterInstantiation',
])

/** What stands for an expression inside a template. */
const HOLE = '…'

/** The texts of a source file: its literals that hold a space, templates with their expressions left out. */
export function textsOf(path: string): string[] {
  return below(bodyOf(path)).filter((text) => text.includes(' '))
}

/** The labels of the keys that a source file gives to a screen. */
export function keyLabelsOf(path: string): string[] {
  return keyLabels(bodyOf(path))
}

const bodies = new Map<string, unknown>()

/** The parsed file; several tests read every source. */
function bodyOf(path: string): unknown {
  const body =
    bodies.get(path) ??
    parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x') }).body
  bodies.set(path, body)
  return body
}

/**
 * A key is an object with a label and what the key is or does; some take the rest from another one. In a text module
 * `keys` has labels alone.
 */
function keyLabels(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keyLabels)
  if (!isNode(value)) return []
  const deeper = Object.values(value).flatMap(keyLabels)
  const properties = value.type === 'ObjectExpression' ? value.properties : undefined
  if (!Array.isArray(properties)) return deeper
  const named = new Map(properties.map((property: Node) => [nameOf(property), property.value]))
  const isKey = named.has('does') || named.has('key')
  const labels = isKey ? below(named.get('label')) : []
  const keys = named.get('keys')
  const isOfKeys = isNode(keys) && keys.type === 'ObjectExpression'
  return [...labels, ...(isOfKeys ? below(keys) : []), ...deeper]
}

function nameOf({ key }: Node): unknown {
  return isNode(key) ? key.value : undefined
}

function below(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(below)
  if (!isNode(value) || NOT_SHOWN.has(value.type)) return []
  return [...ownText(value), ...Object.values(value).flatMap(below)]
}

function ownText({ type, value, quasis }: Node): string[] {
  if ((type === 'StringLiteral' || type === 'JSXText') && typeof value === 'string') return [value]
  if (type === 'TemplateLiteral' && Array.isArray(quasis))
    return [quasis.map(({ cooked }) => String(cooked ?? '')).join(HOLE)]
  return []
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null
}
