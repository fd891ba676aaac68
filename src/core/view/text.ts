import { formatCount } from '../base/format/amount.ts'
import { again, KEY } from '../base/format/next.ts'
/** What all steps say, in one language: amounts come with their token. */
export const STEP_TEXT = {
  row: { unasked: 'not asked yet', asking: 'asking', notOffered: 'not offered by this node' },
  goOn: 'continue',
  sendsNothing: (left: string) => `${left} · this step sends nothing`,
  /** What has left the wallet by the payments of other steps, while one sends nothing. */
  left: {
    paid: (amount: string) => `left the wallet ${amount}`,
    perhapsTopUp: (paid: string) => `left the wallet ${paid} and perhaps the top-up`,
    /** Where a guard has handed over an amount, or the journal of one can't be read. */
    withGuard: (paid: string) => `${paid} and perhaps a guard’s amount`,
    perhapsDeposit: 'the deposit may have left the wallet',
    /** What the chain kept of an earlier deposit that this journal does not know. */
    lost: (amount: string) => `${amount} of an earlier deposit are lost`,
    strangers: (amount: string) => `a stranger lost ${amount}, you nothing`,
    unread: 'this step sends nothing',
    unknown: 'what has left the wallet is not known here',
  },
  verdict: {
    refused: (refused: number, of: number, why: string) =>
      `${refused} of ${of} checks ${refused === 1 ? 'refuses' : 'refuse'}: ${why}.`,
    unknown: (unknown: number, of: number, why: string) =>
      `${unknown} of ${of} checks ${unknown === 1 ? 'is' : 'are'} not known: ${why}.`,
    asking: (asking: number, of: number) => `${asking} of ${of} checks not answered yet.`,
    unasked: 'Not everything that this step needs has been asked yet.',
    /** What helps where no row says it. */
    askAgain: again`${KEY} asks again`,
  },
  /** An error that is this program's own. */
  fault: {
    title: 'This program has met an error of its own.',
    unsaid: 'no description',
    next: 'Try again. If it comes back, report it with the line above.',
    stopped: 'This step asks nothing any more until it is started again.',
    goesOn: 'The payment is still looked for on the chain.',
    startAgain: again`${KEY} starts this step again`,
    keys: { startAgain: 'start this step again' },
  },
  /** Why what vouches for a state does not do for a decision about money. */
  doubt: {
    set: 'The validator set is not proven',
    reported: 'reported (not proven)',
    old: (slot: bigint) => `the state of slot ${formatCount(slot)} is old`,
    noRoot: (endpoint: string, slot: bigint) =>
      `${endpoint} does not hold the root of slot ${formatCount(slot)}`,
  },
}
