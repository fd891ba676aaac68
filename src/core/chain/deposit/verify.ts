import { bls12_381 } from '@noble/curves/bls12-381.js'
import { type Hex, hexToBytes, isHex } from '../../base/format/hex.ts'
import type { SignedDeposit } from './credentials.ts'
import { BLS_DOMAIN_TAG, signingRoot } from './sign.ts'
import { type PointProblem, publicKeyProblem, signatureProblem } from './strict-points.ts'

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
 * the two points and a pairing over the signing root under the NUL tag.
 * Never throws; anything unreadable is refused. Whether the credentials can be paid out is not asked here.
 */
export function verifyDeposit(deposit: SignedDeposit): DepositVerdict {
  return verifyTogether([deposit])
}

/**
 * The same for several deposits at once, in little more time than for one: the first refusal, or that all are accepted.
 * Their signatures are added up, so two wrong ones could make up for each other: for deposits that nobody else chose.
 */
export function verifyTogether(deposits: readonly SignedDeposit[]): DepositVerdict {
  for (const deposit of deposits) {
    const refusal = shapeRefusal(deposit)
    if (refusal !== undefined) return refusal
  }
  const claims = claimsOf(deposits)
  if (accepted.has(claimsKey(claims))) return { verdict: 'accepted' }
  for (const deposit of deposits) {
    const refusal = pointRefusal(deposit)
    if (refusal !== undefined) return refusal
  }
  return pairingVerdict(claims)
}

/**
 * Whether a deposit verifies beside others that are constants of this program and do: then the product of pairings of all
 * of them is one. Each side is remembered as accepted then. False says nothing about either side.
 */
export function verifyBeside(deposit: SignedDeposit, known: readonly SignedDeposit[]): boolean {
  if (verifyTogether([...known, deposit]).verdict !== 'accepted') return false
  for (const side of [known, [deposit]]) remember(claimsOf(side))
  return true
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

function pairingVerdict(claims: readonly BlsClaim[]): DepositVerdict {
  if (allVerify(claims)) {
    remember(claims)
    return { verdict: 'accepted' }
  }
  return refused(
    'signature-does-not-verify',
    'The signature is not of this key over this amount, these credentials and this network.',
  )
}

function claimsOf(deposits: readonly SignedDeposit[]): BlsClaim[] {
  return deposits.map((deposit) => {
    const { pubkey, signature } = deposit
    return { pubkey, signature, message: signingRoot(deposit, deposit), tag: BLS_DOMAIN_TAG }
  })
}

function claimsKey(claims: readonly BlsClaim[]): string {
  return JSON.stringify(claims).toLowerCase()
}

function remember(claims: readonly BlsClaim[]): void {
  if (accepted.size === MOST_REMEMBERED) accepted.clear()
  accepted.add(claimsKey(claims))
}

function refused(reason: RefusalReason, words: string): DepositVerdict {
  return { verdict: 'refused', reason, words }
}

export type BlsClaim = { pubkey: Hex; signature: Hex; message: Hex; tag: string }

const curve = bls12_381.longSignatures
const { Fp12 } = bls12_381.fields
const { calcPairingPrecomputes: linesTo } = bls12_381.utils
type Pair = Parameters<typeof bls12_381.millerLoopBatch>[0][number]

const minusGenerator = bls12_381.G1.Point.BASE.negate().toAffine()

/**
 * The same key, signature and message are asked about together with others: none of them is read twice. Reading checks
 * that a point is on the curve and in the subgroup, and so does the hash; `finite` that it is not infinity.
 */
const publicKeyOf = remembering((pubkey) =>
  finite(bls12_381.G1.Point.fromBytes(hexToBytes(pubkey))).toAffine(),
)
const signatureOf = remembering((signature) => finite(curve.Signature.fromBytes(hexToBytes(signature))))
const messageOf = remembering((message, tag) =>
  linesTo(finite(curve.hash(hexToBytes(message), new TextEncoder().encode(tag)))),
)

/**
 * Whether a signature verifies under a domain tag (min-pk). False for every input that cannot be read. Points are
 * parsed by the curve library here; strict parsing comes before it, in `verifyDeposit`.
 */
export function blsVerifies(claim: BlsClaim): boolean {
  return allVerify([claim])
}

/**
 * Whether e(P₁, H₁) · e(P₂, H₂) · … = e(G, S₁ + S₂ + …), as one product of pairings (IETF BLS draft, CoreAggregateVerify).
 * None at all do not verify, and neither does infinity.
 */
function allVerify(claims: readonly BlsClaim[]): boolean {
  try {
    const pairs = claims.map(({ pubkey, message, tag }): Pair => {
      const { x, y } = publicKeyOf(pubkey, '')
      return [messageOf(message, tag), x, y]
    })
    const [signature, ...more] = claims.map((claim) => signatureOf(claim.signature, ''))
    if (signature === undefined) return false
    // A sum of points of the subgroup is one too.
    const sum = finite(more.reduce((all, each) => all.add(each), signature))
    const { x, y } = minusGenerator
    const loops = bls12_381.millerLoopBatch([...pairs, [linesTo(sum), x, y]])
    return Fp12.eql(Fp12.finalExponentiate(loops), Fp12.ONE)
  } catch {
    return false
  }
}

/** The same point; throws a RangeError at infinity, of which the pairing of any two is one. */
function finite<Point extends { is0: () => boolean }>(point: Point): Point {
  if (point.is0()) throw new RangeError('a point at infinity')
  return point
}

/** Remembers the last few of what takes long to read. What throws is not remembered. */
function remembering<Read>(read: (text: Hex, tag: string) => Read): (text: Hex, tag: string) => Read {
  const known = new Map<string, Read>()
  return (text, tag) => {
    const name = `${text.toLowerCase()} ${tag}`
    const made = known.get(name) ?? read(text, tag)
    if (known.size === MOST_REMEMBERED) known.clear()
    known.set(name, made)
    return made
  }
}
