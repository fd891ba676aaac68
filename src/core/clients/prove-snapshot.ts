import { type BaseError, failureWords, isError } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import type { Gwei } from '../base/format/amount.ts'
import { bytesToHex, type Hex, sameHex } from '../base/format/hex.ts'
import { isFulu } from '../chain/consensus/fork-outlook.ts'
import { type ContenderGatherer, gatherContenders, stateOfContenders } from '../chain/consensus/placing.ts'
import { findValidatorIndex } from '../chain/consensus/process-epoch.ts'
import type { LookBlock, ProvenSnapshot, SetSnapshot, Uncounted } from '../chain/consensus/snapshot.ts'
import type { Validator } from '../chain/consensus/state.ts'
import { type Counted, countByGrowth } from '../chain/key-state/key-state.ts'
import { anchorsNeeded, type Evidence, evidenceOf } from '../chain/network/network.ts'
import type { BeaconState } from '../chain/proofs/beacon-state.ts'
import { PROOF_FAULT_WORDS } from '../chain/proofs/verify.ts'
import { unlessSilent } from './ask-as-service.ts'
import { numberedBlock } from './execution/blocks.ts'
import type { ExecutionClient } from './execution/client.ts'
import { type RecentDeposits, recentDeposits, uncountedOf } from './key-deposits.ts'
import { getHeader } from './node/blocks.ts'
import { getPendingPartialWithdrawals, getValidators, streamValidators } from './node/validators.ts'
import { type AtBlock, type ProvenState, proveState, type Unproven } from './prove-state.ts'
import {
  type Anchor,
  anchorBlock,
  blockOfSnapshot,
  holdsBlock,
  isAnchored,
  labelsOf,
  otherBlocks,
  type Pace,
  proveRecord,
  proveValidator,
  type SnapshotClients,
  type SnapshotOptions,
  signedEvidence,
  type ValidatorProof,
} from './prove-validator.ts'
import { countDeposits, readUncounted } from './read-uncounted.ts'
import type { StatePace } from './state-pace.ts'

/** One validator's record, proven by its own three proofs. */
type ProvenOwn = Evidence & {
  index: number
  validator: Validator
  balanceGwei: Gwei
  slot: bigint
  blockRoot: Hex
  block: LookBlock
}

/**
 * What the three proofs gave, and the block that they were asked for. `absent` is no more than the node's word: only the
 * whole state proves it.
 */
export type OwnAnswer = { anchor?: Anchor } & (ProvenOwn | { absent: true } | { unproven: string })

/**
 * Proves what the state before the head of the first execution endpoint has of one key: where the node does not offer
 * its whole state, or only this one validator is asked about. The proofs bind every field of the record. Throws a
 * `ClientError` when the first execution endpoint does not answer.
 */
export async function proveOwn(
  clients: SnapshotClients,
  { pubkey, pace, statePace }: { pubkey: Hex; pace: Pace; statePace?: StatePace | undefined },
): Promise<OwnAnswer> {
  const anchor = await anchorBlock(clients)
  if ('unproven' in anchor) return { unproven: anchor.unproven }
  const at = blockOfSnapshot(anchor.block)
  const ask = () => readRecord(clients, { pubkey, block: at })
  const read = await (statePace?.ask(ask) ?? ask()).catch((thrown: unknown) => {
    if (!(thrown instanceof ClientError)) throw thrown
    return { unproven: failureWords(thrown) }
  })
  if (!('proof' in read)) return { ...read, anchor }
  const { proof, validator } = read
  const evidence = await evidenceFor(anchor, { proof, block: at, pace })
  if ('unproven' in evidence) return { ...evidence, anchor }
  const { index, slot, blockRoot, balanceGwei } = proof
  return { index, validator, balanceGwei, slot, blockRoot, block: at, anchor, ...evidence }
}

type Read = { proof: ValidatorProof; validator: Validator } | { absent: true } | { unproven: string }

async function readRecord(
  { node }: SnapshotClients,
  { pubkey, block }: { pubkey: Hex; block: LookBlock },
): Promise<Read> {
  const [record] = await getValidators(node, { state: 'head', ids: [pubkey] })
  if (record === undefined) return { absent: true }
  const { index, validator: claimed } = record
  const proof = await proveValidator(node, {
    index,
    pubkey,
    nextBlockTimestampSeconds: block.timestampSeconds,
  })
  if (!proof.verdict.ok) return { unproven: PROOF_FAULT_WORDS[proof.verdict.reason] }
  const validator = await proveRecord(node, { proof, claimed })
  if (validator === undefined) return { unproven: PROOF_FAULT_WORDS['fields-not-in-proof'] }
  return { proof, validator }
}

async function evidenceFor(
  anchor: Anchor,
  { proof, block, pace }: { proof: ValidatorProof; block: LookBlock; pace: Pace },
): Promise<Evidence | { unproven: string }> {
  const { execution, second } = anchor
  const signed = signedEvidence(anchor)
  if (signed !== undefined)
    return signed.holds(proof.blockRoot)
      ? signed.evidence
      : { unproven: 'the proof does not end in the root that the validator set signed' }
  const claim = { timestampSeconds: block.timestampSeconds, blockRoot: proof.blockRoot }
  const there = await holdsBlock(second, block, pace)
  if (there === 'other')
    return {
      unproven: otherBlocks({ execution, second }, block),
    }
  if (!(await isAnchored(execution, claim))) return noRoot(execution)
  if (second === undefined || there !== 'same') return { anchors: 1 }
  const holds = await unlessSilent(isAnchored(second, claim))
  if (holds === false) return noRoot(second)
  return { anchors: holds === undefined ? 1 : 2 }
}

function noRoot({ label }: ExecutionClient): { unproven: string } {
  return { unproven: `the proof does not end in the root that ${label} holds` }
}

/** What the last proof of a balance said of the deposits it holds. */
export type OwnBefore = { counted: Counted } & Pick<RecentDeposits, 'fromBlock' | 'takenBefore'>

/**
 * A reported set with one validator's own record proven in it: a node that understates its stake must not have it paid
 * again. The set may be of a slot after the proof; then its word for this one validator stands where it fits the proof,
 * with the deposits that waited. With those that wait now, or may; `before` is what was known of them at the last look. A
 * record that cannot be proven, or only in another epoch, leaves the set as the node reports it. Throws a `ClientError`.
 */
export async function proveOwnIn(
  snapshot: SetSnapshot,
  clients: SnapshotClients,
  asked: SnapshotOptions & { keep: Hex; before: OwnBefore | undefined },
): Promise<{ snapshot: SetSnapshot; before: OwnBefore | undefined }> {
  const { network, keep: pubkey, clock, before, statePace } = asked
  const { validators, balancesGwei, slot: reportedSlot } = snapshot.consensus
  const place = findValidatorIndex(validators, pubkey)
  if (place === undefined) return { snapshot, before }
  const own = await proveOwn(clients, { pubkey, pace: { clock, slotMs: network.slotMs }, statePace })
  if (!('anchors' in own)) return { snapshot, before }
  // Across an epoch boundary the same exit epoch says that it leaves in one state, and that it has left in the other.
  const { slotsPerEpoch } = network.spec
  if (own.slot / slotsPerEpoch !== reportedSlot / slotsPerEpoch) return { snapshot, before }
  const { block } = own
  const recent = await recentDeposits(clients, {
    network,
    pubkey,
    block,
    isRegistered: true,
    begin: before,
  })
  const fulu = isFulu(network.spec, block.timestampSeconds)
  const count = (slot: bigint, balanceGwei: Gwei) =>
    countByGrowth(before?.counted, { slot, balanceGwei, fulu }, recent)
  const proven = count(own.slot, own.balanceGwei)
  const reportedGwei = balancesGwei[place] ?? 0n
  const mostGwei = recent.deposits
    .slice(proven.least)
    .reduce((sum, { amountGwei }) => sum + amountGwei, own.balanceGwei)
  const fits = reportedSlot > own.slot && own.balanceGwei <= reportedGwei && reportedGwei <= mostGwei
  const counted = fits ? count(reportedSlot, reportedGwei) : proven
  const waiting = uncountedOf(recent, counted)
  const perhaps = 'unknown' in waiting ? waiting.perhaps : waiting.value
  const consensus = {
    ...snapshot.consensus,
    validators: validators.with(place, own.validator),
    balancesGwei: balancesGwei.with(place, own.balanceGwei),
  }
  return {
    snapshot: {
      ...snapshot,
      ...(fits ? {} : { consensus }),
      // Of the others' deposits nothing is known.
      uncounted: 'unknown' in snapshot.uncounted ? { ...snapshot.uncounted, perhaps } : snapshot.uncounted,
      own: {
        ...evidenceOf(own),
        block: block.number,
        uncounted: 'unknown' in waiting ? waiting : waiting.value,
      },
    },
    before: { counted, fromBlock: recent.fromBlock, takenBefore: recent.takenBefore },
  }
}

/**
 * The validator set at the head as the node reports it, all parts of one slot. The cursor of the withdrawal sweep is
 * not offered by these endpoints and taken as zero: it decides when money is paid back, never who has a place.
 * Throws a `ClientError`.
 */
export async function readReportedSnapshot(
  { node, execution }: SnapshotClients,
  asked: Pick<SnapshotOptions, 'network' | 'keep' | 'alsoKeep'> & Pick<SetSnapshot, 'unproven' | 'isRefuted'>,
): Promise<SetSnapshot> {
  const { network, unproven, isRefuted } = asked
  const { slot } = await getHeader(node, { block: 'head' })
  const [contenders, pendingPartialWithdrawals, block] = await Promise.all([
    streamValidators(node, {
      state: slot,
      taker: () => gatherContenders({ places: network.spec.validatorSetCap, keep: keptBy(asked) }),
    }),
    getPendingPartialWithdrawals(node, { state: slot }),
    numberedBlock(execution, slot),
  ])
  return {
    consensus: stateOfContenders(contenders, {
      slot,
      pendingPartialWithdrawals,
      nextWithdrawalIndex: 0n,
      nextWithdrawalValidatorIndex: 0,
    }),
    indexes: contenders.map(({ index }) => index),
    timestampSeconds: block.timestamp,
    proof: undefined,
    ...(isRefuted && { isRefuted }),
    uncounted: { unknown: 'only a proven state says which deposits it has counted', perhaps: [] },
    unproven,
  }
}

/** All validators that must not be left out of a snapshot. */
function keptBy({ keep, alsoKeep = [] }: Pick<SnapshotOptions, 'keep' | 'alsoKeep'>): readonly Hex[] {
  return keep === undefined ? alsoKeep : [keep, ...alsoKeep]
}

const VALIDATORS_AT_ONCE = 2048

/**
 * The validator set as the chain itself holds it: the whole state before the latest execution block, hashed here and
 * found in the execution chain (see `proveState`). `unproven` says why where that cannot be had. Throws
 * `proofs.state-mismatch`, and a `ClientError` when the first execution endpoint does not answer.
 */
export async function proveSnapshot(
  clients: SnapshotClients,
  options: SnapshotOptions,
): Promise<ProvenSnapshot | Unproven> {
  const found = await proveSnapshotBeside(clients, { ...options, beside: async () => undefined })
  return 'unproven' in found ? found : found.snapshot
}

/** Returns the same, with a state that is not the chain's as an answer. Throws a `ClientError`. */
export async function trySnapshot(
  clients: SnapshotClients,
  options: SnapshotOptions,
): Promise<ProvenSnapshot | Unproven | { mismatch: BaseError }> {
  try {
    return await proveSnapshot(clients, options)
  } catch (thrown) {
    if (isError(thrown, 'proofs.state-mismatch')) return { mismatch: thrown }
    throw thrown
  }
}

/** `proveSnapshot`, with what else is asked of the block of the proof, at once with it. Throws as `proveSnapshot`, and what `beside` throws. */
export async function proveSnapshotBeside<T>(
  clients: SnapshotClients,
  { beside, ...options }: SnapshotOptions & { beside: (at: AtBlock) => Promise<T> },
): Promise<{ snapshot: ProvenSnapshot; beside: T } | Unproven> {
  const { network, clock, statePace } = options
  const found = await proveState(clients, {
    network,
    clock,
    ...(statePace && { statePace }),
    beside: (at) => Promise.all([countDeposits(at.anchor, { network, there: at.there }), beside(at)]),
  })
  if ('unproven' in found) return found
  const { state, anchor } = found
  const [counts, besides] = found.beside
  const rest = () => clock.sleep(0)
  const gatherer = gatherContenders({ places: network.spec.validatorSetCap, keep: keptBy(options) })
  for (let from = 0; from < state.validators.length; from += VALIDATORS_AT_ONCE) {
    if (from > 0) await rest()
    addSome(gatherer, state, from)
  }
  const uncounted = await readUncounted(anchor, {
    network,
    signed: clients.signed,
    voices: anchorsNeeded({ network, endpoints: labelsOf(clients) }),
    counts,
    countedDeposits: state.eth1DepositIndex,
    knows: (pubkey) => state.validators.some((record) => sameHex(bytesToHex(record.pubkey), pubkey)),
    rest,
  })
  return { snapshot: snapshotOf(found, gatherer, uncounted), beside: besides }
}

function addSome(gatherer: ContenderGatherer, state: BeaconState, from: number): void {
  for (const [offset, record] of state.validators.slice(from, from + VALIDATORS_AT_ONCE).entries()) {
    const index = from + offset
    gatherer.add({ index, validator: toValidator(record), balanceGwei: state.balances[index] ?? 0n })
  }
}

function snapshotOf(
  { state, blockRoot, evidence, block }: Omit<ProvenState<unknown>, 'beside' | 'anchor'>,
  gatherer: ContenderGatherer,
  uncounted: Uncounted,
): ProvenSnapshot {
  const contenders = gatherer.done()
  return {
    consensus: stateOfContenders(contenders, {
      slot: state.slot,
      pendingPartialWithdrawals: state.pendingPartialWithdrawals.map((withdrawal) => ({
        validatorIndex: Number(withdrawal.validatorIndex),
        amountGwei: withdrawal.amount,
        withdrawableEpoch: withdrawal.withdrawableEpoch,
      })),
      nextWithdrawalIndex: state.nextWithdrawalIndex,
      nextWithdrawalValidatorIndex: Number(state.nextWithdrawalValidatorIndex),
    }),
    indexes: contenders.map(({ index }) => index),
    timestampSeconds: state.latestExecutionPayloadHeader.timestamp,
    uncounted,
    proof: { slot: state.slot, blockRoot, ...evidence, block },
    unproven: undefined,
  }
}

function toValidator(record: BeaconState['validators'][number]): Validator {
  return {
    pubkey: bytesToHex(record.pubkey),
    withdrawalCredentials: bytesToHex(record.withdrawalCredentials),
    effectiveBalanceGwei: record.effectiveBalance,
    slashed: record.slashed,
    activationEligibilityEpoch: record.activationEligibilityEpoch,
    activationEpoch: record.activationEpoch,
    exitEpoch: record.exitEpoch,
    withdrawableEpoch: record.withdrawableEpoch,
  }
}

/**
 * The whole validator set as one answer, once: proven where the node offers its whole state (then one slot behind
 * the head), else as the node reports it, with the validator `keep` proven on its own. Who asks again and again uses
 * `watchSnapshot`. Throws a `ClientError`, and `proofs.state-mismatch` when the node's state is not the one that the chain holds.
 */
export async function readSnapshot(clients: SnapshotClients, options: SnapshotOptions): Promise<SetSnapshot> {
  const found = await proveSnapshot(clients, options)
  if ('consensus' in found) return found
  const reported = await readReportedSnapshot(clients, { ...options, ...found })
  const { keep } = options
  if (keep === undefined) return reported
  return (await proveOwnIn(reported, clients, { ...options, keep, before: undefined })).snapshot
}
