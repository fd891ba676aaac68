import { forkWarnings } from '../../consensus/fork-outlook.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { showsGate } from '../gate/view.ts'
import { known } from '../observation.ts'
import { draftOf, endedOf, liveOf, newestBytes, paymentBytes, planOf } from '../payment/candidates.ts'
import type { EndedPayment, PaymentPlan, PaymentState } from '../payment/payment.ts'
import { awaitsWallet, exportedOf, mayAbandon, mayHaveLeft } from '../payment/sign-again.ts'
import type { MoneyBand, Problem } from '../view.ts'
import { walletNotes } from './external.ts'

/** The words of a step for the money of its payment. */
export type MoneyWords = {
  before: string
  worst: string
  after: string
  leftBefore: (amount: string) => string
}

/** The money band of a payment, by what may have left the wallet. */
export function paymentMoney(
  state: PaymentState,
  plan: PaymentPlan | undefined,
  { network }: Setup,
  words: MoneyWords,
): MoneyBand {
  const value = plan?.valueWei ?? planOf(state)?.valueWei
  const amount = value === undefined ? 'nothing' : `${formatWei(value)} ${network.names.token}`
  const ended = endedOf(state)
  if (ended !== undefined) return endedMoney(ended, amount, words)
  const live = liveOf(state)
  if (live === undefined) {
    if (value === undefined)
      return { line: `${words.before} · nothing is sent now`, worst: 'worst case here: none.' }
    return {
      line: `${words.before} · next ${amount} + ${feeWords(state)}`,
      worst: words.worst,
    }
  }
  if (state.watch.otherDeposit !== undefined)
    return {
      line: 'a deposit for this key is on the chain · sign and send nothing more',
      worst: 'worst case: the prepared transaction is sent too; then both count.',
    }
  if (live.phase === 'exported')
    return {
      line: `${amount} leaves when it is signed and sent · it counts once`,
      worst: 'worst case: your wallet sends it anyway; it is found and counts once.',
    }
  if (!mayHaveLeft(state))
    return {
      line: `${amount} is signed · nothing has left the wallet`,
      worst: 'worst case: none so far. It is sent when an endpoint answers.',
    }
  return {
    line: `${amount} is signed and may have left the wallet · it counts once`,
    worst: 'worst case: it takes longer. Waiting changes nothing and is safe.',
  }
}

/** What the fee can be at most, once the gate has its price. */
function feeWords({ seen }: PaymentState): string {
  const price = known(seen.balance)?.price
  return price === undefined ? 'fee' : `fee up to ${formatWei(price.gasLimit * price.maxFeePerGasWei)}`
}

const NONE_FROM_THIS = 'worst case here: none from this payment.'

function endedMoney({ outcome, remembered }: EndedPayment, amount: string, words: MoneyWords): MoneyBand {
  if (remembered) {
    const block = 'included' in outcome ? `, block ${outcome.included.blockNumber}` : ''
    const what = outcome.is === 'paid' ? `${words.leftBefore(amount)} left the wallet` : UNPAID[outcome.is]
    return {
      line: `remembered${block}: ${what} · asking the chain`,
      worst: 'worst case here: none. Nothing is sent before the chain has confirmed it.',
    }
  }
  switch (outcome.is) {
    case 'paid':
      return { line: `left the wallet ${words.leftBefore(amount)}`, worst: words.after }
    case 'reverted':
      return { line: `the stake came back · only the fee was paid`, worst: 'worst case here: none.' }
    case 'cancelled':
      return { line: `${amount} was not sent, it was cancelled · only a fee was paid`, worst: NONE_FROM_THIS }
    case 'nonce-taken':
      if (outcome.otherDeposit !== undefined)
        return {
          line: 'a deposit for this key is on the chain · not from this payment',
          worst: NONE_FROM_THIS,
        }
      return { line: `${amount} was not sent: another transaction used its nonce`, worst: NONE_FROM_THIS }
  }
}

const UNPAID = {
  reverted: 'the contract refused the payment',
  'nonce-taken': 'another transaction used the nonce',
  cancelled: 'the payment was cancelled',
} as const

type Values = Problem['values']

const valuesOf = (rows: readonly { label: string; value: string | undefined }[]): Values =>
  rows.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))

/** Whether signed bytes stay here, as what was agreed to holds no more. */
export function isHeldBack(state: PaymentState): boolean {
  const live = liveOf(state)
  if (live?.heldBack === undefined || paymentBytes(state) === undefined) return false
  return live.replacement?.kind !== 'cancellation' && newestBytes(state)?.kind !== 'cancellation'
}

/** A payment that failed, was refused, waits for ever, or lost its nonce, in words. One that is paid has no problem. */
export function paymentProblem(state: PaymentState): Problem | undefined {
  const ended = endedOf(state)
  if (ended !== undefined) return ended.remembered ? undefined : endProblem(state, ended)
  if (isHeldBack(state)) return heldBackProblem(state)
  if (liveOf(state) !== undefined && state.watch.gapFrom !== undefined) return gapProblem(state)
  // What an external signer's bytes are refused for stands below the field that takes them.
  if (state.failure === undefined || exportedOf(state) !== undefined) return undefined
  const { shortMessage, money, details, nextSteps } = state.failure
  const isOut = liveOf(state) !== undefined && mayHaveLeft(state)
  return {
    title: shortMessage,
    money: isOut ? 'unknown' : money,
    values: [],
    lines: details,
    next: [...nextSteps, 'r asks again'],
  }
}

const OPENS = 'o opens the step again and repeats all checks'

function endProblem(state: PaymentState, { outcome }: EndedPayment): Problem | undefined {
  const hash = paymentBytes(state)?.hash
  switch (outcome.is) {
    case 'paid':
      return undefined
    case 'reverted':
      return {
        title: 'The contract refused the transaction.',
        money: 'untouched',
        values: valuesOf([{ label: 'transaction', value: hash }]),
        lines: [outcome.reason, 'The stake is back in the account; only the fee was paid.'],
        next: [OPENS],
      }
    case 'cancelled':
      return {
        title: 'The payment was cancelled: the empty transfer used its nonce.',
        money: 'untouched',
        values: [{ label: 'cancellation', value: outcome.included.hash }],
        lines: ['The stake is still in the account; only a fee was paid.'],
        next: [OPENS],
      }
    case 'nonce-taken': {
      const paid =
        outcome.otherDeposit === undefined
          ? 'Nothing of this step was paid.'
          : 'A deposit for this key is on the chain, from another account than the one here.'
      return {
        title: 'Another transaction from this account used our nonce.',
        money: 'untouched',
        values: valuesOf([
          { label: 'ours, which can never happen now', value: hash },
          { label: 'deposit for the key', value: outcome.otherDeposit?.hash },
        ]),
        lines: [`Another program uses this account. ${paid}`],
        next: ['find out which program that is', OPENS],
      }
    }
  }
}

/** Why a signed payment stays here, where it may be all the same, and the way on. */
function heldBackProblem(state: PaymentState): Problem {
  const isOut = mayHaveLeft(state)
  return {
    title: 'The chain has changed since you agreed. The payment is held back.',
    money: isOut ? 'unknown' : 'untouched',
    values: valuesOf([{ label: 'transaction', value: paymentBytes(state)?.hash }]),
    lines: [
      liveOf(state)?.heldBack ?? '',
      isOut
        ? 'An endpoint or your wallet may have it. If it is sent from there, it is found on chain and counts once.'
        : 'It never left this computer.',
    ],
    next: [
      ...(isOut ? ['x cancels it, so that it cannot be paid any more'] : []),
      `${mayAbandon(state) ? 'g' : 'o'} abandons it; your next payment has the same nonce, so that only one of them can happen`,
    ],
  }
}

/** A payment that sleeps, as the nonces before its own are not used. */
function gapProblem(state: PaymentState): Problem | undefined {
  const nonce = draftOf(state)?.transaction.nonce
  const { gapFrom } = state.watch
  if (nonce === undefined || gapFrom === undefined) return undefined
  const isOut = mayHaveLeft(state)
  const last = nonce - 1
  const between = last === gapFrom ? `nonce ${gapFrom} is` : `the nonces ${gapFrom} to ${last} are`
  return {
    title: `The nonce of this payment is ${nonce}, and the account is at ${gapFrom}: it is too high.`,
    money: isOut ? 'unknown' : 'untouched',
    values: valuesOf([{ label: 'transaction', value: paymentBytes(state)?.hash }]),
    lines: [
      'An endpoint named the wrong nonce when the payment was made. Every endpoint names a lower one now.',
      `The chain takes nonces in order: the payment waits until ${between} used. Then it is sent, and counts once.`,
    ],
    next: [
      `use nonce ${gapFrom} for an empty transfer to your own account: c shows the command that signs it`,
      ...(isOut
        ? ['x cancels the payment once the nonces before it are used']
        : [`${mayAbandon(state) ? 'g' : 'o'} abandons the payment`]),
    ],
  }
}

/** What the next key of a payment does, in sentences; first of all whether the chain's rules are about to change. */
export function paymentNotes(state: PaymentState, facts: Facts, setup: Setup): string[] {
  return [...forksSoon(state, facts, setup), ...walletNotes(state), ...replaceNotes(state)]
}

/** Nobody needs the warning once the money is on its way. */
function forksSoon(state: PaymentState, { genesis }: Facts, { network }: Setup): string[] {
  const chain = known(state.seen.chain)
  if (chain === undefined || !showsGate(state)) return []
  return forkWarnings(network.spec, chain.fork.timestampSeconds, genesis?.forksAhead)
}

/** What the next key does about a payment that is stuck, before a word is typed for it. */
function replaceNotes(state: PaymentState): string[] {
  const { offer, watch } = state
  if (offer?.kind === 'speed-up')
    return ['The same payment with a higher fee. The chain takes only one of the two: it is paid once.']
  if (offer?.kind === 'cancellation') {
    return [
      'An empty transfer to your own account uses the nonce of the payment, so that the payment cannot happen any more.',
      'The payment may still win: it may be in the next block already. Then it counts, and this screen says so.',
    ]
  }
  const live = liveOf(state)
  // What is held back is never sped up, and its problem says how to cancel it.
  const isOpen = live !== undefined && live.heldBack === undefined && live.replacement === undefined
  const waits = watch.isStuck && isOpen && !live.included
  return waits && mayHaveLeft(state)
    ? ['The transaction is stuck. Waiting is safe. b speeds it up, x tries to cancel it.']
    : []
}

/** The heading above the rows of a payment that was agreed to. */
export function paymentTitle(state: PaymentState): string {
  if (!awaitsWallet(state)) return 'Where is the transaction?'
  return draftOf(state)?.signer === 'contract'
    ? 'What do the owners carry out?'
    : 'What does your wallet sign?'
}
