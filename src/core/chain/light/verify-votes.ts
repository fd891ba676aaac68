import { aggregatePublicKeys, PublicKey } from '@chainsafe/blst'
import { bytesToHex } from '../../base/format/hex.ts'
import { BLS_DOMAIN_TAG } from '../deposit/sign.ts'
import { signatureProblem } from '../deposit/strict-points.ts'
import { blsVerifies } from '../deposit/verify.ts'
import type { VerifyVotes } from './light-client.ts'

/**
 * Verifies an aggregated vote (IETF BLS draft, FastAggregateVerify, min-pk, NUL tag): strict points by one library,
 * the pairing by the other. Returns false for anything that can't be read. Takes some 30 ms.
 */
export const verifyVotes: VerifyVotes = ({ keys, message, signature }) => {
  const signatureHex = bytesToHex(Buffer.from(signature, 'base64'))
  if (signatureProblem(signatureHex) !== undefined) return false
  const pubkey = aggregateKeys(keys)
  if (pubkey === undefined) return false
  return blsVerifies({ pubkey, signature: signatureHex, message: bytesToHex(message), tag: BLS_DOMAIN_TAG })
}

function aggregateKeys(keys: readonly string[]) {
  try {
    const points = keys.map((key) => PublicKey.fromBytes(Buffer.from(key, 'base64'), true))
    return bytesToHex(aggregatePublicKeys(points).toBytes(true))
  } catch {
    return undefined
  }
}
