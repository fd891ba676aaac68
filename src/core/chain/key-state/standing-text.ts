import { formatCount, formatDuration, type Gwei } from '../../base/format/amount.ts'
import type { Validator, ValidatorStatus } from '../consensus/state.ts'
import { type Network, tokensOf } from '../network/network.ts'

/** A top-up that keeps a place, as the outlook has it. */
type Rescue = {
  leastTopUpGwei: Gwei
  lessGwei: Gwei | undefined
  lastGoodBlock: bigint
  sendByBlock: bigint
}

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
  { rescue: found }: { rescue: Rescue | undefined },
  at: Left & { network: Network },
): { lines: [way: string, lost: string]; lost: string } {
  const lost = isLost(backAfter(at.network))
  return { lines: [rescue(found, at), found === undefined ? `Then ${lost}` : withoutIt(lost)], lost }
}

const OUT_FOR_EVER = 'the validator is out for ever (this key cannot return)'
const isLost = (back: string): string => `${OUT_FOR_EVER}; the stake comes back ${back} later.`
const withoutIt = (lost: string): string => `Without it ${lost}`

/** How long the stake of a lost key stays locked. */
const backAfter = ({ spec, slotMs }: Network): string =>
  formatDuration(Number(spec.withdrawabilityDelayEpochs * spec.slotsPerEpoch) * slotMs)

/** Behind what a validator is called that has left the active set or is leaving it. */
function out({ validator, epoch }: { validator: Pick<Validator, 'exitEpoch'>; epoch: bigint }): string {
  const at = formatCount(validator.exitEpoch)
  return validator.exitEpoch > epoch
    ? `leaves the active set at epoch ${at}`
    : `left the active set at epoch ${at}`
}

const DROPS_OUT = 'drops out of the active set'
const STAKE_COMES_BACK = 'The stake comes back by itself.'

/** Each status of the beacon API, in the width of a column and in full. */
const STATUS: Readonly<Record<ValidatorStatus, { short: string; long: string }>> = {
  pending_initialized: { short: 'below the threshold', long: 'known, below the threshold' },
  pending_queued: { short: 'waits for an epoch', long: 'accepted, waits for the next epoch' },
  active_ongoing: { short: 'active', long: 'active' },
  active_exiting: { short: 'active, leaving', long: 'active, leaves at the next epoch boundary' },
  active_slashed: { short: 'active, slashed', long: 'active, slashed' },
  exited_unslashed: { short: 'left the set', long: 'left the set; the stake comes back later' },
  exited_slashed: { short: 'left, slashed', long: 'left the set, slashed' },
  withdrawal_possible: { short: 'left, being paid', long: 'left the set; the stake is being paid back' },
  withdrawal_done: { short: 'left, paid back', long: 'left the set; the stake is paid back' },
}

/** What no place is called, beside the label of a place or a rank. */
const NO_PLACE = 'none: it left the set'

/**
 * Where a validator stands and what lies ahead of it, in the one wording of alarms, screens and commands: when it drops out
 * or left, what keeps its place and until when, and what is lost. Amounts come with their token, times in words.
 */
export const STANDING_TEXT = {
  status: STATUS,
  /** Behind what the validator is called. */
  outAt: (epoch: bigint) => `${DROPS_OUT} at epoch ${formatCount(epoch)}`,
  out,
  dropsOut: DROPS_OUT,
  keepsItsPlace: 'keeps its place in the active set',
  isNotOut: 'is not out of the active set',
  isNotIn: 'is not in the active set',
  isLeaving: 'is leaving the active set',
  hasLeft: 'has left the active set',
  hasLeftForEver: 'has left for ever',
  keyHasLeft: 'this key has left the validator set for ever',
  /** `OrLeaves`: where what follows is the same for both. */
  hasLeftOrLeaves: 'has left the active set, or is leaving it',
  leavesOrHasLeft: 'is leaving or has left',
  leftTheSet: 'left the set',
  leftSince: 'the validator has left since, and its stake was paid back',
  /** What no validator escapes that ranks too low. */
  belowLast: 'A validator below the last place leaves the set for ever.',
  noPlace: { leaving: 'none: it leaves the set', left: NO_PLACE, paid: NO_PLACE },
  /** What becomes of the stake of a validator that has left or is leaving. */
  stake: { leaving: STAKE_COMES_BACK, left: STAKE_COMES_BACK, paid: 'The stake was paid back.' },
  nothingToDo: 'nothing to do: the stake comes back by itself',
  newAttempt: 'a new attempt needs a new key',
  worstLost: 'worst case: none left. The place is lost, the stake is not.',
  ifNothingElse: 'if nothing else happens',
  keepsPlace,
  sendBy,
  rescue,
  danger,
  lastBlock: ({ lastGoodBlock }: Rescue) => `The last block that counts is ${formatCount(lastGoodBlock)}.`,
  backAfter,
  isLost,
  withoutIt,
  outForEver: OUT_FOR_EVER,
  /** The end of the sentence is the caller's. */
  back: (amount: string, epoch: bigint) =>
    `The stake of ${amount} goes back to the withdrawal address from epoch ${formatCount(epoch)} on`,
  forEver: 'This key never becomes active again; more money sent for it comes back the same way.',
  mayDropOut: {
    it: (amount: string) => `it may drop out if others add ${amount} or more`,
    you: (amount: string) => `you may drop out if others add ${amount} or more`,
  },
}
