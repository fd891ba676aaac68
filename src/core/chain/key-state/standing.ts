import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { isFulu } from '../consensus/fork-outlook.ts'
import type { Outlook } from '../consensus/outlook.ts'
import type { Placing } from '../consensus/placing.ts'
import type { SetSnapshot, UncountedDeposit } from '../consensus/snapshot.ts'
import {
  FAR_FUTURE_EPOCH,
  hysteresisBand,
  nextEffectiveBalance,
  type ValidatorStatus,
  validatorStatus,
} from '../consensus/state.ts'
import type { Network } from '../network/network.ts'
import { type Ahead, aheadOf, type Danger, dangerOf } from './ahead.ts'
import { hasBegun, type Own, ownRecord, wayOut } from './own.ts'
import { STANDING_TEXT } from './standing-text.ts'

/** How much others must add to take a place, in gwei; thin: one least deposit of somebody may be enough. */
export type Margin =
  | { is: 'wide' }
  | { is: 'last' }
  | { is: 'thin'; othersNeedGwei: Gwei }
  | { is: 'unknown' }

/** Where a key stands in a set. `waitingGwei`: deposits of the key that are not counted yet. */
type Situation =
  /** The beacon state does not hold the key; `isWhole`: and no deposit for it waits, else that is not known. */
  | { is: 'absent'; isWhole: boolean }
  | { is: 'arriving' | 'refused'; deposit: UncountedDeposit }
  | { is: 'below'; own: Own; waitingGwei: Gwei; missingGwei: Gwei; isWhole: boolean }
  /** Enough is paid: the next boundaries make it active, at `epoch` where that is within five of them. */
  | { is: 'waiting'; own: Own; waitingGwei: Gwei; epoch: bigint | undefined; margin: Margin }
  /** Active by its epochs, and it keeps its place as far as is known. */
  | { is: 'active'; own: Own; waitingGwei: Gwei; margin: Margin }
  | { is: 'dropping'; own: Own; danger: Danger }
  | { is: 'leaving' | 'left' | 'paid'; own: Own }

/** What lies ahead of a validator, and whether it is active as it is. */
export type Prospect = Outlook & { isActive: boolean }

/** What one set says of one key; each reader picks what it shows. */
export type Standing = {
  situation: Situation
  /** Undefined where the state does not hold the key; `place` and `outlook` also where it asks for no place, or has lost it. */
  numbers: {
    own: Own | undefined
    status: ValidatorStatus | undefined
    place: Placing | undefined
    outlook: Prospect | undefined
  }
  /** When it drops out, and until when a top-up helps; undefined while it keeps its place. */
  deadline: Danger | undefined
  /** What is said behind what the validator is called, and of its stake; undefined where it has lost nothing. */
  sentences: { place: string | undefined; stake: string | undefined }
}

/** Describes where a key stands by one set and the rules of the chain. Pure; the forecast is kept with the set. */
export function describeStanding(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { network }: { network: Network },
): Standing {
  const own = ownRecord(snapshot, pubkey, { network })
  const status = own && validatorStatus(own.validator, own.epoch)
  const out = own && wayOut(own)
  if (own === undefined || out !== undefined)
    return {
      situation: own === undefined || out === undefined ? beforeState(snapshot, pubkey) : { is: out, own },
      numbers: { own, status, place: undefined, outlook: undefined },
      deadline: undefined,
      sentences: { place: own && STANDING_TEXT.out(own), stake: out && STANDING_TEXT.stake[out] },
    }
  const ahead = aheadOf(snapshot, own.validator.pubkey, { network })
  const { dropsOutAtEpoch, activeAtEpoch, rescue, place } = ahead
  const deadline = dangerOf(ahead)
  return {
    situation:
      deadline === undefined
        ? inPlace(snapshot, own, ahead, network)
        : { is: 'dropping', own, danger: deadline },
    numbers: {
      own,
      status,
      place,
      outlook: { dropsOutAtEpoch, activeAtEpoch, rescue, isActive: hasBegun(own) },
    },
    deadline,
    sentences: { place: deadline && STANDING_TEXT.outAt(deadline.outAtEpoch), stake: undefined },
  }
}

/** Of a validator that keeps its place, or asks for none yet. */
function inPlace(snapshot: SetSnapshot, own: Own, ahead: Ahead, network: Network): Situation {
  const { waiting, isWhole } = ownWaiting(snapshot, own.validator.pubkey)
  const waitingGwei = waiting.reduce((sumGwei, { amountGwei }) => sumGwei + amountGwei, 0n)
  const margin = marginOf(snapshot, ahead)
  if (hasBegun(own)) return { is: 'active', own, waitingGwei, margin }
  const missingGwei = missingOf(snapshot, own, { waitingGwei, network })
  if (missingGwei > 0n) return { is: 'below', own, waitingGwei, missingGwei, isWhole }
  return { is: 'waiting', own, waitingGwei, epoch: ahead.activeAtEpoch, margin }
}

/** The deposits of a key that surely wait, and whether these are all. Of one's own more may be known than of others'. */
function ownWaiting({ uncounted, own }: SetSnapshot, pubkey: Hex) {
  const deposits = own?.uncounted ?? uncounted
  if ('unknown' in deposits) return { waiting: [], isWhole: false }
  return { waiting: deposits.filter((deposit) => sameHex(deposit.pubkey, pubkey)), isWhole: true }
}

/** A key that the state does not hold: a deposit for it may be on its way, and only a valid signature makes it count. */
function beforeState(snapshot: SetSnapshot, pubkey: Hex): Situation {
  const { waiting, isWhole } = ownWaiting(snapshot, pubkey)
  const valid = waiting.find(({ signatureValid }) => signatureValid)
  if (valid !== undefined) return { is: 'arriving', deposit: valid }
  const refused = waiting[0]
  if (refused !== undefined) return { is: 'refused', deposit: refused }
  return { is: 'absent', isWhole }
}

/**
 * A margin is thin up to what one least deposit of anybody can lift: 10,000 tokens with 1,000 that the hysteresis held
 * back make one increment from Fulu on, with 12,500 two before.
 */
function marginOf({ uncounted }: SetSnapshot, { place, oneDepositGwei }: Ahead): Margin {
  if (place === undefined || 'unknown' in uncounted) return { is: 'unknown' }
  const { othersNeedGwei, rank, places } = place
  if (othersNeedGwei <= oneDepositGwei) return { is: 'thin', othersNeedGwei }
  return { is: rank >= places ? 'last' : 'wide' }
}

/** The least that must still be paid for the effective balance to reach the threshold; 0: it is on its way there. */
function missingOf(
  { timestampSeconds }: SetSnapshot,
  { validator, balanceGwei }: Own,
  { waitingGwei, network: { spec } }: { waitingGwei: Gwei; network: Pick<Network, 'spec'> },
): Gwei {
  const { activationEligibilityEpoch, effectiveBalanceGwei } = validator
  const { activationBalanceGwei } = spec
  if (activationEligibilityEpoch !== FAR_FUTURE_EPOCH || effectiveBalanceGwei >= activationBalanceGwei)
    return 0n
  const fulu = isFulu(spec, timestampSeconds)
  const paidGwei = balanceGwei + waitingGwei
  const counts = (stakeGwei: Gwei) =>
    nextEffectiveBalance({ effectiveBalanceGwei, balanceGwei: stakeGwei }, spec, { fulu })
  if (counts(paidGwei) >= activationBalanceGwei) return 0n
  if (paidGwei < activationBalanceGwei && counts(activationBalanceGwei) >= activationBalanceGwei)
    return activationBalanceGwei - paidGwei
  // What the hysteresis holds back must be passed, too.
  return effectiveBalanceGwei + hysteresisBand(spec, { fulu }).upGwei + 1n - paidGwei
}
