import { PublicKey } from '@chainsafe/blst'
import { ClientError } from '../../base/errors/client.ts'
import { homeError } from '../../base/errors/home.ts'
import { bytesToHex, type Hex, hexToBytes, sameHex, strictBase64 } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'

const KEY_FORM = 'base64 of an uncompressed BLS12-381 key'

/**
 * The compressed 48-byte form (as the beacon API and the contract have it) of a public key that the engine gives
 * as base64 of 96 uncompressed bytes. Throws `key-file.bad-field` when it is no valid key.
 */
export function compressedKey(uncompressedBase64: string): Hex {
  const compressed = compressedOf(uncompressedBase64)
  if (compressed === undefined) throw refused(uncompressedBase64, KEY_FORM)
  return compressed
}

/** Returns the same of the key that an engine says it runs with. Throws a `ClientError` when that is no valid key. */
export function keyOfEngine(uncompressedBase64: string, { label: endpoint }: { label: string }): Hex {
  const compressed = compressedOf(uncompressedBase64)
  if (compressed !== undefined) return compressed
  const details = [
    'field: result.validator_info.pub_key',
    `found: ${safeText(uncompressedBase64)}`,
    `expected: ${KEY_FORM}`,
  ]
  throw new ClientError('malformed', { service: 'engine RPC', endpoint, what: 'status', details })
}

/**
 * Whether an engine that runs with the public key `runs` runs with this one; undefined where there is none to compare with.
 */
export function runsWithKey(runs: Hex, key: { pubkey: Hex } | undefined): boolean | undefined {
  return key === undefined ? undefined : sameHex(runs, key.pubkey)
}

/**
 * Returns the base64 of the uncompressed 96-byte form, as the engine's `/status` and `/validators` give it, of a
 * compressed public key. Throws `key-file.bad-field` when it is no valid key.
 */
export function engineKey(compressed: Hex): string {
  const uncompressed = convert(hexToBytes(compressed), false)
  if (uncompressed === undefined) throw refused(compressed, '48 bytes of a compressed BLS12-381 key')
  return Buffer.from(hexToBytes(uncompressed)).toString('base64')
}

function compressedOf(uncompressedBase64: string): Hex | undefined {
  const bytes = strictBase64(uncompressedBase64, 96)
  return bytes && convert(bytes, true)
}

function convert(bytes: Uint8Array, compress: boolean): Hex | undefined {
  try {
    return bytesToHex(PublicKey.fromBytes(bytes, true).toBytes(compress))
  } catch {
    return undefined
  }
}

function refused(found: string, expected: string): Error {
  return homeError('key-file.bad-field', { field: 'public key', found: safeText(found), expected })
}
