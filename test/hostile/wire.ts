/** A whole reply of HTTP. */
export type Reply = { status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }

/** What an asker gets on the wire. */
export type Wire =
  | ({ as: 'reply' } & Reply)
  /** A good beginning, then one blank a second, for ever. */
  | { as: 'drip' }
  /** A reply that breaks off in the middle. */
  | ({ as: 'cut' } & Reply)
  /** Blanks without end. */
  | { as: 'flood' }
  /** The question is taken, and that is all. */
  | { as: 'silence' }
  /** The connection ends before a byte is answered. */
  | { as: 'hang up' }
  /** Something that is no HTTP. */
  | { as: 'bytes'; bytes: Uint8Array }

const JSON_HEADERS = { 'content-type': 'application/json' }

export const textReply = (
  text: string | Uint8Array,
  status = 200,
  headers: Reply['headers'] = JSON_HEADERS,
): Wire => ({ as: 'reply', status, headers, body: typeof text === 'string' ? Buffer.from(text) : text })

export const jsonWire = (value: unknown, status = 200): Wire => textReply(JSON.stringify(value), status)

export const isWire = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && typeof (value as { as?: unknown }).as === 'string'

export const textOf = ({ body }: Pick<Reply, 'body'>): string => Buffer.from(body).toString('utf8')
