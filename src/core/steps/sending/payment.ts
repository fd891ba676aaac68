import { forkWarnings } from '../../consensus/fork-outlook.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatWei } from '../../format/amount.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { ActionView, FactRow, MoneyBand, Problem } from '../view.ts'
import { foreignProblem, otherDepositMoney } from './foreign-view.ts'
import { gapProblem } from './gap-view.ts'
import { showsGate } from './gate.ts'
import { handOverRows } from './hand-over-view.ts'
import { heldBackActions, heldBackProblem, isHeldBack } from './held-back-view.ts'
import { handedOut } from './outside.ts'
import {
  awaitsWallet,
  releaseOf,
  walletActions,
  walletNotes,
  walletQuestion,
  walletRows,
} from './outside-view.ts'
import { isAsked, isOpen, isWatched, mayHaveLeft, mayRelease, mayReopen } from './phases.ts'
import { rememberedMoney } from './remembered-view.ts'
import { replaceActions, replaceNotes, replaceRows } from './replace-view.ts'
import type { Payer, PaymentPlan, SendState } from './state.ts'

/** The rows of a payment that has been confirmed: the transaction, where it stands, where it was found. */
export function paymentRows(
  state: SendState,
  setup: Setup,
  words: { valueSource: string; valueExplain: string },
): FactRow[] {
  const { prepared, hash, mined } = state
  const { token } = setup.network.names
  const rows: FactRow[] = []
  const you = {
    later: state.phase === 'external' ? 'Not any more: it is handed out.' : 'Not any more: it is signed.',
  }
  if (prepared !== undefined) {
    const { transaction } = prepared
    rows.push({
      id: 'value',
      mark: 'proven',
      label: 'value',
      value: `${formatWei(transaction.valueWei)} ${token}`,
      source: words.valueSource,
      explain: {
        what: words.valueExplain,
        who: 'This computer.',
        ...you,
      },
    })
    if (prepared.contract !== true)
      rows.push({
        id: 'fee',
        mark: 'proven',
        label: 'nonce, most fee',
        value: `${transaction.nonce} · ${formatWei(transaction.gasLimit * transaction.maxFeePerGasWei)} ${token}`,
        source: 'the transaction',
        explain: {
          what: 'The number of the transaction and the most that it can cost besides the stake.',
          who: 'This computer.',
          ...you,
        },
      })
  }
  rows.push(...walletRows(state))
  rows.push(...handOverRows(state, setup))
  rows.push(...replaceRows(state, setup))
  if (hash !== undefined || state.tracking.status !== 'unasked') {
    rows.push(
      factRow({
        id: 'tracking',
        label: 'on the chain',
        observation: state.tracking,
        judge: () => !['reverted', 'foreign', 'cancelled'].includes(state.phase),
        say: (words) => words,
        long: () => state.otherDeposit?.hash,
        explain: {
          what: 'Where the transaction was found, by its hash.',
          who: 'The execution endpoint.',
          later: 'Once it is final it stays.',
        },
      }),
    )
  }
  if (mined !== undefined) {
    rows.push({
      id: 'mined',
      mark: isAsked(state) ? 'asking' : 'proven',
      label: 'block',
      value: `${mined.blockNumber}, ${blockWords(state)}`,
      source: 'the chain',
      explain: {
        what: 'The block that holds the transaction.',
        who: 'The execution endpoint.',
        later: 'No.',
      },
    })
  }
  return rows
}

function blockWords(state: SendState): string {
  if (state.remembered) return 'remembered'
  return isWatched(state) ? 'not final yet' : 'final'
}

/** The money band of a payment, by what may have left the wallet. */
export function paymentMoney(
  state: SendState,
  plan: PaymentPlan | undefined,
  setup: Setup,
  words: MoneyWords,
): MoneyBand {
  const { token } = setup.network.names
  const value = plan?.valueWei ?? state.plan?.valueWei
  const amount = value === undefined ? 'nothing' : `${formatWei(value)} ${token}`
  const other = otherDepositMoney(state)
  if (other !== undefined) return other
  if (state.remembered) return rememberedMoney(state, words.leftBefore(amount))
  if (state.phase === 'final')
    return { line: `left the wallet ${words.leftBefore(amount)}`, worst: words.after }
  if (state.phase === 'reverted')
    return { line: `the stake came back · only the fee was paid`, worst: 'worst case here: none.' }
  if (state.phase === 'foreign')
    return {
      line: `${amount} was not sent: another transaction took its number`,
      worst: 'worst case here: none from this payment.',
    }
  if (state.phase === 'cancelled') {
    return {
      line: `${amount} was not sent, it was cancelled · only a fee was paid`,
      worst: 'worst case here: none from this payment.',
    }
  }
  if (state.phase === 'external' && awaitsWallet(state)) {
    return {
      line: `${amount} leaves when it is signed and sent · it counts once`,
      worst: 'worst case: it is sent from there. Then it is found, and counts.',
    }
  }
  if (isWatched(state) && !mayHaveLeft(state)) {
    return {
      line: `${amount} is signed · nothing has left the wallet`,
      worst: 'worst case: none so far. It is sent once an endpoint can be asked; it counts once.',
    }
  }
  if (isWatched(state)) {
    return {
      line: `${amount} is signed and may have left the wallet · it counts once`,
      worst: 'worst case: it takes longer. Waiting changes nothing and is safe.',
    }
  }
  if (value === undefined)
    return { line: `${words.before} · nothing is sent now`, worst: 'worst case here: none.' }
  return { line: `${words.before} · next ${amount} + fee`, worst: words.worst }
}

/** What can be done about a payment that waits or stands still; nothing while all goes well. */
export function paymentActions(state: SendState, step: Payer): ActionView[] {
  const reopen: ActionView = { id: 'reopen', key: 'o', label: 'open again' }
  const retry: ActionView = { id: 'retry', key: 'r', label: 'ask again' }
  if (awaitsWallet(state)) return walletActions(state)
  if (isHeldBack(state)) return heldBackActions(state, { reopen, mayReopen: mayReopen(state, step) })
  if (isOpen(state) && state.failure === undefined)
    return [
      ...replaceActions(state),
      ...(mayReopen(state, step) && (state.stalled || state.gapFrom !== undefined) ? [reopen] : []),
    ]
  if (mayRelease(state)) return [releaseOf(state), retry]
  return mayReopen(state, step) ? [reopen, ...(isOpen(state) ? [retry] : [])] : [retry]
}

export type MoneyWords = {
  before: string
  worst: string
  after: string
  leftBefore: (amount: string) => string
}

/** A payment that failed, was refused, or lost its nonce, in words. One that is final has no problem any more. */
export function paymentProblem(state: SendState): Problem | undefined {
  if (state.remembered) return undefined
  if (isHeldBack(state)) return heldBackProblem(state)
  if (state.gapFrom !== undefined && isWatched(state)) return gapProblem(state)
  if (state.phase === 'reverted') {
    return {
      title: 'The contract refused the transaction.',
      money: 'untouched',
      values: state.hash === undefined ? [] : [{ label: 'transaction', value: state.hash }],
      lines: [
        state.reason ?? 'It gave no reason.',
        'The stake is back in the account; only the fee was paid.',
      ],
      next: ['o opens the step again, with all checks anew'],
    }
  }
  if (state.phase === 'foreign') return foreignProblem(state)
  if (state.phase === 'cancelled') {
    return {
      title: 'The payment was cancelled: the empty transfer took its number.',
      money: 'untouched',
      values: state.mined === undefined ? [] : [{ label: 'cancellation', value: state.mined.hash }],
      lines: ['The stake is still in the account; only a fee was paid.'],
      next: ['o opens the step again, with all checks anew'],
    }
  }
  if (state.phase === 'final') return undefined
  // What a wallet's bytes are refused for stands below the field that takes them.
  if (state.failure === undefined || handedOut(state) !== undefined) return undefined
  const { shortMessage, money, details, nextSteps } = state.failure
  return {
    title: shortMessage,
    money: isWatched(state) && mayHaveLeft(state) ? 'unknown' : money,
    values: [],
    lines: details,
    next: [...nextSteps, 'r asks again'],
  }
}

/** What the next key of a payment does, in sentences; first of all whether the chain's rules are about to change. */
export function paymentNotes(state: SendState, facts: Facts, setup: Setup): string[] {
  return [...forksSoon(state, facts, setup), ...walletNotes(state), ...replaceNotes(state)]
}

/** Nobody needs the warning once the money is on its way (`safety.md` #53). */
function forksSoon(state: SendState, { genesis }: Facts, { network }: Setup): string[] {
  const chain = known(state.seen.chain)
  if (chain === undefined || !showsGate(state)) return []
  return forkWarnings(network.spec, chain.fork.timestampSeconds, genesis?.forksAhead)
}

/** The heading above the rows of a payment that was agreed to. */
export function paymentTitle(state: SendState): string {
  return awaitsWallet(state) ? walletQuestion(state) : 'Where is the transaction?'
}
