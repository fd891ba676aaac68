import { type Decoder, refuse } from '../format/decode.ts'

/** What a list is in a reply whose entries were read on the way: there, and empty. Throws a `FieldFault`. */
export const emptied: Decoder<undefined> = (value, path) =>
  Array.isArray(value) && value.length === 0 ? undefined : refuse(path, 'a list, once', value)
