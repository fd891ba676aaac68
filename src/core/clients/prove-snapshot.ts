import { type BaseError, isError } from '../base/errors/base.ts'
import { bytesToHex, type Hex, sameHex } from '../base/format/hex.ts'
import { type ContenderGatherer, gatherContenders, stateOfContenders } from '../chain/consensus/contenders.ts'
import type { ProvenSnapshot, SetSnapshot, Uncounted } from '../chain/consensus/snapshot.ts'
import type { Validator } from '../chain/consensus/state.ts'
import { anchorsNeeded } from '../chain/network/anchors.ts'
import type { BeaconState } from '../chain/proofs/beacon-state.ts'
import { numberedBlock } from './execution/blocks.ts'
import { getHeader } from './node/blocks.ts'
import { streamValidators } from './node/validator-record.ts'
import { getPendingPartialWithdrawals } from './node/validators.ts'
import { proveOwnIn } from './prove-own.ts'
import { type AtBlock, type ProvenState, proveState, type Unproven } from './prove-state.ts'
import { labelsOf, type SnapshotClients, type SnapshotOptions } from './prove-validator.ts'
import { countDeposits, readUncounted } from './read-uncounted.ts'

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
