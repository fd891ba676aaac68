import { failureWords } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import type { Gwei } from '../base/format/amount.ts'
import type { Hex } from '../base/format/hex.ts'
import { isFulu } from '../chain/consensus/fork-outlook.ts'
import { findValidatorIndex } from '../chain/consensus/process-epoch.ts'
import type { LookBlock, SetSnapshot } from '../chain/consensus/snapshot.ts'
import type { Validator } from '../chain/consensus/state.ts'
import { type Counted, countByGrowth } from '../chain/key-state/key-state.ts'
import { type Evidence, evidenceOf } from '../chain/network/anchors.ts'
import { PROOF_FAULT_WORDS } from '../chain/proofs/verify.ts'
import { unlessSilent } from './ask-as-service.ts'
import type { ExecutionClient } from './execution/client.ts'
import { type RecentDeposits, recentDeposits, uncountedOf } from './key-deposits.ts'
import { getValidators } from './node/validators.ts'
import {
  type Anchor,
  anchorBlock,
  blockOfSnapshot,
  holdsBlock,
  isAnchored,
  otherBlocks,
  type Pace,
  proveRecord,
  proveValidator,
  type SnapshotClients,
  type SnapshotOptions,
  signedEvidence,
  type ValidatorProof,
} from './prove-validator.ts'
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
