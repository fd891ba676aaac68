import {
  type EngineValidator,
  encodeVote,
  engineAddressOf,
  hashHeader,
  hashSet,
  hashTransactions,
} from '../../src/core/chain/light/encode.ts'
import {
  readSignedBlock,
  type SignedHeader,
  type Step,
  stepTo,
  type TrustedHeader,
  trustGenesis,
  type VerifyVotes,
  VOTE_FLAGS,
} from '../../src/core/chain/light/light-client.ts'
import { verifyVotes } from '../../src/core/chain/light/verify-votes.ts'
import { getCommit } from '../../src/core/clients/engine/blocks.ts'
import type { EngineClient } from '../../src/core/clients/engine/client.ts'
import { getEngineValidators } from '../../src/core/clients/engine/get-status.ts'
import { LIST } from '../../src/core/clients/json-rpc.ts'
import { readTransactions } from '../../src/core/clients/signed/signed-chain.ts'
import type { CheckResult } from './playback.ts'

/** A line of commits.jsonl: what the engine and the node API replied about one height. */
export type CommitRow = {
  height: number
  /** `signed_header` of `/commit`. */
  commit: { header: CommitHeader; commit: CommitVotes }
  /** `validators` of `/validators`, all of them. */
  validators: { address: string; pub_key: { type: string; value: string }; voting_power: string }[]
  /** `txs` of `/block`, base64. */
  txs: string[]
  /** Root of the beacon state after the block, as the node API gives it. */
  stateRoot: string
}

type CommitBlockId = { hash: string; parts: { total: number; hash: string } }
type CommitHeader = {
  version: { block: string; app?: string }
  chain_id: string
  height: string
  time: string
  last_block_id: CommitBlockId
  last_commit_hash: string
  data_hash: string
  validators_hash: string
  next_validators_hash: string
  consensus_hash: string
  app_hash: string
  last_results_hash: string
  evidence_hash: string
  proposer_address: string
}
type CommitVotes = {
  height: string
  round: number
  block_id: CommitBlockId
  signatures: { block_id_flag: number; validator_address: string; signature: string | null }[]
}

/** The claims of a row, as the product reads them. */
export type Claims = {
  height: bigint
  signed: SignedHeader
  set: readonly EngineValidator[]
  /** As `/validators` gives them, in the order of the set. */
  addresses: readonly string[]
  transactions: readonly Uint8Array[]
  stateRoot: string
}

/** The lines of a file: the engine's chain id from its description, and the rows. */
export type CommitFile = { chainId: string; rows: readonly CommitRow[] }

type Rules = { chainId: string; verifyVotes: VerifyVotes }
type Outcome = readonly [what: string, isRight: boolean]
type Trail = { trusted: TrustedHeader | undefined; before: Claims | undefined }

/**
 * Checks lines of commits.jsonl: every hash, address, signature, state root and link of each block, and that trust in
 * the genesis set leads from row to row through all of them, and from the first block to each row by halves.
 */
export async function check(lines: readonly string[]): Promise<CheckResult> {
  const { chainId, rows } = readCommitFile(lines)
  const rules = { chainId, verifyVotes: rememberVotes(verifyVotes) }
  const result = { passed: 0, failures: [] as string[] }
  const restarts: bigint[] = []
  const seen: Claims[] = []
  let trail: Trail = { trusted: undefined, before: undefined }
  for (const [index, row] of rows.entries()) {
    const outcomes: Outcome[] = []
    const at = `line ${index + 2}, height ${row.height}`
    try {
      const claims = await readClaims(row)
      const followed = follow(trail, claims, rules)
      if (followed.isRestart) restarts.push(claims.height)
      seen.push(claims)
      outcomes.push(...blockOutcomes(claims, rules), ...linkOutcomes(trail.before, claims), followed.outcome)
      trail = { trusted: followed.trusted, before: claims }
    } catch (thrown) {
      outcomes.push([String(thrown), false])
    }
    result.passed += outcomes.filter(([, isRight]) => isRight).length
    result.failures.push(...outcomes.flatMap(([what, isRight]) => (isRight ? [] : [`${at}: ${what}`])))
  }
  const { failures, words } = reachAll(seen, rules)
  result.failures.push(...failures)
  return { ...result, notes: [words, ...restartWords(restarts)] }
}

/** Reads the lines of a file: its first line describes the rows after it. Throws an Error where it doesn't. */
export function readCommitFile(lines: readonly string[]): CommitFile {
  const [first = '{}', ...rest] = lines
  const { network } = JSON.parse(first) as { network?: unknown }
  if (typeof network !== 'string') throw new Error('the first line names no network')
  return { chainId: network, rows: rest.map((line) => JSON.parse(line) as CommitRow) }
}

/**
 * Reads a row through the product's own calls, as replies of an engine. Throws a `FieldFault` for what they refuse, and
 * for a header of another height than the row's.
 */
export async function readClaims(row: CommitRow): Promise<Claims> {
  const engine = engineOf(row)
  const height = BigInt(row.height)
  const signed = await getCommit(engine, { height })
  const { validators } = await getEngineValidators(engine, { height })
  const transactions = await readTransactions(engine, { height, limits: LIST })
  if (signed.header.height !== height) throw new RangeError('the header is of another height')
  return {
    height,
    signed,
    set: validators.map(({ publicKey, votingPowerGwei }) => ({
      key: publicKey.value,
      power: votingPowerGwei,
    })),
    addresses: validators.map(({ address }) => address),
    transactions,
    stateRoot: row.stateRoot,
  }
}

function engineOf({ height, commit, validators, txs }: CommitRow): EngineClient {
  const replies: Readonly<Record<string, unknown>> = {
    commit: { signed_header: commit },
    validators: { block_height: String(height), validators, total: String(validators.length) },
    block: { block: { data: { txs } } },
  }
  return { label: 'row', ask: async ({ method, decode }) => decode(replies[method], method) }
}

/** Remembers what became of each claim: no pairing is computed twice. */
export function rememberVotes(verify: VerifyVotes): VerifyVotes {
  const known = new Map<string, boolean>()
  return (claim) => {
    const name = [...claim.keys, Buffer.from(claim.message).toString('hex'), claim.signature].join()
    const verdict = known.get(name) ?? verify(claim)
    known.set(name, verdict)
    return verdict
  }
}

/** Everything that a block says by itself. */
function blockOutcomes(claims: Claims, rules: Rules): Outcome[] {
  const { signed, set, transactions, stateRoot, addresses } = claims
  const { header, commit } = signed
  const read = readSignedBlock(header, transactions)
  const block = 'block' in read ? read.block : undefined
  return [
    ['the header has another hash', hashHeader(header) === commit.blockId.hash],
    ['the set has another hash', hashSet(set) === header.validatorsHash],
    ['the transactions have another hash', hashTransactions(transactions) === header.dataHash],
    ['no more than two thirds signed', hasTwoThirds(claims)],
    ['the signature does not verify', signatureVerifies(claims, rules)],
    ['the first transaction is no beacon block of this height', block?.slot === claims.height],
    ['the beacon block has another state root', block?.stateRoot === stateRoot],
    ...set.map(
      ({ key }, at): Outcome => [
        `validator ${at} has another address`,
        engineAddressOf(key) === addresses[at],
      ],
    ),
  ]
}

function hasTwoThirds({ signed, set }: Claims): boolean {
  const votes: readonly number[] = Object.values(VOTE_FLAGS)
  const powers = set.map(({ power }, at) => ({ power, flag: signed.commit.signatures[at]?.flag ?? 0 }))
  const sum = (members: typeof powers) => members.reduce((total, { power }) => total + power, 0n)
  return 3n * sum(powers.filter(({ flag }) => votes.includes(flag))) > 2n * sum(powers)
}

/** Whether the aggregate and each single vote of a commit verify, without `stepTo`. */
function signatureVerifies(
  { signed: { header, commit }, set }: Claims,
  { verifyVotes: verify }: Rules,
): boolean {
  const message = encodeVote({ ...commit, chainId: header.chainId })
  const votes = commit.signatures.map((vote, at) => ({ ...vote, key: set[at]?.key ?? '' }))
  const { single, holdsAggregate, inAggregate } = VOTE_FLAGS
  const aggregated = votes.filter(({ flag }) => flag === holdsAggregate || flag === inAggregate)
  return votes
    .filter(({ flag }) => flag === single || flag === holdsAggregate)
    .every(({ flag, key, signature = '' }) => {
      const keys = flag === single ? [key] : aggregated.map((vote) => vote.key)
      return verify({ keys, message, signature })
    })
}

/**
 * Returns what links a block to the one before it, where that is the row before. The parent root is not among it: the
 * roots of a body's unused lists depend on limits that are not known.
 */
function linkOutcomes(before: Claims | undefined, claims: Claims): Outcome[] {
  if (before === undefined || claims.height !== before.height + 1n) return []
  const { header } = claims.signed
  const { hash, parts } = before.signed.commit.blockId
  const earlier = payloadOf(before)
  const payload = payloadOf(claims)
  return [
    [
      'the last block id is another',
      header.lastBlockId.hash === hash &&
        header.lastBlockId.parts.hash === parts.hash &&
        header.lastBlockId.parts.total === parts.total,
    ],
    ['the set is not the next one', header.validatorsHash === before.signed.header.nextValidatorsHash],
    [
      'the execution block has another parent',
      payload?.parentHash === earlier?.hash && payload !== undefined,
    ],
    ['the execution block has another number', payload?.number === (earlier?.number ?? -1n) + 1n],
  ]
}

function payloadOf({ signed, transactions }: Claims) {
  const read = readSignedBlock(signed.header, transactions)
  return 'block' in read ? read.block.payload : undefined
}

type Followed = { trusted: TrustedHeader | undefined; outcome: Outcome; isRestart: boolean }

/**
 * Steps to a row: by the genesis set to the first block, from the row before to any other. Between two rows there is
 * nothing to halve the distance with: where a step is too far, or there is nothing to step from, trust begins anew with
 * the row's own set.
 */
function follow({ trusted }: Trail, claims: Claims, rules: Rules): Followed {
  const first = claims.height === 1n ? trustGenesis(claims.set, claims, rules) : undefined
  const step = first ?? (trusted && stepTo(trusted, claims, rules))
  const isRestart = step === undefined || step.is === 'too-far'
  const taken = isRestart ? stepTo(trustSet(claims), claims, rules) : step
  const outcome: Outcome = [`not trusted: ${stepWords(taken)}`, taken.is === 'trusted']
  return { trusted: taken.is === 'trusted' ? taken.trusted : trusted, outcome, isRestart }
}

const stepWords = (step: Step): string => (step.is === 'fault' ? step.fault : step.is)

/** Returns trust in the set that a row claims, as a proven state gives it. */
function trustSet({ height, set }: Claims): TrustedHeader {
  return { height, hash: '', time: { seconds: 0n, nanos: 0 }, set, nextSetHash: hashSet(set) }
}

type Reached = { steps: number } | { fault: string }

/**
 * Goes from the first block to each row, halving the distance in rows wherever one step is too far. A false step is a
 * failure; where rows are too far apart, it says how many weren't reached.
 */
function reachAll(rows: readonly Claims[], rules: Rules): { failures: string[]; words: string } {
  const [first] = rows
  const genesis = first?.height === 1n ? trustGenesis(first.set, first, rules) : undefined
  if (genesis?.is !== 'trusted')
    return { failures: [], words: 'no row of height 1: trust begins with the set of the first row' }
  const reached = rows.map(({ height }, target) => ({
    height,
    ...reach(rows, { trusted: genesis.trusted, target, rules }),
  }))
  const failures = reached.flatMap((one) =>
    'fault' in one && one.fault !== 'too-far' ? [`from block 1 to ${one.height}: ${one.fault}`] : [],
  )
  const steps = reached.flatMap((one) => ('steps' in one ? [one.steps] : []))
  const several = steps.filter((count) => count > 1).length
  const words = `from block 1: ${steps.length} of ${rows.length} rows reached, ${several} of them in several steps`
  return { failures, words }
}

function reach(
  rows: readonly Claims[],
  { trusted, target, rules }: { trusted: TrustedHeader; target: number; rules: Rules },
): Reached {
  let at = { row: 0, trusted }
  let next = target
  let steps = 0
  while (at.row < target) {
    const claims = rows[next]
    const step = claims && stepTo(at.trusted, claims, rules)
    if (step?.is === 'trusted') {
      steps += 1
      at = { row: next, trusted: step.trusted }
      next = target
    } else if (step?.is === 'too-far' && next > at.row + 1) next = at.row + Math.floor((next - at.row) / 2)
    else return { fault: step === undefined ? 'no such row' : stepWords(step) }
  }
  return { steps }
}

function restartWords(heights: readonly bigint[]): string[] {
  if (heights.length === 0) return []
  return [`trust began anew at ${heights.join(', ')}: too far from the row before`]
}
