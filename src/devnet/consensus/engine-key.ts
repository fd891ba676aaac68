import { createHash } from 'node:crypto'
import { PublicKey } from '@chainsafe/blst'
import { type Hex, hexToBytes } from '../../core/format/hex.ts'

/** A validator's key as the engine shows it. */
export type EngineKey = {
  /** First 20 bytes of SHA-256 of the uncompressed key, upper-case hex without 0x. */
  address: string
  /** Base64 of the 96-byte uncompressed point. */
  uncompressedBase64: string
}

const known = new Map<Hex, EngineKey>()

/** The engine's form of a compressed public key. Throws when the 48 bytes are no public key. */
export function engineKey(pubkey: Hex): EngineKey {
  const found = known.get(pubkey)
  if (found !== undefined) return found
  const uncompressed = PublicKey.fromBytes(hexToBytes(pubkey)).toBytes(false)
  const made = engineKeyOfUncompressed(uncompressed)
  known.set(pubkey, made)
  return made
}

/** The engine's form of an uncompressed public key of 96 bytes. */
export function engineKeyOfUncompressed(uncompressed: Uint8Array): EngineKey {
  const digest = createHash('sha256').update(uncompressed).digest('hex')
  return {
    address: digest.slice(0, 40).toUpperCase(),
    uncompressedBase64: Buffer.from(uncompressed).toString('base64'),
  }
}
