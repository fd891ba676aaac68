import { type Decoder, decimal, record, refuse, text } from '../../format/decode.ts'

/** A public key as the engine writes it: its type, and base64 (96 uncompressed bytes for BLS12-381). */
export type EngineKey = { type: string; value: string }

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const base64: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.length <= 400 && BASE64.test(value)
    ? value
    : refuse(path, 'base64', value)

export const engineKeyField: Decoder<EngineKey> = record({ type: text, value: base64 })

/** 20 bytes in upper-case hex without 0x. */
export const engineAddress: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^[0-9A-F]{40}$/.test(value)
    ? value
    : refuse(path, '20 bytes of upper-case hex', value)

/** 32 bytes in upper-case hex without 0x. */
export const engineHash: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^[0-9A-F]{64}$/.test(value)
    ? value
    : refuse(path, '32 bytes of upper-case hex', value)

/** A time in RFC 3339 with up to nanoseconds, as Unix milliseconds. */
export const engineTimeMs: Decoder<number> = (value, path) => {
  const ms = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? refuse(path, 'a time such as 2026-01-02T03:04:05.678Z', value) : ms
}

/** A height: a decimal text, as a bigint. */
export const height = decimal
