import { safeText } from '../core/format/text.ts'

const LONGEST_TEXT = 1_000_000

/**
 * A value as JSON text for a terminal or a pipe: bigints as decimal text, bytes as 0x hex, absent fields left out, and
 * every text of a stranger without control, direction or invisible characters.
 */
export function printable(value: unknown, options: { indent?: number } = {}): string {
  return JSON.stringify(value, replacer, options.indent) ?? 'null'
}

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  return typeof value === 'string' ? safeText(value, LONGEST_TEXT) : value
}
