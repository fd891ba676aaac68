import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { forecast } from '../consensus/forecast.ts'
import { type Outlook, outlook } from '../consensus/outlook.ts'
import { leastLiftGwei, oneDepositLiftsGwei, type Placing, tightestPlacing } from '../consensus/placing.ts'
import { questionOf, type SetSnapshot } from '../consensus/snapshot.ts'
import type { Network } from '../network/network.ts'

/** What the rules of the chain make of a snapshot for one validator, if nothing else happens. */
export type Ahead = Outlook & {
  /** Its place at the tightest epoch boundary ahead; undefined where it asks for none. */
  place: Placing | undefined
  /** The most by which one least deposit of anybody lifts what counts of a stake, in gwei. */
  oneDepositGwei: Gwei
  /** The least top-up, in whole steps, that lifts what counts of its stake, in gwei; undefined where none does. */
  liftGwei: Gwei | undefined
}

type KnownOutlook = { slot: bigint; uncounted: SetSnapshot['uncounted']; ahead: Ahead }

const remembered = new WeakMap<SetSnapshot['consensus']['validators'], Map<string, KnownOutlook>>()

/**
 * The outlook of a validator that the state holds; kept with the set, for as long as that stands for its epoch. Only the
 * deadline of a rescue comes nearer with each slot: where there is one, it is kept for its slot.
 */
export function aheadOf(snapshot: SetSnapshot, pubkey: Hex, { network }: { network: Network }): Ahead {
  const { consensus, uncounted } = snapshot
  const { slot } = consensus
  const epochOf = (at: bigint) => at / network.spec.slotsPerEpoch
  const answers = remembered.get(consensus.validators) ?? new Map<string, KnownOutlook>()
  remembered.set(consensus.validators, answers)
  const before = answers.get(pubkey)
  if (before !== undefined && before.uncounted === uncounted) {
    const { ahead } = before
    const stands = ahead.rescue === undefined ? epochOf(before.slot) === epochOf(slot) : before.slot === slot
    if (stands) return ahead
  }
  const ahead = freshAhead(snapshot, pubkey, network)
  answers.set(pubkey, { slot, uncounted, ahead })
  return ahead
}

function freshAhead(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { spec, minimumDepositGwei }: Pick<Network, 'spec' | 'minimumDepositGwei'>,
): Ahead {
  const question = { ...questionOf(snapshot, spec), pubkey, minimumDepositGwei }
  return {
    ...outlook(question),
    place: tightestPlacing(question),
    oneDepositGwei: oneDepositLiftsGwei(question),
    liftGwei: leastLiftGwei(question),
  }
}

/** A validator that drops out of the active set if nothing is done. */
export type Danger = { outAtEpoch: bigint; rescue: Outlook['rescue'] }

/** The danger that a validator is in; undefined while it keeps its place, as far as is known. */
export function dangerOf({ dropsOutAtEpoch, rescue }: Ahead): Danger | undefined {
  return dropsOutAtEpoch === undefined ? undefined : { outAtEpoch: dropsOutAtEpoch, rescue }
}

/** Epochs that the model expects where the state does not say them yet; undefined where more stake is needed. */
export type ExpectedEpochs = { eligibleEpoch: bigint | undefined; activationEpoch: bigint | undefined }

/** Returns what the model expects of the next boundaries, without any more stake from anybody. */
export function expectedEpochs(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { network }: { network: Network },
): ExpectedEpochs {
  return forecast({ ...questionOf(snapshot, network.spec), pubkey, addGwei: 0n })
}
