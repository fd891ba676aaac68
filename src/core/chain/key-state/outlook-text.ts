import { formatCount, formatDuration } from '../../base/format/amount.ts'
import type { Outlook } from '../consensus/outlook.ts'
import { type Network, tokensOf } from '../network/network.ts'
import type { Danger } from './ahead.ts'
import type { Own } from './own.ts'

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
 * What lies ahead of a validator, in the one wording of alarms, screens and commands: when it drops out or left, what keeps
 * its place and until when, and what is lost. Amounts come with their token, times in words.
 */
export const OUTLOOK_TEXT = {
  /** Behind what the validator is called. */
  outAt: (epoch: bigint) => `drops out of the active set at epoch ${formatCount(epoch)}`,
  out,
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
