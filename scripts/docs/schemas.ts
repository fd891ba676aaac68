import { DOCUMENTS, type DocumentName, schemaOf } from '../../src/core/base/format/document.ts'
import { HEAD } from '../../src/core/base/format/shapes.ts'
import { SHAPES } from './shapes.ts'

/** A JSON Schema, as plain values. */
export type Schema = { readonly [key: string]: unknown }

export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as DocumentName[]

/** What each document is. */
const TITLES: Readonly<Record<DocumentName, string>> = {
  api: 'One answer of a node, and with --verify its proof',
  config: 'Where everything is kept',
  devnet: 'A rehearsal network that is ready',
  doctor: 'The node, piece by piece',
  error: 'What any command says that could not be carried out',
  event: 'One change of one alarm',
  genesis: 'Which chain it is',
  keys: 'A key, and what the chain knows of it',
  leave: 'What a request to leave would do',
  rehearse: 'How a rehearsal ended',
  report: 'What a forum may read of this computer',
  sign: 'A deposit that was signed',
  status: 'Where a validator stands',
  'test-alarm': 'Which channels took a test alarm',
  'topup-plan': 'What a top-up of a validator does',
  'topup-plan-deposits': 'What deposits alone say',
  'topup-plan-new-key': 'What a place costs for a key that is still to be made',
  verify: 'Whether the chain takes a deposit',
}

/** Returns the JSON Schema of a document, made from its shape in the program. */
export function schemaFor(name: DocumentName): Schema {
  const { properties } = SHAPES[name]
  const fields = { ...HEAD, schema: { const: schemaOf(name) }, ...properties }
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaOf(name),
    title: TITLES[name],
    type: 'object',
    required: Object.keys(fields),
    properties: fields,
  }
  return JSON.parse(JSON.stringify(schema)) as Schema
}

/** Returns a schema as the text of its file in `docs/json`. */
export function schemaText(schema: Schema): string {
  return `${JSON.stringify(schema, undefined, 1)}\n`
}

/**
 * What a change of a schema breaks for who reads by the old one, a line for each place; empty where every document of
 * the new one is a document of the old one.
 */
export function breaksOf(before: Schema, after: Schema, place = ''): string[] {
  const at = (name: string) => (place === '' ? name : `${place}.${name}`)
  const here = place === '' ? 'the document' : place
  const olds = choicesOf(before)
  const news = choicesOf(after)
  if (olds.length > 1 || news.length > 1) {
    const alone = news.filter((each) => !olds.some((old) => breaksOf(old, each, place).length === 0))
    return alone.map((each) => `${here} may now be ${brief(each)}`)
  }
  if (before.type === 'object' && after.type === 'object') {
    const [was, is] = [fieldsIn(before), fieldsIn(after)]
    return [
      ...Object.entries(was).flatMap(([name, old]) => {
        const now = is[name]
        return now === undefined ? [`${at(name)} is gone`] : breaksOf(old, now, at(name))
      }),
      ...(same(others(before), others(after)) ? [] : [`${here} may hold other fields`]),
    ]
  }
  if (before.type === 'array' && after.type === 'array')
    return breaksOf(before.items as Schema, after.items as Schema, `${place}[]`)
  const words = wordsIn(before)
  if (words !== undefined) {
    const more = (wordsIn(after) ?? [after]).filter((each) => !words.some((word) => same(word, each)))
    return more.map((each) => `${here} may now be ${brief(each)}`)
  }
  return Object.keys(rules(before)).length === 0 || same(rules(before), rules(after))
    ? []
    : [`${here} was ${brief(rules(before))} and is ${brief(rules(after))}`]
}

const choicesOf = (schema: Schema): readonly Schema[] => (schema.anyOf as Schema[] | undefined) ?? [schema]
const fieldsIn = (schema: Schema) => (schema.properties ?? {}) as Readonly<Record<string, Schema>>
const others = ({ patternProperties, additionalProperties }: Schema) => ({
  patternProperties,
  additionalProperties,
})

function wordsIn(schema: Schema): readonly unknown[] | undefined {
  if ('const' in schema) return schema.$id === undefined ? [schema.const] : undefined
  return schema.enum as readonly unknown[] | undefined
}

/** What a schema says to a person. */
const TOLD_ONLY = ['description', 'title', '$id', 'examples']

/** What a schema says that decides. */
function rules(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !TOLD_ONLY.includes(name)))
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const brief = (value: unknown) => JSON.stringify(value).slice(0, 120)

/**
 * Whether a schema may take the place of the one in `docs/json`: always where the version was raised. Throws an Error
 * that names each place which breaks its readers, and the version to raise to.
 */
export function requireCompatible(name: DocumentName, before: Schema, after: Schema): void {
  if (before.$id !== after.$id) return
  const breaks = breaksOf(before, after)
  if (breaks.length === 0) return
  const next = DOCUMENTS[name] + 1
  const head = `${schemaOf(name)} breaks who reads it. Raise '${name}' to ${next} in src/core/base/format/document.ts:`
  throw new Error([head, ...breaks.map((each) => `  ${each}`)].join('\n'))
}
