import { bls12_381 } from '@noble/curves/bls12-381.js'
import { hexToBytes } from '../../base/format/hex.ts'
import { type ReadPoint, readG1, readG2 } from './plain-points.ts'
import type { PointProblem } from './strict-points.ts'

/**
 * The same as `strict-points.ts` says, without native code, for programs that have none: the encoding and the curve in plain
 * code, which is as strict as the node's reader, the subgroup by the curve library.
 */
export function purePublicKeyProblem(pubkey: string): PointProblem | undefined {
  return problemOf(pubkey, readG1, (bytes) => bls12_381.G1.Point.fromBytes(bytes))
}

/** Whether 96 bytes are a signature as the node reads it; see `purePublicKeyProblem`. */
export function pureSignatureProblem(signature: string): PointProblem | undefined {
  return problemOf(signature, readG2, (bytes) => bls12_381.G2.Point.fromBytes(bytes))
}

function problemOf(
  text: string,
  read: (bytes: Uint8Array) => ReadPoint,
  place: (bytes: Uint8Array) => { assertValidity(): void },
): PointProblem | undefined {
  const bytes = bytesOf(text)
  const found: ReadPoint = bytes === undefined ? { problem: 'encoding' } : read(bytes)
  if ('problem' in found || bytes === undefined) return 'problem' in found ? found.problem : 'encoding'
  try {
    // Whatever it refuses now is refused for its subgroup: a point of the curve, written in the one form there is.
    place(bytes).assertValidity()
    return undefined
  } catch {
    return 'not-in-subgroup'
  }
}

function bytesOf(text: string): Uint8Array | undefined {
  try {
    return hexToBytes(text)
  } catch {
    return undefined
  }
}
