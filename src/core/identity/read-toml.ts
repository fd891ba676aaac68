import { parse } from 'smol-toml'
import { homeField, homeUnreadable } from '../errors/home.ts'
import { type Decoder, decodeWhole, FieldFault, refuse } from '../format/decode.ts'
import { safeText } from '../format/text.ts'

/** Where a text comes from: the home, and the file relative to it. */
export type HomeFile = { home: string; file: string; text: string }

/** Reads a TOML file of a node home; throws a `HomeError` that names the file and the field. */
export function readToml<T>({ home, file, text }: HomeFile, decode: Decoder<T>): T {
  try {
    return decodeWhole(decode, parseToml({ home, file, text }))
  } catch (fault) {
    if (fault instanceof FieldFault) throw homeField(home, file, fault)
    throw fault
  }
}

function parseToml({ home, file, text }: HomeFile): unknown {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (fault) {
    const [line] = String(fault instanceof Error ? fault.message : fault).split('\n')
    throw homeUnreadable(home, file, safeText(line ?? ''))
  }
}

/** True or false, bare or as a text: the node's own files have both. */
export const flag: Decoder<boolean> = (value, path) => {
  const text = String(value)
  return text === 'true' || text === 'false' ? text === 'true' : refuse(path, 'true or false', value)
}

/** A whole number, bare or as a text. */
export const count: Decoder<bigint> = (value, path) => {
  const text = String(value)
  return /^\d{1,19}$/.test(text) ? BigInt(text) : refuse(path, 'a whole number', value)
}
