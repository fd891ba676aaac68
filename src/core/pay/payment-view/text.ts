import { formatCount } from '../../base/format/amount.ts'
import { decides, KEY, parts, shows } from '../../base/format/next.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import type { MoneyBand, Problem } from '../../view/view.ts'

/** What a step says of the money of its payment. */
export type MoneyText = {
  before: string
  worst: string
  after: string
  leftBefore: (amount: string) => string
}

type ProblemText = Pick<Problem, 'title' | 'lines' | 'next'>
type EndKind = 'paid' | 'reverted' | 'cancelled' | 'nonce-taken'

const OPENS = decides('o')`${KEY} opens the step again and repeats all checks`
const NONE = 'worst case here: none.'
const NONE_FROM_THIS = 'worst case here: none from this payment.'
const PAYS = 'The account that pays the stake and the fee.'

/** The money band of a payment, by where it stands. */
const money = {
  noPlan: (before: string): MoneyBand => ({ line: `${before} · nothing is sent now`, worst: NONE }),
  next: ({ before, worst }: MoneyText, amount: string, fee: string | undefined): MoneyBand => ({
    line: `${before} · next ${amount} + ${fee === undefined ? 'fee' : `fee up to ${fee}`}`,
    worst,
  }),
  otherDeposit: {
    line: 'a deposit for this key is on the chain · sign and send nothing more',
    worst: 'worst case: the prepared transaction is sent too; then both count.',
  },
  exported: (amount: string): MoneyBand => ({
    line: `${amount} leaves when it is signed and sent · it counts once`,
    worst: 'worst case: your wallet sends it anyway; it is found and counts once.',
  }),
  signed: (amount: string): MoneyBand => ({
    line: `${amount} is signed · nothing has left the wallet`,
    worst: 'worst case: none so far. It is sent when an endpoint answers.',
  }),
  mayHaveLeft: (amount: string): MoneyBand => ({
    line: `${amount} is signed and may have left the wallet · it counts once`,
    worst: 'worst case: it takes longer. Waiting changes nothing and is safe.',
  }),
  /** What was agreed to holds no more, or a word agreed to cancel it. */
  keptBack: (amount: string, isOut: boolean): MoneyBand =>
    isOut
      ? {
          line: `${amount} is signed and may have left the wallet · it counts once`,
          worst: 'worst case: an endpoint that has the payment puts it in a block first. Then it is paid.',
        }
      : {
          line: `${amount} is signed · nothing has left the wallet`,
          worst: 'worst case: none. Bearings does not send it.',
        },
  remembered: (outcome: EndKind, block: bigint | undefined, left: string): MoneyBand => {
    const ends: Record<EndKind, string> = {
      paid: `${left} left the wallet`,
      reverted: 'the contract refused the payment',
      'nonce-taken': 'another transaction used the nonce',
      cancelled: 'the payment was cancelled',
    }
    return {
      line: `remembered${block === undefined ? '' : `, block ${formatCount(block)}`}: ${ends[outcome]} · asking the chain`,
      worst: 'worst case here: none. Nothing is sent before the chain has confirmed it.',
    }
  },
  paid: (left: string, worst: string): MoneyBand => ({ line: `left the wallet ${left}`, worst }),
  reverted: { line: 'the stake came back · only the fee was paid', worst: NONE },
  cancelled: (amount: string): MoneyBand => ({
    line: `${amount} was not sent, it was cancelled · only a fee was paid`,
    worst: NONE_FROM_THIS,
  }),
  paidByOther: {
    line: 'a deposit for this key is on the chain · not from this payment',
    worst: NONE_FROM_THIS,
  },
  nonceTaken: (amount: string): MoneyBand => ({
    line: `${amount} was not sent: another transaction used its nonce`,
    worst: NONE_FROM_THIS,
  }),
}

/** What went wrong with a payment; `isOut`: its bytes may be elsewhere, `key`: the key that abandons it. */
const problems = {
  reverted: (reason: string): ProblemText => ({
    title: 'The contract refused the transaction.',
    lines: [reason, 'The stake is back in the account; only the fee was paid.'],
    next: [OPENS],
  }),
  cancelled: {
    title: 'The payment was cancelled: the empty transfer used its nonce.',
    lines: ['The stake is still in the account; only a fee was paid.'],
    next: [OPENS],
  },
  nonceTaken: (isPaid: boolean): ProblemText => {
    const paid = isPaid
      ? 'A deposit for this key is on the chain, from another account than the one here.'
      : 'Nothing of this step was paid.'
    return {
      title: 'Another transaction from this account used our nonce.',
      lines: [`Another program uses this account. ${paid}`],
      next: ['find out which program that is', OPENS],
    }
  },
  heldBack: (why: string, { isOut, key }: { isOut: boolean; key: string }): ProblemText => ({
    title: 'The chain has changed since you agreed. The payment is held back.',
    lines: [
      why,
      isOut
        ? 'An endpoint or your wallet may have it. If one of them sends it, it is found on chain and counted once.'
        : 'It never left this computer.',
    ],
    next: [
      ...(isOut ? [decides('x')`${KEY} cancels it, so that it cannot be paid any more`] : []),
      decides(
        key,
      )`${KEY} abandons it; your next payment has the same nonce, so that only one of them can happen`,
    ],
  }),
  /** A word agreed to cancel it, and the cancellation is not signed; `why`: what kept it from being signed. */
  notCanceled: (why: string | undefined): ProblemText => ({
    title: 'Not canceled, and not sent again.',
    lines: [
      ...(why === undefined ? [] : [why]),
      'You agreed to cancel this payment, and the cancellation is not signed. Bearings sends nothing of the payment.',
    ],
    next: [
      decides('x')`${KEY} signs the cancellation, so that the payment cannot happen any more`,
      decides('a')`${KEY} sends the payment again`,
    ],
  }),
  /** The account is at `from`, and the nonce of the payment is a later one. */
  gap: (from: number, nonce: number, { isOut, key }: { isOut: boolean; key: string }): ProblemText => {
    const last = nonce - 1
    const between = last === from ? `nonce ${from} is` : `the nonces ${from} to ${last} are`
    return {
      title: `The nonce of this payment is ${nonce}, and the account is at ${from}: it is too high.`,
      lines: [
        'An endpoint named the wrong nonce when the payment was made. Every endpoint names a lower one now.',
        `The chain takes nonces in order: the payment waits until ${between} used. Then it is sent, and counts once.`,
      ],
      next: [
        parts`use nonce ${String(from)} for an empty transfer to your own account${shows('c')`: ${KEY} shows the command that signs it`}`,
        isOut
          ? decides('x')`${KEY} cancels the payment once the nonces before it are used`
          : decides(key)`${KEY} abandons the payment`,
      ],
    }
  },
  labels: {
    transaction: 'transaction',
    cancellation: 'cancellation',
    ours: 'ours, which can never happen now',
    deposit: 'deposit for the key',
  },
}

/** The fields that take the paying account and what an external signer made. */
const fields = {
  external: {
    label: 'paying account',
    hint: 'its address, with the capitals; its key stays in your wallet',
    explain: {
      what: `${PAYS} An external signer signs for it.`,
      who: 'You. The signed bytes must name the same account.',
      later: 'Yes, until the transaction is made.',
    },
  },
  keystore: (isNamed: boolean) => ({
    label: 'paying account',
    hint: `${isNamed ? 'the account of the keystore' : 'the keystore names no account: type it'}, with the capitals`,
    explain: {
      what: `${PAYS} A keystore file may name it; Foundry’s do not.`,
      who: 'The keystore file, or you. The key in the keystore must be of the same account, or nothing is signed.',
      later: 'Yes, until the transaction is made.',
    },
  }),
  signed: {
    label: 'signed transaction',
    hint: 'the line that begins with 0x02, or the path of a file that holds it',
    explain: {
      what: 'What the wallet machine printed. Every field of it is compared with what was exported.',
      who: 'Your wallet; the comparison is made here.',
      later: 'No. Once it is taken, it is written down and sent.',
    },
  },
}

/** Every sentence of a payment beside its rows. Amounts come with their token. */
export const PAYMENT_TEXT = {
  money,
  problems,
  fields,
  nothing: 'nothing',
  titles: {
    sought: 'Where is the transaction?',
    contract: 'What do the owners carry out?',
    wallet: 'What does your wallet sign?',
  },
  verdict: {
    /** `outcome`: what the payment comes to, where that is said first. */
    good: (checks: number, isExternal: boolean, outcome: string | undefined) =>
      `${outcome === undefined ? 'All' : `${outcome}; all`} ${checks} checks pass. Enter ${isExternal ? 'prepares it for your wallet' : 'goes on'}.`,
    passed: (checks: number, outcome: string | undefined) =>
      `${outcome === undefined ? 'All' : `${outcome}; all`} ${checks} checks pass.`,
    remembered: 'The journal says how this payment ended; the chain is asked again.',
    unpaid: 'This payment did not happen.',
    /** Another transaction with the nonce of the payment paid another amount. */
    paidOther: ({ paid, agreed }: { paid: string; agreed: string }) =>
      `Paid ${paid}, not the ${agreed} that you agreed to: another transaction used the nonce.`,
    paid: (block: bigint) => `Paid: in block ${formatCount(block)}, and final. Enter goes on.`,
    agreed: 'The final checks run once more before anything is signed.',
    included: (block: bigint) => `In block ${formatCount(block)}, not final yet. There is nothing to do.`,
    wallet: 'Your wallet must sign it. This program sends nothing before that.',
    exported: 'Exported to your wallet. The chain is watched for the transaction.',
    heldBack: 'Held back: Bearings does not send it any more. See below.',
    notCanceled: 'Not canceled, and not sent again. See below.',
    replacing: 'Agreed to: the keystore signs it, with the same nonce.',
    canceling: 'The cancellation waits for a block. Until then the payment may still be paid.',
    stuck: 'Stuck: sent, but in no block for a long time. Waiting is safe.',
    /** No new block is seen at the own endpoint, nor anywhere else. */
    noBlock: ({ slot, beside }: NodeDoubt) =>
      `${beside.is === 'same' ? 'The chain makes no block' : 'No new block is seen'}; the last is block ${formatCount(slot)}. Waiting is safe.`,
    unsent: 'Signed, and not sent by this program yet: see what it waits for below.',
    unheard: 'Signed. Nobody answers where it is: see below. Waiting is safe.',
    signed: 'Signed, waiting for a block. There is nothing to do.',
  },
  waiting: {
    checks: 'for the checks; then the transaction is made',
    password: 'for the password of the keystore',
    signature: 'for the signature',
    contract: 'for the owners of the account',
    wallet: 'for the signature of your wallet',
    chain: 'for the chain',
    remembered: 'for the chain to confirm the journal',
  },
  keys: {
    openAgain: 'open again',
    askAgain: 'ask again',
    lookAgain: 'look again',
    abandon: 'abandon it',
    cancel: 'cancel it',
    cancelPayment: 'cancel the payment',
    signCancellation: 'sign the cancellation',
    sendAgain: 'send it again',
    speedUp: 'speed it up',
    keepWaiting: 'keep waiting',
    saveBatch: 'save it for the Safe',
    saveCommand: 'save the command',
    import: 'import it signed',
    account: 'account',
    external: 'external signer',
    keystore: 'use the keystore',
  },
  /** What must be typed before Enter counts, the same in every language; an amount follows the first ones. */
  typed: {
    send: 'send',
    prepare: 'prepare',
    rescue: 'rescue',
    risk: 'risk',
    speedUp: 'speed up',
    cancel: 'cancel',
    sendAgain: 'send again',
    neverSigned: 'never signed',
    neverCarriedOut: 'never carried out',
  },
}
