import { bls12_381 } from '@noble/curves/bls12-381.js'

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
