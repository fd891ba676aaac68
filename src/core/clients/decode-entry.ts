import { type Decoder, FieldFault } from '../format/decode.ts'

/**
 * Decodes one entry of a long list. Where it stands is only spelt out once something is wrong with it: a million
 * names that nobody reads would be most of the work. Throws a `FieldFault`.
 */
export function decodeEntry<T>(decode: Decoder<T>, entry: unknown, place: { list: string; at: number }): T {
  try {
    return decode(entry, '')
  } catch (thrown) {
    if (!(thrown instanceof FieldFault)) throw thrown
    return decode(entry, `${place.list}[${place.at}]`)
  }
}
