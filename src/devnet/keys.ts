import { createHash } from 'node:crypto'
import { SecretKey } from '@chainsafe/blst'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { privateKeyToAddress } from 'viem/accounts'
import { bytesToHex, type Hex } from '../core/base/format/hex.ts'
import { engineKeyOfUncompressed } from './consensus/engine.ts'

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

const curve = bls12_381.longSignatures
const { Fr } = bls12_381.fields
/** Of the hash to G2 with which the engine signs. */
const VOTE_TAG = new TextEncoder().encode('BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_')

/** Signs one message for all `keys` (96 bytes each, base64). Returns the aggregate signature, 96 bytes in base64. */
export type SignVotes = (votes: { keys: readonly string[]; message: Uint8Array }) => string

/**
 * Signs once with the sum of the secrets (32 bytes each, base64) modulo the curve order: the same point as the sum of
 * all signatures, in the time of one. Returns 96 bytes in base64. Throws where there is no secret.
 */
export function signWithSecrets(secrets: readonly string[], message: Uint8Array): string {
  const sum = secrets.reduce(
    (total, secret) => Fr.add(total, Fr.fromBytes(Buffer.from(secret, 'base64'))),
    0n,
  )
  const signature = curve.sign(curve.hash(message, VOTE_TAG), Fr.toBytes(sum))
  return Buffer.from(curve.Signature.toBytes(signature)).toString('base64')
}
