import { safeText } from './text.ts'

/**
 * Every JSON document that this program prints or sends, with its version. A version is raised when whoever reads the
 * document would be broken: a field that goes, is renamed, or says something else (`docs/json.md`).
 */
export const DOCUMENTS = {
  api: 1,
  config: 1,
  devnet: 1,
  doctor: 1,
  error: 1,
  event: 1,
  genesis: 1,
  keys: 1,
  leave: 1,
  rehearse: 1,
  report: 3,
  sign: 1,
  status: 1,
  'test-alarm': 1,
  'topup-plan': 1,
  'topup-plan-deposits': 1,
  'topup-plan-new-key': 1,
  verify: 1,
} as const

export type DocumentName = keyof typeof DOCUMENTS

/** What a document says in one word: the exit codes 0, 1, 3, 2 and 4 of a command, in this order. */
export const VERDICTS = ['yes', 'no', 'unknown', 'wrong-use', 'stopped'] as const

export type DocumentVerdict = (typeof VERDICTS)[number]

/** What stands at the beginning of every document. `network` is null where it is about none; `atMs` Unix milliseconds. */
export type DocumentHead = {
  document: DocumentName
  command: string | null
  network: string | null
  verdict: DocumentVerdict
  atMs: number
}

/** Returns the name and version of a document, as its field `schema` has it: `bearings.status/1`. */
export function schemaOf(name: DocumentName): string {
  return `bearings.${name}/${DOCUMENTS[name]}`
}

/** Returns a document as plain JSON values: its head, then its own fields, each written as `encoded` does. */
export function documentOf(
  { document, command, network, verdict, atMs }: DocumentHead,
  fields: object,
): Record<string, unknown> {
  const head = { schema: schemaOf(document), command, network, verdict, at: isoTime(atMs) }
  return encoded({ ...head, ...fields }) as Record<string, unknown>
}

/** Formats Unix milliseconds in ISO 8601, UTC. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}

const LONGEST_TEXT = 1_000_000
/** An epoch that never comes. */
const NEVER = 2n ** 64n - 1n
const IS_EPOCH = /epoch$/i
/** Numbers of the chain, which pass what a JSON number holds exactly. */
const IS_PLACE = /(?:slot|epoch|index|indexes|block|blockNumber|height)$/i

/**
 * A value as plain JSON: numbers of the chain as decimal text by the name of their field, an epoch that never comes as
 * `never`, what is not there as null, bytes as 0x hex, and every text of a stranger without control, direction or
 * invisible characters.
 */
export function encoded(value: unknown, name = ''): unknown {
  if (value === undefined || value === null) return null
  if (typeof value === 'bigint') return value === NEVER && IS_EPOCH.test(name) ? 'never' : value.toString()
  if (typeof value === 'number') return IS_PLACE.test(name) ? String(value) : value
  if (typeof value === 'string') return safeText(value, LONGEST_TEXT)
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  if (value instanceof AsGiven) return asItCame(value.value)
  if (Array.isArray(value)) return value.map((each) => encoded(each, name))
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [safeText(key, LONGEST_TEXT), encoded(each, key)]),
  )
}

/** A value as JSON text for a terminal or a pipe, written as in a document; see `encoded`. */
export function printable(value: unknown, options: { indent?: number } = {}): string {
  return JSON.stringify(encoded(value), undefined, options.indent)
}

/** A value whose names are somebody else's: nothing follows from them. */
class AsGiven {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** Marks a reply that nobody here has read: it is written as it came, its texts safe to draw. */
export const asGiven = (value: unknown): unknown => new AsGiven(value)

function asItCame(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value, LONGEST_TEXT)
  if (Array.isArray(value)) return value.map(asItCame)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? value.toString() : value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [safeText(key, LONGEST_TEXT), asItCame(each)]),
  )
}
