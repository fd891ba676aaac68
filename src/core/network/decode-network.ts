import { networkField } from '../errors/network.ts'
import { type Decoder, decodeWhole, FieldFault, refuse, uint } from '../format/decode.ts'

/**
 * Reads a description of a network and turns the first odd field into a `NetworkError` that names it.
 * `source` is the file as people call it, e.g. `spec.toml`.
 */
export function decodeNetwork<T>(source: string, decode: Decoder<T>, value: unknown): T {
  try {
    return decodeWhole(decode, value)
  } catch (fault) {
    if (fault instanceof FieldFault) throw networkField(source, fault)
    throw fault
  }
}

/** A whole number above zero, bare or as decimal text. */
export const positive: Decoder<bigint> = (value, path) => {
  const read = wholeNumber(value, path)
  return read > 0n ? read : refuse(path, 'a whole number above zero', value)
}

/** A whole number, bare or as decimal text (JSON files may quote numbers beyond 2^53). */
export const wholeNumber: Decoder<bigint> = (value, path) => {
  const quoted = typeof value === 'string' && /^(?:0|[1-9]\d{0,19})$/.test(value)
  return uint(quoted ? BigInt(value) : value, path)
}

/** A whole number above zero and below 2^53, as a number. */
export const positiveIndex: Decoder<number> = (value, path) => {
  const read = positive(value, path)
  return read <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(read) : refuse(path, 'a number below 2^53', value)
}
