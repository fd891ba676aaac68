import { formatCount } from '../base/format/amount.ts'
import { again, KEY } from '../base/format/next.ts'
import type { Evidence, SignedBy } from '../chain/network/network.ts'
import { STEP_IDS, type StepId } from './view.ts'

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

/** What a step is called: `name` in the line of steps, in lines and reports, `title` above its page. */
type StepName = { name: string; title: string }

const of: Readonly<Record<StepId, StepName>> = {
  genesis: { name: 'genesis', title: 'Check the chain' },
  identity: { name: 'identity', title: 'Check the key' },
  sign: { name: 'sign', title: 'Sign the first deposit' },
  deposit: { name: 'deposit', title: 'Send the first deposit' },
  confirm: { name: 'confirm', title: 'Prove the registration' },
  topup: { name: 'top-up', title: 'Top up the stake' },
  status: { name: 'status', title: 'Follow the validator' },
}

/** Where a step stands in the order, with its name: `1 of 7, genesis`. */
const place = (step: StepId): string =>
  `${STEP_IDS.indexOf(step) + 1} of ${STEP_IDS.length}, ${of[step].name}`

/** The two names of each step. Whoever names a step takes them from here, so that it is called the same everywhere. */
export const STEP_NAMES_TEXT = { of, place }

/** How strong the evidence of a signed block is, and which endpoints it left out. */
const signed = ({ percent, height, leftOut: names }: SignedBy): string =>
  `signed by ${percent} % of the set, block ${formatCount(height)}${leftOut(names)}`

const leftOut = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` (left out: ${names.join(', ')})`

/** What is said of the evidence that bears out the root of a proof. */
export const EVIDENCE_TEXT = {
  signed,
  /** The same words with the endpoints that a signature left out. */
  withLeftOut: (words: string, names: readonly string[]): string => `${words}${leftOut(names)}`,
  /** The set's signature where there is one, else how many endpoints hold the root, as `held` words it. */
  root: ({ anchors, signed: by }: Evidence, held: (anchors: number) => string): string =>
    by === undefined ? held(anchors) : signed(by),
}
