import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'

const FOLDER = join(import.meta.dirname, '../../docs/json')

type Schema = { [key: string]: unknown }

/** A finding of a document. */
type Finding = {
  step: string
  id: string
  level: string
  value: string | null
  numbers: Readonly<Record<string, unknown>>
  words: { label: string; value: string; source: string; fix: string | null }
}

/** A document that its schema takes. */
export type Document = {
  [field: string]: unknown
  schema: string
  verdict: string
  findings?: readonly Finding[]
  words?: { sentence?: string; notes?: string[]; details?: string[]; next?: string[] }
  error?: { code: string; money: string; retryable: boolean }
}

/** The schemas of `docs/json`, by the names that documents give: `bearings.status/1`. */
export const SCHEMAS: ReadonlyMap<string, Schema> = new Map(
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const schema = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Schema
      if (!String(schema.$id).startsWith(`bearings.${basename(name, '.json')}/`))
        throw new Error(`${name} is the schema of ${String(schema.$id)}`)
      return [String(schema.$id), schema]
    }),
)

const checker = new Ajv2020({ strict: true, strictTypes: false, allErrors: true })
const checks = new Map(
  [...SCHEMAS].map(([name, schema]) => [name, checker.compile({ ...closed(schema), $id: `${name}/closed` })]),
)

/** A schema that takes no field beside those that it names: a document may only hold what is described. */
function closed(schema: Schema): Schema {
  const inner = Object.entries(schema).map(([key, value]) => [key, closedPart(value)])
  const isRecord = schema.type === 'object' && schema.properties !== undefined
  return { ...Object.fromEntries(inner), ...(isRecord ? { additionalProperties: false } : {}) }
}

function closedPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closedPart)
  return typeof value === 'object' && value !== null ? closed(value as Schema) : value
}

/** Reads one line of JSON as a document. Throws an Error where its schema, taken to the letter, refuses it. */
export function readDocument(text: string): Document {
  const document = JSON.parse(text) as Document
  const faults = faultsOf(document)
  if (faults.length > 0)
    throw new Error([`${document.schema} is not as its schema has it:`, ...faults].join('\n'))
  return document
}

/** What the schema of a document refuses of it; empty where it takes it. */
export function faultsOf(document: Document): string[] {
  const check = checks.get(document.schema)
  if (check === undefined) return [`no schema is called ${document.schema}`]
  check(document)
  return (check.errors ?? []).map(
    ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
