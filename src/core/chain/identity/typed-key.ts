import { createHash } from 'node:crypto'
import { BaseError } from '../../base/errors/base.ts'
import { invisibleFault } from '../../base/format/drawable.ts'
import { bytesToHex, type Hex, isHex, strictBase64, ungroupHex } from '../../base/format/hex.ts'
import { isPublishedPubkey } from './check-address.ts'
import { compressedKey, engineKey } from './engine-key.ts'

/** What is known of a validator key whose private half is on another machine. */
export type TypedKey = {
  /** Compressed, 48 bytes. */
  pubkey: Hex
  /** Uncompressed, 96 bytes. */
  uncompressedPubkey: Hex
  /** Engine address: 20 bytes of upper-case hex without 0x. */
  address: string
  /** True for keys whose private half stands in a public place. */
  publishedKey: boolean
}

/** Why a text is refused that has not the form of a key. */
export const NO_FORM =
  'Type 0x and 96 characters 0–9 a–f, or the 128 characters of base64 that the engine writes.'
/** The same of one that has the form alone. */
export const NO_KEY = 'This is no public key: a character is wrong, or missing.'

/**
 * A public key as a person types it: 48 compressed bytes of 0x hex, or the engine's base64 of 96 uncompressed bytes.
 * It must be a valid key in the one form that the node reads. Resolves to words where it is not;
 * does not throw.
 */
export function readTypedKey(typed: string): { key: TypedKey } | { error: string } {
  const text = ungroupHex(typed)
  const unseen = invisibleFault(text)
  if (unseen !== undefined) return { error: unseen }
  const isCompressed = isHex(text, 48)
  if (!isCompressed && strictBase64(text, 96) === undefined) return { error: NO_FORM }
  try {
    const pubkey = isCompressed ? (text.toLowerCase() as Hex) : compressedKey(text)
    const point = Buffer.from(engineKey(pubkey), 'base64')
    const address = createHash('sha256').update(point).digest('hex').slice(0, 40).toUpperCase()
    const uncompressedPubkey = bytesToHex(point)
    return { key: { pubkey, uncompressedPubkey, address, publishedKey: isPublishedPubkey(pubkey) } }
  } catch (thrown) {
    if (thrown instanceof BaseError) return { error: NO_KEY }
    throw thrown
  }
}
