import { strictBase64 } from '../../base/format/hex.ts'
import { type BeaconBlock, readBeaconBlock } from './beacon-block.ts'
import {
  type BlockId,
  type EngineHeader,
  type EngineValidator,
  encodeVote,
  engineAddressOf,
  hashHeader,
  hashSet,
  hashTransactions,
} from './encode.ts'

/** What one member did with a block: its flag (CometBFT `BlockIDFlag`) and the signature that it carries, in base64. */
export type CommitSignature = { flag: number; address: string; signature: string | undefined }

/** The signatures of a block. */
type Commit = {
  height: bigint
  round: number
  blockId: BlockId
  /** Of each member of the set, in its order. */
  signatures: readonly CommitSignature[]
}

/** A header with the signatures of its block, as any endpoint claims them. */
export type SignedHeader = { header: EngineHeader; commit: Commit }

/** The values of `BlockIDFlag` that are votes for the block. */
export const VOTE_FLAGS = { single: 2, holdsAggregate: 4, inAggregate: 5 } as const
/** A member that voted for no block, or not at all. */
const OTHER_FLAGS = { absent: 1, singleForNil: 3, holdsAggregateForNil: 6, inAggregateForNil: 7 } as const

/** A header that is trusted, with the set that signed it and the hash of the set of the next block. */
export type TrustedHeader = {
  height: bigint
  /** Hash of the header, upper-case hex. */
  hash: string
  time: EngineHeader['time']
  set: readonly EngineValidator[]
  nextSetHash: string
}

/** How much of the voting power of a set signed a block. */
export type SignedShare = { signed: bigint; total: bigint }

/** Returns a share in whole percent, rounded down. */
export const percentOf = ({ signed, total }: SignedShare): number => Number((100n * signed) / total)

/** Why a claimed header doesn't count. */
export type LightFault =
  | 'other-chain'
  | 'malformed'
  | 'other-height'
  | 'header-hash'
  | 'set-hash'
  | 'not-next-set'
  | 'too-little-power'
  | 'signature'
  | 'data-hash'
  | 'beacon-block'

/** Says each `LightFault` in words, after the name of an endpoint and a colon. */
export const LIGHT_FAULT_WORDS: Readonly<Record<LightFault, string>> = {
  'other-chain': 'the header is of another chain',
  malformed: 'the header or its signatures are malformed',
  'other-height': 'the header is of another height than was asked for',
  'header-hash': 'the header doesn’t hash to what was signed',
  'set-hash': 'the validator set doesn’t hash to what the header names',
  'not-next-set': 'the validator set isn’t the one that the block before names',
  'too-little-power': 'no more than two thirds of the set signed',
  signature: 'the set’s signature doesn’t verify',
  'data-hash': 'the transactions don’t hash to what the header names',
  'beacon-block': 'the beacon block has an unknown layout or another height',
}

/**
 * Decides whether `signature` (96 bytes, base64) of all `keys` (96 bytes each, base64) over one message verifies.
 * Must be strict: canonical points of the right subgroup, none at infinity, the NUL domain tag.
 */
export type VerifyVotes = (claim: {
  keys: readonly string[]
  message: Uint8Array
  signature: string
}) => boolean

type LightRules = { chainId: string; verifyVotes: VerifyVotes }

/** What became of a step: trusted now, too far for one step, or false. */
export type Step =
  | { is: 'trusted'; trusted: TrustedHeader; share: SignedShare }
  | { is: 'too-far' }
  | { is: 'fault'; fault: LightFault }

/**
 * Decides whether a claimed header follows from a trusted one. Within one set more than two thirds of its power must
 * have signed. The next block may have the set that the trusted header names. Over any other change, each signer must
 * be a member of the trusted set, and they must hold more than two thirds of the power of both sets; otherwise the
 * step is `too-far`, and a header between the two is needed.
 *
 * Signers that the trusted set doesn't hold never count: keys that nobody has vouched for can be made to cancel others
 * out in an aggregate, so a third of the old power, as in CometBFT's light client, wouldn't be proof here.
 */
export function stepTo(
  trusted: TrustedHeader,
  claim: { signed: SignedHeader; set: readonly EngineValidator[] },
  rules: LightRules,
): Step {
  const { signed, set } = claim
  const { header } = signed
  const malformed = checkShape(claim, rules)
  if (malformed !== undefined) return { is: 'fault', fault: malformed }
  if (header.height === trusted.height + 1n) {
    if (header.validatorsHash !== trusted.nextSetHash) return { is: 'fault', fault: 'not-next-set' }
  } else if (header.validatorsHash !== hashSet(trusted.set) && !isVouchedFor(trusted.set, claim)) {
    return { is: 'too-far' }
  }
  const share = countVotes(set, signed.commit)
  if (!isMoreThanTwoThirds(share)) return { is: 'fault', fault: 'too-little-power' }
  if (!verifyCommit(set, signed, rules)) return { is: 'fault', fault: 'signature' }
  const { height, time, nextValidatorsHash: nextSetHash } = header
  return { is: 'trusted', trusted: { height, hash: hashHeader(header), time, set, nextSetHash }, share }
}

/**
 * Returns the first header of a chain as trusted, by the set of its genesis file (in the engine's order). It must be
 * signed by that very set.
 */
export function trustGenesis(
  genesisSet: readonly EngineValidator[],
  claim: { signed: SignedHeader; set: readonly EngineValidator[] },
  rules: LightRules,
): Step {
  const before: TrustedHeader = {
    height: 0n,
    hash: '',
    time: { seconds: 0n, nanos: 0 },
    set: genesisSet,
    nextSetHash: hashSet(genesisSet),
  }
  const step = stepTo(before, claim, rules)
  return step.is === 'trusted' && step.trusted.height !== 1n ? { is: 'too-far' } : step
}

/** Reads the beacon block out of the transactions of a block whose header is trusted: they must hash to its data hash. */
export function readSignedBlock(
  header: EngineHeader,
  transactions: readonly Uint8Array[],
): { block: BeaconBlock } | { fault: LightFault } {
  if (hashTransactions(transactions) !== header.dataHash) return { fault: 'data-hash' }
  const [first] = transactions
  const block = first === undefined ? undefined : readBeaconBlock(first)
  if (block === undefined || block.slot !== header.height) return { fault: 'beacon-block' }
  return { block }
}

/** Everything about a claimed header that needs neither trust nor the curve. */
function checkShape(
  { signed, set }: { signed: SignedHeader; set: readonly EngineValidator[] },
  { chainId }: LightRules,
): LightFault | undefined {
  const { header, commit } = signed
  if (header.chainId !== chainId) return 'other-chain'
  if (commit.height !== header.height || header.height < 1n || header.height > MAX_INT64)
    return 'other-height'
  if (commit.blockId.hash !== hashHeader(header)) return 'header-hash'
  if (set.length === 0 || commit.signatures.length !== set.length) return 'malformed'
  const isWellFormed = set.every((member, index) => fitsMember(commit.signatures[index] ?? ABSENT, member))
  if (!isWellFormed) return 'malformed'
  return hashSet(set) === header.validatorsHash ? undefined : 'set-hash'
}

/** The engine's heights and powers are int64: a larger one would wrap to the same bytes. */
const MAX_INT64 = 2n ** 63n - 1n

const KEY_BYTES = 96
const SIGNATURE_BYTES = 96

/** Whether an entry of a commit has what its flag says, and is of this member. */
function fitsMember({ flag, address, signature }: CommitSignature, { key, power }: EngineValidator): boolean {
  if (power <= 0n || power > MAX_INT64 || strictBase64(key, KEY_BYTES) === undefined) return false
  if (flag === OTHER_FLAGS.absent) return address === '' && signature === undefined
  if (address !== engineAddressOf(key)) return false
  if (flag === VOTE_FLAGS.inAggregate || flag === OTHER_FLAGS.inAggregateForNil)
    return signature === undefined
  const holds: readonly number[] = [
    VOTE_FLAGS.single,
    VOTE_FLAGS.holdsAggregate,
    OTHER_FLAGS.singleForNil,
    OTHER_FLAGS.holdsAggregateForNil,
  ]
  return holds.includes(flag) && strictBase64(signature ?? '', SIGNATURE_BYTES) !== undefined
}

const isVote = ({ flag }: CommitSignature): boolean =>
  flag === VOTE_FLAGS.single || flag === VOTE_FLAGS.holdsAggregate || flag === VOTE_FLAGS.inAggregate

/** Adds up the power behind a block (flags 2, 4 and 5) and that of the whole set. */
function countVotes(set: readonly EngineValidator[], { signatures }: Commit): SignedShare {
  let signed = 0n
  let total = 0n
  for (const [index, { power }] of set.entries()) {
    const signature = signatures[index]
    total += power
    if (signature !== undefined && isVote(signature)) signed += power
  }
  return { signed, total }
}

const isMoreThanTwoThirds = ({ signed, total }: SignedShare): boolean => 3n * signed > 2n * total

/** Whether only members of the trusted set signed, with more than two thirds of its power. */
function isVouchedFor(
  trusted: readonly EngineValidator[],
  { signed: { commit }, set }: { signed: SignedHeader; set: readonly EngineValidator[] },
): boolean {
  const powers = new Map(trusted.map(({ key, power }) => [key, power]))
  const total = trusted.reduce((sum, { power }) => sum + power, 0n)
  let signed = 0n
  for (const [index, { key }] of set.entries()) {
    const signature = commit.signatures[index]
    if (signature === undefined || !isVote(signature)) continue
    const power = powers.get(key)
    if (power === undefined) return false
    powers.delete(key)
    signed += power
  }
  return isMoreThanTwoThirds({ signed, total })
}

/** Checks the aggregate (flags 4 and 5) and each single signature (flag 2) over the same message. */
function verifyCommit(
  set: readonly EngineValidator[],
  { header, commit }: SignedHeader,
  { verifyVotes }: LightRules,
): boolean {
  const message = encodeVote({ ...commit, chainId: header.chainId })
  const voters = set.map(({ key }, index) => ({ key, ...(commit.signatures[index] ?? ABSENT) }))
  const [holder, ...more] = voters.filter(({ flag }) => flag === VOTE_FLAGS.holdsAggregate)
  const aggregated = voters.filter(
    ({ flag }) => flag === VOTE_FLAGS.holdsAggregate || flag === VOTE_FLAGS.inAggregate,
  )
  if (more.length > 0 || (holder === undefined && aggregated.length > 0)) return false
  const claims = voters
    .filter(({ flag }) => flag === VOTE_FLAGS.single)
    .map(({ key, signature }) => ({ keys: [key], signature }))
  if (holder !== undefined)
    claims.push({ keys: aggregated.map(({ key }) => key), signature: holder.signature })
  return claims.every(
    ({ keys, signature }) => signature !== undefined && verifyVotes({ keys, message, signature }),
  )
}

const ABSENT: CommitSignature = { flag: OTHER_FLAGS.absent, address: '', signature: undefined }
