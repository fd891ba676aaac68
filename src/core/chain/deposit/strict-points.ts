import { PublicKey, Signature } from '@chainsafe/blst'
import { hexToBytes } from '../../base/format/hex.ts'

/** Why a strict reader refuses an encoded point; undefined when it takes it. */
export type PointProblem = 'encoding' | 'not-on-curve' | 'not-in-subgroup' | 'infinity'

/**
 * Whether 48 bytes are a public key as the node reads it: canonical compressed encoding, on the curve, in the
 * subgroup, not infinity (IETF BLS draft, KeyValidate). No signature is checked here.
 */
export function publicKeyProblem(pubkey: string): PointProblem | undefined {
  return problemOf(() => PublicKey.fromBytes(hexToBytes(pubkey), true))
}

/** Whether 96 bytes are a signature as the node reads it: canonical, on the curve, in the subgroup, not infinity. */
export function signatureProblem(signature: string): PointProblem | undefined {
  return problemOf(() => Signature.fromBytes(hexToBytes(signature), true, true))
}

function problemOf(read: () => unknown): PointProblem | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return named(error instanceof Error ? error.message : '')
  }
}

function named(message: string): PointProblem {
  if (/infinity/i.test(message)) return 'infinity'
  if (/not in group/i.test(message)) return 'not-in-subgroup'
  if (/not on curve/i.test(message)) return 'not-on-curve'
  return 'encoding'
}
