import { createHash } from 'node:crypto'
import { SecretKey } from '@chainsafe/blst'
import { privateKeyToAddress } from 'viem/accounts'
import { bytesToHex, type Hex } from '../core/base/format/hex.ts'
import { engineKeyOfUncompressed } from './consensus/engine-set.ts'

/** A validator key of the rehearsal network, in the forms that files and chains want. Worth nothing. */
export type RehearsalValidatorKey = {
  /** Compressed, 48 bytes. */
  pubkey: Hex
  address: string
  uncompressedBase64: string
  secretBase64: string
}

/** An account of the execution layer with play money. */
export type RehearsalAccount = { address: Hex; privateKey: Hex }

/** Bytes that depend on the seed and on what they are for, and on nothing else. */
export function seededBytes(seed: string, purpose: string): Uint8Array {
  return createHash('sha256').update(`bearings rehearsal/${seed}/${purpose}`).digest()
}

/** Returns the validator key of a seed and a purpose; always the same one. */
export function validatorKey(seed: string, purpose: string): RehearsalValidatorKey {
  const secret = SecretKey.fromKeygen(seededBytes(seed, `validator/${purpose}`))
  const point = secret.toPublicKey()
  return {
    pubkey: bytesToHex(point.toBytes(true)),
    secretBase64: Buffer.from(secret.toBytes()).toString('base64'),
    ...engineKeyOfUncompressed(point.toBytes(false)),
  }
}

/** Returns the account of a seed and a purpose; always the same one. */
export function account(seed: string, purpose: string): RehearsalAccount {
  const privateKey = bytesToHex(seededBytes(seed, `account/${purpose}`))
  return { privateKey, address: privateKeyToAddress(privateKey).toLowerCase() as Hex }
}

/** Letters and digits that nobody takes for one another on paper. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A password that can be written down and typed: three times four characters, about 59 bits. Worth nothing. */
export function seededPassword(seed: string): string {
  const letters = [...seededBytes(seed, 'password')]
    .slice(0, 12)
    .map((byte) => LETTERS[byte % LETTERS.length])
  return [0, 4, 8].map((from) => letters.slice(from, from + 4).join('')).join('-')
}
