import { formatCount, formatWei, type Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { again, KEY, type Next, parts } from '../../base/format/next.ts'
import type { OutcomeClass } from '../../chain/consensus/forecast.ts'
import type { OwnNonce } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import type { Beside } from '../../chain/network/standstill.ts'
import { besideWords, CATCHES_UP, RESTART_NODE } from '../../observe/findings.ts'
import { STEP_TEXT } from '../../view/text.ts'

const THEN_AGAIN = again`, then ${KEY} asks again`

const UNKNOWN = 'It is not known whether the transaction you abandoned was sent'
const KEY_IS_TAKEN =
  'don’t agree again: no first deposit of this key can count. See in step 2 what the key can still do, and docs/new-key.md'

const STEPS = { deposit: 'the first deposit', topup: 'the top-up' }
const USES = { used: 'used', open: 'may still use', abandoned: 'was abandoned and may still use' }

/** Every sentence of the last checks before money moves, beside those of their rows. */
export const GATE_TEXT = {
  sources: { typed: 'typed by you', keystore: 'keystore' },
  node: {
    catchesUp: `${CATCHES_UP}. Wait until it has, or restart the node`,
    otherKey:
      'the engine runs with another key than this validator’s: see that no other node signs with it (doctor with --standby), then restart the node with the home of this validator',
    syncing: (slot: bigint) => `reports that it is syncing, slot ${formatCount(slot)}`,
    hangs: (slot: bigint, beside: Beside) =>
      `is at slot ${formatCount(slot)}${besideWords(beside)}: ${RESTART_NODE}`,
    outrun: (slot: bigint, { name, block }: Beside & { is: 'ahead' }) =>
      `is at slot ${formatCount(slot)}, which the validator set has just signed; ${name} claims block ${formatCount(block)}: give another execution endpoint`,
    stands: (slot: bigint, beside: Beside) => `no new head, slot ${formatCount(slot)}${besideWords(beside)}`,
    follows: (slot: bigint) => `follows the chain, slot ${formatCount(slot)}`,
  },
  second: {
    notNewer: (head: bigint, signedAt: bigint) =>
      `at block ${formatCount(head)}; the validator set has signed block ${formatCount(signedAt)}, which settles it`,
    otherNonce: (there: number, here: number | undefined) =>
      `names nonce ${there}, the first one ${here ?? '–'}`,
    othersWait: (others: number) =>
      `has ${others === 1 ? 'another transaction' : `${others} other transactions`} of this account waiting`,
    otherChain: (endpoint: string, chainId: number) =>
      `${endpoint} names another chain: ${chainId}; see that it is an endpoint of this network`,
  },
  noReason: 'the contract refuses it and gives no reason',
  noRevertReason: 'It gave no reason.',
  /** The nonce that an endpoint names, and the payment of this journal that is against it. */
  nonceTaken: (nonce: number, { step, hash, use, nonce: taken }: OwnNonce) => {
    const payment = `${STEPS[step]}${hash === undefined ? '' : ` ${hash}`}`
    return `the endpoint names nonce ${nonce}, but ${payment} ${USES[use]} nonce ${taken}`
  },
  /** Whether the validator is the one that was agreed about. */
  agreed: {
    asPlanned: 'as planned',
    asAgreed: 'as agreed',
    otherOperator: (operator: Hex) =>
      `the contract names another operator: ${operator}; adopt it again in step 2`,
    slashed: 'the validator was slashed',
    leaving: `the validator ${STANDING_TEXT.isLeaving}`,
    otherPayout: 'it pays out to another address than planned',
    lessThanPaid: 'its proven balance is less than the first deposit',
    notRecorded: 'what you agreed to does not record the validator: agree again',
    arrived: (amount: string, block: bigint) =>
      `${amount} more arrived in block ${formatCount(block)}, not by this payment`,
    otherSender: (from: Hex) => `now paid from another account: ${from}`,
    otherNonce: (now: number | undefined, then: number | undefined) =>
      `the account's next nonce is ${now ?? '–'}, and was ${then ?? '–'} when you agreed`,
    dearer: (now: string, limit: string) => `the fee may be ${now} now, and you agreed to ${limit} at most`,
    depositsUnknown: 'it is not known now which deposits for this key there are',
    arrivedSince: (amount: string) => `${amount} more arrived since you agreed, not by this payment`,
    otherStake: (now: string, then: string) => `the stake is ${now}, and was ${then} when you agreed`,
    worse: {
      'below-threshold': 'this amount no longer passes the threshold: agree again',
      'lost-at-once': 'this amount now ranks too low: out at once and for ever',
      'drops-out': 'this amount no longer keeps a place in the active set: agree again',
      tie: 'this amount now only ties for the last place: agree again',
      'keeps-place': '',
    } satisfies Record<OutcomeClass, string>,
  },
  /** What keeps bytes from leaving. */
  held: {
    olderVersion:
      'you agreed in an older version of this program, which did not record the state of the validator',
    silent: (endpoint: string) => `${endpoint} must answer`,
    unread: (why: string) => `the deposits for this key can't be read. ${why}`,
    inPool: (nonce: number) => `another transaction with nonce ${nonce} is in the mempool`,
    abandoned: {
      sent: 'the transaction you abandoned was sent',
      'may-be-sent': 'the transaction you abandoned may have been sent',
      unknown: 'it is not known whether the transaction you abandoned was sent',
    },
  },
  /** Why it is not settled what became of an abandoned draft. */
  abandoned: {
    sent: {
      short: 'The transaction you abandoned was sent after all.',
      details: ['It is watched from now on. Nothing else is sent.'],
    },
    silent: (endpoints: string) => ({
      short: `${UNKNOWN}: no answer from ${endpoints}.`,
      details: ['Every execution endpoint must say so before anything else is sent.'],
      next: [parts`look at ${endpoints}${THEN_AGAIN}`],
    }),
    untold: {
      short: `${UNKNOWN}: an endpoint does not tell the deposits since then.`,
      details: ['Nothing else is sent before every execution endpoint has told them, and who made them.'],
      next: [STEP_TEXT.verdict.askAgain, 'if it stays so, set another execution endpoint'],
    },
    maybe: {
      short: 'The transaction you abandoned may have been sent.',
      details: [
        'A transaction with its nonce is in the mempool, or not every endpoint shows it yet. Nothing else is sent until that is settled.',
      ],
      next: [parts`wait${THEN_AGAIN}`],
    },
  },
  /** Why no account is known that pays. */
  noAccount: {
    unknown: 'The paying account is not known yet.',
    unnamed: 'The keystore file does not name its account.',
    contract: 'The account is a contract, so no keystore holds a key for it.',
  },
  oddReply: ['it answered for another transaction than the one that was asked for'],
  /** Why nothing was made or sent. */
  closed: {
    /** `isTaken`: no first deposit of this key can count any more. */
    changed: (why: string, isTaken?: true) => ({
      short: 'The validator has changed since you agreed. Nothing was sent.',
      details: [why],
      next: [isTaken ? KEY_IS_TAKEN : 'read the rows below, and agree again if it still fits'],
    }),
    /** `asked`: what the checks that did not pass ask for themselves. */
    checks: (details: readonly string[], asked: readonly Next[]) => ({
      short: 'The final checks did not pass. Nothing was created or sent.',
      details,
      next: asked.length === 0 ? ['change what the lines above name'] : asked,
    }),
    terms: (why: string) => ({
      short: 'This is not what you agreed to any more. Nothing was created or sent.',
      details: [why],
      next: ['read the rows below, and agree again if it still fits'],
    }),
    otherFacts: {
      short: 'The facts have changed since you agreed. Nothing was created or sent.',
      next: ['look at the amount again, and agree again if it still fits'],
    },
    unread: {
      short: 'The deposit that this program did not send could not be read completely.',
      next: [STEP_TEXT.verdict.askAgain],
    },
    noPayment: { short: 'There is no payment to replace.', next: [STEP_TEXT.verdict.askAgain] },
    tooDear: (foundWei: Wei, expectedWei: Wei) => ({
      short: 'The account does not hold what the higher fee may cost.',
      details: [`found ${formatWei(foundWei)}`, `expected at least ${formatWei(expectedWei)}`],
      next: ['send more to the paying account, or wait'],
    }),
    overLimit: (foundWei: Wei, mostWei: Wei) => ({
      short: 'The fee would pass the limit of this program.',
      details: [`found ${foundWei} wei per gas`, `expected at most ${mostWei}`],
      next: ['wait: what was sent stays valid'],
    }),
  },
}
