import { formatCount } from '../../base/format/amount.ts'
import type { Outlook } from '../consensus/outlook.ts'

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

/**
 * What lies ahead of a validator, in the one wording of alarms, screens and commands: when it drops out, what keeps its place
 * and until when, and what is lost. Amounts come with their token, times in words; `your` is said to whom it belongs.
 */
export const OUTLOOK_TEXT = {
  /** Behind what the validator is called. */
  outAt: (epoch: bigint) => `drops out of the active set at epoch ${formatCount(epoch)}`,
  youOutAt: (epoch: bigint) => `You drop out of the active set at epoch ${formatCount(epoch)}`,
  ifNothingElse: 'if nothing else happens',
  keepsYourPlace: (amount: string) => `A top-up of ${amount} keeps your place.`,
  noneKeeps: {
    place: 'No top-up keeps the place: no amount is enough, or it is too late for a block.',
    yourPlace: 'No top-up keeps your place: no amount is enough, or it is too late for a block.',
  },
  sendBy,
  rescue: (amount: string, rescue: Rescue, at: Left) =>
    `A top-up of ${amount} keeps the place. ${sendBy(rescue, at)}`,
  lastBlock: ({ lastGoodBlock }: Rescue) => `The last block that counts is ${formatCount(lastGoodBlock)}.`,
  /** Inside a sentence. */
  isLost: (back: string) =>
    `the validator is out for ever (this key cannot return); the stake comes back ${back} later.`,
  outForEver: 'the validator is out for ever (this key cannot return)',
  withoutIt: (lost: string) => `Without it ${lost}`,
  thereby: (lost: string) => `Then ${lost}`,
  mayDropOut: {
    it: (amount: string) => `it may drop out if others add ${amount} or more`,
    you: (amount: string) => `you may drop out if others add ${amount} or more`,
  },
}
