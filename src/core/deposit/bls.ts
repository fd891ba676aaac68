import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type Hex, hexToBytes } from '../format/hex.ts'

export type BlsClaim = { pubkey: Hex; signature: Hex; message: Hex; tag: string }

/**
 * Whether a signature verifies under a domain tag (min-pk). False for every input that cannot be read. Points are
 * parsed by the curve library here; strict parsing comes before it, in `verifyDeposit`.
 */
export function blsVerifies(claim: BlsClaim): boolean {
  const curve = bls12_381.longSignatures
  try {
    const point = curve.hash(hexToBytes(claim.message), new TextEncoder().encode(claim.tag))
    const pubkey = bls12_381.G1.Point.fromBytes(hexToBytes(claim.pubkey))
    const signature = curve.Signature.fromBytes(hexToBytes(claim.signature))
    pubkey.assertValidity()
    signature.assertValidity()
    return curve.verify(signature, point, pubkey)
  } catch {
    return false
  }
}
