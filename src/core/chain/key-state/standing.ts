import { formatCount, formatDuration, type Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { isFulu } from '../consensus/fork-outlook.ts'
import type { Outlook } from '../consensus/outlook.ts'
import type { SetSnapshot, UncountedDeposit } from '../consensus/snapshot.ts'
import {
  FAR_FUTURE_EPOCH,
  hysteresisBand,
  nextEffectiveBalance,
  type ValidatorStatus,
  validatorStatus,
} from '../consensus/state.ts'
import { type Network, tokensOf } from '../network/network.ts'
import { type Ahead, aheadOf, type Danger, dangerOf } from './ahead.ts'
import { hasBegun, type Own, ownRecord, wayOut } from './own.ts'

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

/** What one set says of one key, for whoever shows it: the reader picks what it needs. */
export type Standing = {
  situation: Situation
  /** undefined where the state does not hold the key; rank and outlook also where it has left or is leaving. */
  numbers: {
    own: Own | undefined
    status: ValidatorStatus | undefined
    rank: number | undefined
    outlook: Prospect | undefined
  }
  /** When it drops out, and until when a top-up helps; undefined while it keeps its place. */
  deadline: Danger | undefined
  /** What is said behind what the validator is called, and of its stake; undefined where it has no place to lose. */
  sentences: { place: string | undefined; stake: string | undefined }
}

/** Describes where a key stands by one set and the rules of the chain. Pure; the forecast is kept with the set. */
export function describeStanding(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { network }: { network: Network },
): Standing {
  const own = ownRecord(snapshot, pubkey, { network })
  const out = own && wayOut(own)
  const ahead =
    own === undefined || out !== undefined ? undefined : aheadOf(snapshot, own.validator.pubkey, { network })
  const deadline = ahead && dangerOf(ahead)
  return {
    situation: situationOf(snapshot, pubkey, { own, out, ahead, deadline, network }),
    numbers: {
      own,
      status: own && validatorStatus(own.validator, own.epoch),
      rank: ahead?.place?.rank,
      outlook: own && ahead && prospectOf(own, ahead),
    },
    deadline,
    sentences: {
      place:
        deadline === undefined
          ? own && out && STANDING_TEXT.out(own)
          : STANDING_TEXT.outAt(deadline.outAtEpoch),
      stake: out && STANDING_TEXT.stake[out],
    },
  }
}

type Judged = {
  own: Own | undefined
  out: ReturnType<typeof wayOut>
  ahead: Ahead | undefined
  deadline: Danger | undefined
  network: Network
}

function situationOf(
  snapshot: SetSnapshot,
  pubkey: Hex,
  { own, out, ahead, deadline, network }: Judged,
): Situation {
  const { waiting, isWhole } = ownWaiting(snapshot, pubkey)
  if (own === undefined) return beforeState(waiting, isWhole)
  if (out !== undefined) return { is: out, own }
  if (deadline !== undefined) return { is: 'dropping', own, danger: deadline }
  const waitingGwei = waiting.reduce((sumGwei, { amountGwei }) => sumGwei + amountGwei, 0n)
  const margin = marginOf(snapshot, ahead)
  if (hasBegun(own)) return { is: 'active', own, waitingGwei, margin }
  const missingGwei = missingOf(snapshot, own, { waitingGwei, network })
  if (missingGwei > 0n) return { is: 'below', own, waitingGwei, missingGwei, isWhole }
  return { is: 'waiting', own, waitingGwei, epoch: ahead?.activeAtEpoch, margin }
}

function prospectOf(own: Own, { dropsOutAtEpoch, activeAtEpoch, rescue }: Ahead): Prospect {
  return { dropsOutAtEpoch, activeAtEpoch, rescue, isActive: hasBegun(own) }
}

/** The deposits of a key that surely wait, and whether these are all. Of one's own more may be known than of others'. */
function ownWaiting({ uncounted, own }: SetSnapshot, pubkey: Hex) {
  const deposits = own?.uncounted ?? uncounted
  if ('unknown' in deposits) return { waiting: [], isWhole: false }
  return { waiting: deposits.filter((deposit) => sameHex(deposit.pubkey, pubkey)), isWhole: true }
}

/** A key that the state does not hold: a deposit for it may be on its way, and only a valid signature makes it count. */
function beforeState(waiting: readonly UncountedDeposit[], isWhole: boolean): Situation {
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
function marginOf({ uncounted }: SetSnapshot, ahead: Ahead | undefined): Margin {
  if (ahead?.place === undefined || 'unknown' in uncounted) return { is: 'unknown' }
  const { othersNeedGwei, rank, places } = ahead.place
  if (othersNeedGwei <= ahead.oneDepositGwei) return { is: 'thin', othersNeedGwei }
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

type Rescue = NonNullable<Outlook['rescue']>

/** It is not known where the chain is, or so long it is until a block: `left` in words. */
type Left = { now: bigint | undefined; left: (slots: bigint) => string }

function sendBy({ sendByBlock, lastGoodBlock }: Rescue, { now, left }: Left): string {
  const block = formatCount(sendByBlock)
  if (now === undefined) return `Send it by block ${block}: the time until then is not known.`
  return sendByBlock > now
    ? `Send it by block ${block}: within ${left(sendByBlock - now)}.`
    : `Send it now: it must be in block ${formatCount(lastGoodBlock)} at the latest.`
}

/** What keeps the place and until when, or that nothing does. */
function rescue(
  found: Rescue | undefined,
  { network, ...at }: Left & { network: Pick<Network, 'names'> },
): string {
  if (found === undefined)
    return 'No top-up keeps the place: no amount is enough, or it is too late for a block.'
  const keeps = keepsPlace(tokensOf(found.leastTopUpGwei, { network }))
  const less = found.lessGwei === undefined ? '' : ` ${lessKeeps(tokensOf(found.lessGwei, { network }))}`
  return `${keeps}${less} ${sendBy(found, at)}`
}

const keepsPlace = (amount: string): string => `A top-up of ${amount} keeps the place.`
const lessKeeps = (amount: string): string =>
  `${amount} would be enough, too: amounts are proposed in whole steps.`

/** What keeps the place, and what is lost otherwise: as two sentences, and `lost` inside of another one. */
function danger(
  { rescue: found }: Danger,
  at: Left & { network: Network },
): { lines: [way: string, lost: string]; lost: string } {
  const { spec, slotMs } = at.network
  const back = formatDuration(Number(spec.withdrawabilityDelayEpochs * spec.slotsPerEpoch) * slotMs)
  const lost = isLost(back)
  return { lines: [rescue(found, at), found === undefined ? `Then ${lost}` : withoutIt(lost)], lost }
}

const isLost = (back: string): string =>
  `the validator is out for ever (this key cannot return); the stake comes back ${back} later.`
const withoutIt = (lost: string): string => `Without it ${lost}`

/** Behind what a validator is called that has left the active set or is leaving it. */
function out({ validator, epoch }: Pick<Own, 'validator' | 'epoch'>): string {
  const at = formatCount(validator.exitEpoch)
  return validator.exitEpoch > epoch
    ? `leaves the active set at epoch ${at}`
    : `left the active set at epoch ${at}`
}

/**
 * Where a validator stands and what lies ahead of it, in the one wording of alarms, screens and commands: when it drops out
 * or left, what keeps its place and until when, and what is lost. Amounts come with their token, times in words.
 */
export const STANDING_TEXT = {
  /** Behind what the validator is called. */
  outAt: (epoch: bigint) => `drops out of the active set at epoch ${formatCount(epoch)}`,
  out,
  /** What becomes of the stake of a validator that has left or is leaving. */
  stake: {
    leaving: 'The stake comes back by itself.',
    left: 'The stake comes back by itself.',
    paid: 'The stake was paid back.',
  },
  ifNothingElse: 'if nothing else happens',
  keepsPlace,
  sendBy,
  rescue,
  danger,
  lastBlock: ({ lastGoodBlock }: Rescue) => `The last block that counts is ${formatCount(lastGoodBlock)}.`,
  isLost,
  withoutIt,
  outForEver: 'the validator is out for ever (this key cannot return)',
  /** The end of the sentence is the caller's. */
  back: (amount: string, epoch: bigint) =>
    `The stake of ${amount} goes back to the withdrawal address from epoch ${formatCount(epoch)} on`,
  forEver: 'This key never becomes active again; more money sent for it comes back the same way.',
  mayDropOut: {
    it: (amount: string) => `it may drop out if others add ${amount} or more`,
    you: (amount: string) => `you may drop out if others add ${amount} or more`,
  },
}
