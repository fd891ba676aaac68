import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type Hex, hexToBytes, isHex } from '../format/hex.ts'
import type { SignedDeposit } from './credentials.ts'
import { type PointProblem, publicKeyProblem, signatureProblem } from './precompile-points.ts'
import { BLS_DOMAIN_TAG, signingRoot } from './sign.ts'

type RefusalReason =
  | 'malformed-field'
  | 'amount-out-of-range'
  | `pubkey-${PointProblem}`
  | `signature-${PointProblem}`
  | 'signature-does-not-verify'

export type DepositVerdict =
  | { verdict: 'accepted' }
  | { verdict: 'refused'; reason: RefusalReason; words: string }

const BYTE_LENGTHS = {
  pubkey: 48,
  withdrawalCredentials: 32,
  signature: 96,
  genesisForkVersion: 4,
  genesisValidatorsRoot: 32,
} as const

const MAX_UINT64 = 2n ** 64n - 1n

const POINT_WORDS: Record<PointProblem, string> = {
  encoding: 'is not written in the one form that the chain reads',
  'not-on-curve': 'is not a point of the curve: it was altered or cut',
  'not-in-subgroup': 'is not in the right subgroup of the curve: it was altered',
  infinity: 'is the point at infinity, which nobody may use',
}

/**
 * Whether the chain will take this first deposit's signature. Two libraries must both say yes: a strict reader of
 * the two points and a pairing over the signing root under the NUL tag (#1, #2, #5, #12).
 * Never throws; anything unreadable is refused. Whether the credentials can be paid out is not asked here.
 */
export function verifyDeposit(deposit: SignedDeposit): DepositVerdict {
  return shapeRefusal(deposit) ?? pointRefusal(deposit) ?? pairingVerdict(deposit)
}

function shapeRefusal(deposit: SignedDeposit): DepositVerdict | undefined {
  for (const [field, length] of Object.entries(BYTE_LENGTHS)) {
    const value = deposit[field as keyof typeof BYTE_LENGTHS]
    if (!isHex(value, length))
      return refused('malformed-field', `The ${field} is not ${length} bytes of hex.`)
  }
  const { amountGwei } = deposit
  if (amountGwei >= 0n && amountGwei <= MAX_UINT64) return undefined
  return refused('amount-out-of-range', 'The amount does not fit the 64 bits that the chain has for it.')
}

function pointRefusal(deposit: SignedDeposit): DepositVerdict | undefined {
  const pubkey = publicKeyProblem(deposit.pubkey)
  if (pubkey !== undefined) return refused(`pubkey-${pubkey}`, `The public key ${POINT_WORDS[pubkey]}.`)
  const signature = signatureProblem(deposit.signature)
  if (signature === undefined) return undefined
  return refused(`signature-${signature}`, `The signature ${POINT_WORDS[signature]}.`)
}

/** Claims that were found to verify: the same deposit is asked about at every gate, and each pairing takes 20 ms. */
const accepted = new Set<string>()
const MOST_REMEMBERED = 16

function pairingVerdict(deposit: SignedDeposit): DepositVerdict {
  const { pubkey, signature } = deposit
  const claim = { pubkey, signature, message: signingRoot(deposit, deposit), tag: BLS_DOMAIN_TAG }
  const name = JSON.stringify(claim).toLowerCase()
  if (accepted.has(name) || blsVerifies(claim)) {
    if (accepted.size === MOST_REMEMBERED) accepted.clear()
    accepted.add(name)
    return { verdict: 'accepted' }
  }
  return refused(
    'signature-does-not-verify',
    'The signature is not of this key over this amount, these credentials and this network.',
  )
}

function refused(reason: RefusalReason, words: string): DepositVerdict {
  return { verdict: 'refused', reason, words }
}

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
