import { formatWei, type Gwei, gweiToWei, type Wei } from '../../base/format/amount.ts'
import { namesKey } from '../../base/format/next.ts'
import type { Facts, PaymentFact, Setup } from '../../chain/facts.ts'
import { awaitedOf } from '../../observe/findings.ts'
import { known } from '../../view/observation.ts'
import { errorProblem, problemOf, provenCount, rowsVerdict } from '../../view/rows.ts'
import { STEP_TEXT } from '../../view/text.ts'
import type { FactRow, LeftWallet, MoneyBand, Problem, Verdict, Waiting } from '../../view/view.ts'
import { feeLimitWei } from '../funds.ts'
import { signsExternally } from '../gate/nonce.ts'
import {
  agreedPlan,
  draftOf,
  endedOf,
  foundInBlock,
  liveOf,
  newestBytes,
  paymentBytes,
  signsReplacement,
  timesSent,
} from '../payment/candidates.ts'
import { chainStands } from '../payment/heads.ts'
import type { EndedPayment, PaymentPlan, PaymentState } from '../payment/payment.ts'
import {
  awaitsWallet,
  exportedOf,
  mayAbandon,
  mayHaveLeft,
  maySendAgain,
  waitOf,
} from '../payment/sign-again.ts'
import { type MoneyText, PAYMENT_TEXT as TEXT } from './text.ts'

/** The final checks in one line; `isOpen`: Enter is there to be pressed; `outcome`: what the payment comes to. */
export function gateVerdict(
  state: PaymentState,
  { checks, isOpen, outcome }: { checks: readonly FactRow[]; isOpen: boolean; outcome?: string | undefined },
  setup: Setup,
): Verdict {
  const proven = provenCount(checks)
  const good = TEXT.verdict.good(proven, signsExternally(state, setup), outcome)
  const verdict = rowsVerdict(checks, { isOpen, good })
  return isOpen ? { ...verdict, bare: TEXT.verdict.passed(proven, outcome) } : verdict
}

/** Returns where a payment stands that was agreed to, in one line. */
export function paymentVerdict(state: PaymentState, setup: Pick<Setup, 'network'>): Verdict {
  const { verdict: text } = TEXT
  const ended = endedOf(state)
  if (ended?.remembered === true) return { mark: 'asking', text: text.remembered }
  const other = otherAmount(state, setup)
  if (ended !== undefined && other !== undefined) return { mark: 'refused', text: text.paidOther(other) }
  if (ended?.outcome.is === 'paid')
    return { mark: 'proven', text: text.paid(ended.outcome.included.blockNumber) }
  if (ended !== undefined) return { mark: 'refused', text: text.unpaid }
  const live = liveOf(state)
  if (live === undefined) return { mark: 'asking', text: text.agreed }
  const isUnheard = state.tracking.status === 'failed'
  if (live.included !== undefined)
    return isUnheard
      ? { mark: 'unknown', text: text.unheard }
      : { mark: 'asking', text: text.included(live.included.blockNumber) }
  if (awaitsWallet(state)) return { mark: 'unasked', text: text.wallet }
  if (live.phase === 'exported') return { mark: 'asking', text: text.exported }
  if (signsReplacement(state)) return { mark: 'asking', text: text.replacing }
  if (isHeldBack(state)) return { mark: 'unknown', text: text.heldBack }
  if (maySendAgain(state)) return { mark: 'unknown', text: text.notCanceled }
  const status = known(state.tracking)?.is
  if (
    timesSent(state) === 0 &&
    (state.memory.isStuck || status === 'world-unknown' || status === 'one-silent')
  )
    return { mark: 'unknown', text: text.unsent }
  const { doubt, isStuck } = state.memory
  if (live.cancelAgreed === true)
    return { mark: isUnheard || isStuck ? 'unknown' : 'asking', text: text.canceling }
  if (isUnheard) return { mark: 'unknown', text: text.unheard }
  if (doubt !== undefined && chainStands(state.memory)) return { mark: 'unknown', text: text.noBlock(doubt) }
  return isStuck ? { mark: 'unknown', text: text.stuck } : { mark: 'asking', text: text.signed }
}

/** What was paid in the place of the payment and what was agreed to, where these are two amounts. */
function otherAmount(
  state: PaymentState,
  { network }: Pick<Setup, 'network'>,
): { paid: string; agreed: string } | undefined {
  const found = foundInBlock(state)
  const plan = agreedPlan(state)
  if (found === undefined || plan === undefined || found.valueWei === plan.valueWei) return undefined
  const tokens = (valueWei: Wei) => `${formatWei(valueWei)} ${network.names.token}`
  return { paid: tokens(found.valueWei), agreed: tokens(plan.valueWei) }
}

/** Returns what a payment waits for, in words, and since when: one wait goes on however often it is looked at. */
export function paymentWaiting(state: PaymentState, { passwordDescriptor }: Setup): Waiting | undefined {
  const { waiting: text } = TEXT
  const what = waitOf(state)
  if (what === undefined) return undefined
  const labels = {
    checks: text.checks,
    signature: passwordDescriptor === undefined ? text.password : text.signature,
    wallet: draftOf(state)?.signer === 'contract' ? text.contract : text.wallet,
    chain: endedOf(state) === undefined ? text.chain : text.remembered,
  }
  const { doubt } = state.memory
  if (what === 'chain' && doubt !== undefined && liveOf(state) !== undefined) return awaitedOf(doubt)
  // The command that notes the time begins right after the event that the wait began with.
  return { label: labels[what], sinceMs: state.wait?.what === what ? state.wait.sinceMs : undefined }
}

/** Returns the heading above the rows of a payment that was agreed to. */
export function paymentTitle(state: PaymentState): string {
  if (!awaitsWallet(state)) return TEXT.titles.sought
  return draftOf(state)?.signer === 'contract' ? TEXT.titles.contract : TEXT.titles.wallet
}

/** Returns the money band of a payment, by what may have left the wallet; `plan` is what would be agreed to next. */
export function paymentMoney(
  state: PaymentState,
  plan: PaymentPlan | undefined,
  { network }: Setup,
  text: MoneyText,
): MoneyBand {
  const { money } = TEXT
  const value = (foundInBlock(state) ?? agreedPlan(state) ?? plan)?.valueWei
  const amount = value === undefined ? TEXT.nothing : `${formatWei(value)} ${network.names.token}`
  const ended = endedOf(state)
  if (ended !== undefined) return endedMoney(ended, amount, text)
  const live = liveOf(state)
  if (live === undefined && value === undefined) return money.noPlan(text.before)
  if (live === undefined) return money.next(text, amount, feeOf(state))
  if (state.memory.otherDeposit !== undefined) return money.otherDeposit
  if (live.phase === 'exported') return money.exported(amount)
  const isOut = mayHaveLeft(state)
  if (live.heldBack !== undefined || live.cancelAgreed === true) return money.keptBack(amount, isOut)
  return isOut ? money.mayHaveLeft(amount) : money.signed(amount)
}

type Payments = {
  /** The journal of the key may not be used, or holds no payment of a key that was paid for: nobody here knows what was paid. */
  isUnknown: boolean
  deposit: PaymentState
  topUp: PaymentState
  finished: readonly PaymentFact[]
  /** What guards have paid; `isAll`: nothing more of them may have left. */
  byGuards: { paidGwei: Gwei; isAll: boolean }
}

/** What has left the wallet by all payments so far, for a step that sends nothing; undefined where nothing has. */
export function leftLine(payments: Payments, facts: Facts, { network }: Setup): LeftWallet | undefined {
  const { left } = STEP_TEXT
  const { isUnknown, deposit, topUp, finished, byGuards } = payments
  if (isUnknown) return { is: 'unknown', text: left.unknown }
  const paidWei = finished.reduce(
    (sum, { valueWei }) => sum + valueWei,
    (facts.deposit?.valueWei ?? 0n) + gweiToWei(byGuards.paidGwei),
  )
  // Before a key is registered no guard of it can be.
  const isAll = byGuards.isAll || (paidWei === 0n && facts.registration === undefined)
  const paidText = `${formatWei(paidWei)} ${network.names.token}`
  const paid = isAll ? paidText : left.withGuard(paidText)
  if (liveOf(topUp) !== undefined) return { is: 'perhaps', text: left.perhapsTopUp(paid) }
  if (liveOf(deposit) !== undefined) return { is: 'perhaps', text: left.perhapsDeposit }
  if (!isAll) return { is: 'perhaps', text: left.paid(paid) }
  return paidWei === 0n ? undefined : { is: 'paid', text: left.paid(paid) }
}

/** What the fee can be at most, once the gate has its price. */
function feeOf({ observed }: PaymentState): string | undefined {
  const price = known(observed.balance)?.price
  return price && formatWei(feeLimitWei(price))
}

function endedMoney({ outcome, remembered }: EndedPayment, amount: string, text: MoneyText): MoneyBand {
  const { money } = TEXT
  const left = text.leftBefore(amount)
  if (remembered) {
    const block = 'included' in outcome ? outcome.included.blockNumber : undefined
    return money.remembered(outcome.is, block, left)
  }
  switch (outcome.is) {
    case 'paid':
      return money.paid(left, text.after)
    case 'reverted':
      return money.reverted
    case 'cancelled':
      return money.cancelled(amount)
    case 'nonce-taken':
      return outcome.otherDeposit === undefined ? money.nonceTaken(amount) : money.paidByOther
  }
}

const valuesOf = (rows: readonly { label: string; value: string | undefined }[]): Problem['values'] =>
  rows.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))

/** Whether signed bytes stay here, as what was agreed to holds no more. */
export function isHeldBack(state: PaymentState): boolean {
  const live = liveOf(state)
  if (live?.heldBack === undefined || paymentBytes(state) === undefined) return false
  return live.replacement?.kind !== 'cancellation' && newestBytes(state)?.kind !== 'cancellation'
}

const event = (what: string) => ({ id: `payment.${what}`, kind: 'event' }) as const

/** A payment that failed, was refused, waits for ever, or lost its nonce, in words. One that is paid has no problem. */
export function paymentProblem(state: PaymentState): Problem | undefined {
  const ended = endedOf(state)
  if (ended !== undefined) return ended.remembered ? undefined : endProblem(state, ended)
  const live = liveOf(state)
  const { gapFrom } = state.memory
  const isOut = mayHaveLeft(state)
  const money = isOut ? 'unknown' : 'untouched'
  const way = { isOut, key: mayAbandon(state) ? 'g' : 'o' }
  const values = valuesOf([{ label: TEXT.problems.labels.transaction, value: paymentBytes(state)?.hash }])
  if (isHeldBack(state))
    return problemOf(event('held-back'), TEXT.problems.heldBack(live?.heldBack ?? '', way), values, money)
  if (maySendAgain(state) && !signsReplacement(state) && !awaitsWallet(state))
    return problemOf(
      event('not-canceled'),
      TEXT.problems.notCanceled(state.failure?.shortMessage),
      values,
      money,
    )
  if (live !== undefined && gapFrom !== undefined) {
    const { nonce } = live.draft.transaction
    return problemOf(event('nonce-too-high'), TEXT.problems.gap(gapFrom, nonce, way), values, money)
  }
  // What an external signer's bytes are refused for stands below the field that takes them.
  if (state.failure === undefined || exportedOf(state) !== undefined) return undefined
  const { askAgain } = STEP_TEXT.verdict
  const isSaid = state.failure.nextSteps.some((next) => namesKey(next, askAgain.key))
  const failed = errorProblem(state.failure, ...(isSaid ? [] : [askAgain]))
  return live !== undefined && isOut ? { ...failed, money } : failed
}

function endProblem(state: PaymentState, { outcome }: EndedPayment): Problem | undefined {
  const { problems } = TEXT
  const { labels } = problems
  const hash = paymentBytes(state)?.hash
  switch (outcome.is) {
    case 'paid':
      return undefined
    case 'reverted':
      return problemOf(
        event('reverted'),
        problems.reverted(outcome.reason),
        valuesOf([{ label: labels.transaction, value: hash }]),
      )
    case 'cancelled':
      return problemOf(event('cancelled'), problems.cancelled, [
        { label: labels.cancellation, value: outcome.included.hash },
      ])
    case 'nonce-taken': {
      const { otherDeposit } = outcome
      const values = [
        { label: labels.ours, value: hash },
        { label: labels.deposit, value: otherDeposit?.hash },
      ]
      return problemOf(
        event('nonce-taken'),
        problems.nonceTaken(otherDeposit !== undefined),
        valuesOf(values),
      )
    }
  }
}
