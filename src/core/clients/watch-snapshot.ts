import type { Clock } from '../base/effects/effects.ts'
import { type Hex, sameHex } from '../base/format/hex.ts'
import { jsonText } from '../base/format/strict-json.ts'
import { type SetSnapshot, sameSet, waitingDeposits } from '../chain/consensus/snapshot.ts'
import type { ChainSpec } from '../chain/network/network.ts'
import type { LateEndpoint } from '../chain/network/standstill.ts'
import { getBlockNumber } from './execution/blocks.ts'
import { getDepositCount } from './execution/call.ts'
import { getHeader } from './node/blocks.ts'
import { getValidators } from './node/validators.ts'
import { type OwnBefore, proveOwnIn, readReportedSnapshot, trySnapshot } from './prove-snapshot.ts'
import type { SnapshotClients, SnapshotOptions } from './prove-validator.ts'
import {
  type BoundedEndpoint,
  boundEndpoint,
  createLateness,
  createStatePace,
  SLOTS_BETWEEN_STATES,
  setMayHaveMoved,
} from './state-pace.ts'

/** So long the second execution endpoint is waited for in one look of a screen, in slots. */
const SLOTS_FOR_OTHERS = 2

/** A validator set that is looked at again and again. */
export type SnapshotWatch = {
  /** `now`: what somebody has just asked, which is then not asked again. Throws a `ClientError` or `proofs.state-mismatch`. */
  read(now?: { head: bigint | undefined; deposits: bigint | undefined }): Promise<SetSnapshot>
  /** The second endpoint, while the reads go on without it as it answers too late. */
  late(): LateEndpoint | undefined
}

/** What the last attempt to prove the set gave. */
type Attempt = {
  slot: bigint
  result: Awaited<ReturnType<typeof trySnapshot>>
  /** Whether the node reported another set since. */
  changed: boolean
  /** How many deposits the contract had taken. */
  deposits: bigint
}

/**
 * Looks at the set for as long as a screen is open, at bounded cost. The whole state is asked for once an epoch, when
 * the contract takes a deposit and while one waits to be counted, and when the node reports another set than the
 * proven one, though then at most every eighth slot; and never for more than a twentieth of the time, by what the node and
 * this computer need for it. The second execution endpoint has two slots: what it did not say by then the others say
 * without it. In between, the
 * list that the node reports is compared with the proven set: while they are equal the proof stands for it, otherwise
 * the snapshot is the node's word until the next proof, but for the validator `keep`, which is proven on its own. A state
 * that is not the chain's fails every look until a proof succeeds.
 *
 * `lookingAt: 'own'` is for who looks for months and sends nothing: in between, the record of the validator `keep` alone is
 * asked for, and while it is the proven one and no deposit came the proven set stands. What others ask of the chain within
 * an epoch (to leave, a part of their stake) is then seen when the next one begins; it takes nobody's place.
 */
export function watchSnapshot(
  clients: SnapshotClients,
  options: SnapshotOptions & { clock: Pick<Clock, 'nowMs'>; lookingAt?: 'own' },
): SnapshotWatch {
  const { clock, network, keep } = options
  const { slotsPerEpoch, depositContract } = network.spec
  let last: Attempt | undefined
  let before: OwnBefore | undefined
  const whole = createStatePace(clock)
  const alone = createStatePace(clock)
  const mostMs = SLOTS_FOR_OTHERS * network.slotMs
  const lateness = createLateness(clock)
  /** The second endpoint in the rounds of the read under way. */
  let round: BoundedEndpoint[] = []
  /** The same endpoints, where the second one may use its share of the time from now on. */
  const bounded = () => {
    const { second } = clients
    if (second === undefined) return clients
    const bound = boundEndpoint(second, { clock, mostMs })
    round.push(bound)
    return { ...clients, second: bound.client }
  }
  /** A read that asked the second endpoint nothing says nothing of it. */
  const noted = async <T>(reading: () => Promise<T>): Promise<T> => {
    round = []
    try {
      return await reading()
    } finally {
      if (round.length > 0) lateness.note(round)
    }
  }
  /** What is not proven as a whole is so at least of the validator that the question is about. */
  const withOwn = async (reported: SetSnapshot): Promise<SetSnapshot> => {
    if (keep === undefined || !alone.isOver()) return reported
    const own = await proveOwnIn(reported, bounded(), { ...options, keep, before, statePace: alone })
    before = own.before
    return own.snapshot
  }
  return {
    late: lateness.late,
    read: (now = { head: undefined, deposits: undefined }) => noted(() => readNow(now)),
  }

  async function readNow(now: { head: bigint | undefined; deposits: bigint | undefined }) {
    const own = options.lookingAt === 'own' && isProven(last) ? keep : undefined
    const [head, deposits] = await Promise.all([
      now.head ?? headAt(clients, own),
      now.deposits ?? getDepositCount(clients.execution, { depositContract }),
    ])
    // The state that is proven is one slot behind the head.
    const slot = head - 1n
    if (whole.isOver() && isDue(last, { slot, deposits }, network.spec)) {
      const result = await trySnapshot(bounded(), { ...options, statePace: whole })
      const provenSlot = 'consensus' in result ? result.consensus.slot : slot
      last = { slot: provenSlot, result, changed: false, deposits }
      if ('consensus' in result) return result
    }
    const outcome = last?.result
    if (outcome !== undefined && 'mismatch' in outcome) throw outcome.mismatch
    const mayStand = own !== undefined || (head % slotsPerEpoch === 0n && last?.changed === false)
    if (mayStand && outcome !== undefined && 'consensus' in outcome && deposits === last?.deposits) {
      const still = await stillAsProven(outcome, clients, { own, head, spec: network.spec })
      if (still !== undefined) return still
    }
    const why = outcome === undefined || 'consensus' in outcome ? { unproven: undefined } : outcome
    const reported = await readReportedSnapshot(clients, { ...why, network, keep })
    if (last === undefined || outcome === undefined || !('consensus' in outcome)) return withOwn(reported)
    const same = sameSet(outcome, reported)
    last = { ...last, changed: !same }
    const current = epochOf(last.slot, slotsPerEpoch) === epochOf(reported.consensus.slot, slotsPerEpoch)
    if (!same || !current) return withOwn({ ...reported, unproven: NEWER })
    const oneMore = { unknown: ONE_MORE, perhaps: waitingDeposits(outcome) }
    return {
      ...reported,
      uncounted: deposits === last.deposits ? outcome.uncounted : oneMore,
      proof: outcome.proof,
    }
  }
}

async function headAt({ node, execution }: SnapshotClients, own: Hex | undefined): Promise<bigint> {
  return own === undefined ? getBlockNumber(execution) : (await getHeader(node, { block: 'head' })).slot
}

/**
 * The proven set at the head, where that is of the same epoch and holds the same record of one validator, if one is named.
 * The first state of an epoch can be proven a slot later only: until then it is the set of the slot before. Its time is
 * worked out from that of the proven state by the pace of the chain.
 */
async function stillAsProven(
  snapshot: SetSnapshot,
  { node }: SnapshotClients,
  { own, head, spec }: { own: Hex | undefined; head: bigint; spec: ChainSpec },
): Promise<SetSnapshot | undefined> {
  const { slot: provenSlot, validators, balancesGwei } = snapshot.consensus
  const epoch = epochOf(provenSlot, spec.slotsPerEpoch)
  const slot = epochOf(head, spec.slotsPerEpoch) === epoch ? head : head - 1n
  if (slot <= provenSlot) return snapshot
  if (epochOf(slot, spec.slotsPerEpoch) !== epoch) return undefined
  const passedSeconds = (slot - provenSlot) * BigInt(spec.targetSecondsPerSlot)
  const still = {
    ...snapshot,
    consensus: { ...snapshot.consensus, slot },
    timestampSeconds: snapshot.timestampSeconds + passedSeconds,
  }
  if (own === undefined) return still
  const [record] = await getValidators(node, { state: slot, ids: [own] })
  const place = validators.findIndex(({ pubkey }) => sameHex(pubkey, own))
  const before = { validator: validators[place], balanceGwei: balancesGwei[place] }
  const now = { validator: record?.validator, balanceGwei: record?.balanceGwei }
  return jsonText(now) === jsonText(before) ? still : undefined
}

const isProven = (last: Attempt | undefined): boolean => last !== undefined && 'consensus' in last.result

/** Whether deposits of the last proven set wait to be counted. */
function waits({ result }: Attempt): boolean {
  return 'consensus' in result && waitingDeposits(result).length > 0
}

/** Why the deposits that wait are not known for a moment. */
export const ONE_MORE = 'a deposit came after the last proof; the next one follows'
/** Why a set is not proven for a moment. */
export const NEWER = 'the set changed after the last proof; the next one follows'

function isDue(
  last: Attempt | undefined,
  now: { slot: bigint; deposits: bigint },
  spec: Pick<ChainSpec, 'slotsPerEpoch'>,
): boolean {
  if (last === undefined) return true
  // A deposit that arrives, and the slot in which one that waits is counted, change who keeps a place.
  const deposits = isProven(last) ? now.deposits : undefined
  if (setMayHaveMoved({ ...last, waiting: waits(last) }, { slot: now.slot, deposits }, spec)) return true
  const isUnproven = 'unproven' in last.result && last.result.isRefuted !== true
  const settled = isUnproven || ('consensus' in last.result && !last.changed)
  return !settled && now.slot >= last.slot + BigInt(SLOTS_BETWEEN_STATES)
}

function epochOf(slot: bigint, slotsPerEpoch: bigint): bigint {
  return slot / slotsPerEpoch
}
