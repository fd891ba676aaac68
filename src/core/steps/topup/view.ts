import {
  formatGwei,
  formatWei,
  type Gwei,
  gweiToWei,
  typedGwei,
  type Wei,
  weiToGwei,
} from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { KeyPart } from '../../base/format/next.ts'
import type { Forecast } from '../../chain/consensus/forecast.ts'
import { isFulu } from '../../chain/consensus/fork-outlook.ts'
import { type SetSnapshot, snapshotDoubt, snapshotSource } from '../../chain/consensus/snapshot.ts'
import { hysteresisBand } from '../../chain/consensus/state.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { guardKeys } from '../../observe/guard-rows.ts'
import { compareOffers, type Offer, termsOf } from '../../pay/desk/offer.ts'
import { gateIsOpen } from '../../pay/gate/facts.ts'
import { signsExternally } from '../../pay/gate/nonce.ts'
import { gateCommands, gateRows, showsGate } from '../../pay/gate/view.ts'
import { draftOf, isPaid } from '../../pay/payment/candidates.ts'
import type { PayingEvent, PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun, mayHaveLeft, mayReopen, mayReplace } from '../../pay/payment/sign-again.ts'
import {
  cancelOf,
  paymentActions,
  reopenOf,
  retryOf,
  signerChoice,
  walletCommands,
  walletFields,
} from '../../pay/payment-view/actions.ts'
import { topUpConsent, withConsents } from '../../pay/payment-view/consent-view.ts'
import { paymentNotes, walletHint } from '../../pay/payment-view/notes.ts'
import { paymentRows } from '../../pay/payment-view/rows.ts'
import { PAYMENT_TEXT } from '../../pay/payment-view/text.ts'
import {
  gateVerdict,
  paymentMoney,
  paymentProblem,
  paymentTitle,
  paymentVerdict,
  paymentWaiting,
} from '../../pay/payment-view/view.ts'
import { stepRows } from '../../view/amount-rows.ts'
import { known } from '../../view/observation.ts'
import { failureProblem, gateHolds, problemOf, tableRows } from '../../view/rows.ts'
import {
  type ActionView,
  type Does,
  goOn,
  goTo,
  hasEnter,
  type StepView,
  stepView,
} from '../../view/step-view.ts'
import { STEP_TEXT } from '../../view/text.ts'
import type { FactRow, Problem, Verdict } from '../../view/view.ts'
import { forecastTopUp, isClosed, notInLook, TOPUP_FACTS, type TopUpAdvice, topUpOptions } from './facts.ts'
import { guardView } from './guard-view.ts'
import {
  type Arrival,
  arrivalsOf,
  paidByGuards,
  type TopUpEvent,
  type TopUpState,
  topUpPlan,
} from './machine.ts'
import { stateUnderWay, topUpOffer } from './offer.ts'
import { ranksAround } from './ranks.ts'
import { TOPUP_TEXT as TEXT } from './text.ts'

const { keys } = TEXT

type ActionContext = {
  about: ReturnType<typeof topUpOptions>
  facts: Facts
  enough: boolean
  others: readonly Arrival[]
}

/** The keys of the top-up: the amount, the word that sends it, and what can be done about a payment that waits. */
function topUpActions(
  state: TopUpState,
  context: ActionContext,
): readonly ActionView<TopUpEvent | PayingEvent, Offer>[] {
  const { about, facts, enough, others } = context
  const { setup, amountGwei } = about
  const next = goOn('topup')
  const retry = retryOf('topup')
  const edit: Does<TopUpEvent | PayingEvent> = { edit: 'amount' }
  const { here } = state.guard
  const guard = typeof here === 'object' ? here : undefined
  const guards = guardKeys(
    { facts, snapshot: about.snapshot, guard, setup },
    { isPaidUp: isPaid(state.send) },
  )
  if (isPaid(state.send)) {
    const mayPay = mayReopen(state.send, 'topup')
    return [next, mayPay ? reopenOf('topup', anotherLabel(state)) : retry, ...(mayPay ? guards : [])]
  }
  if (isBegun(state.send)) {
    const actions = paymentActions(state.send, 'topup', stateUnderWay(state, facts, setup))
    return withCancelAtHand(actions, state, others)
  }
  if (enough)
    return [
      next,
      ...(facts.registration === undefined ? [] : [{ key: 'a', label: keys.addMore, does: edit }]),
      ...guards,
    ]
  const plan = amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts, setup)
  const isOpen =
    gateIsOpen(state.send.observed, setup) &&
    facts.registration !== undefined &&
    facts.deposit?.remembered !== true &&
    gateHolds(TOPUP_FACTS, about.observed, about)
  const send = isOpen && plan !== undefined ? sendAction(state, plan, context) : []
  const step = setup.network.spec.effectiveBalanceIncrementGwei
  const nudge = (byGwei: Gwei): Does<TopUpEvent | PayingEvent> =>
    amountGwei === undefined ? [] : [{ step: 'topup', type: 'nudged', byGwei, fromGwei: amountGwei }]
  return [
    ...send,
    ...(isClosed(about.advice)
      ? []
      : [
          { key: 'left', label: keys.less, does: nudge(-step) },
          { key: 'right', label: keys.more, does: nudge(step) },
          { key: 'a', label: keys.amount, does: edit },
        ]),
    retry,
    { key: 'w', label: keys.watch, does: [goTo('status')] },
    ...guards,
    ...(isClosed(about.advice) ? [] : signerChoice(state.send, 'topup', setup)),
  ]
}

function anotherLabel({ nextGwei }: TopUpState): string {
  return nextGwei === undefined ? keys.another : keys.next(formatGwei(nextGwei))
}

/**
 * The word that agrees to the amount that is shown over the world that is shown; none while a part of that is not known,
 * or while a payment that is told is in no look at the set.
 */
function sendAction(
  state: TopUpState,
  plan: PaymentPlan,
  { about, facts, others }: ActionContext,
): ActionView<TopUpEvent | PayingEvent, Offer>[] {
  const { setup } = about
  const offer = topUpOffer(state, plan, facts, setup)
  const { world, level } = offer
  const terms = termsOf(offer)
  if (world?.about !== 'validator' || terms === undefined || compareOffers(offer, offer).is !== 'same')
    return []
  if (notInLook(others, about.snapshot).length > 0) return []
  const verb = signsExternally(state.send, setup) ? 'prepare' : 'send'
  const word = PAYMENT_TEXT.typed[level === 'risk' ? 'risk' : verb]
  return [
    {
      key: 'return',
      label: keys[verb],
      typed: `${word} ${typedGwei(weiToGwei(plan.valueWei))}`,
      offer,
      anew: [{ step: 'topup', type: 'entered' }],
      does: [{ step: 'topup', type: 'agreed', plan, world, terms }],
    },
  ]
}

/** While ours waits and another one has landed, it need not stand still first to be cancelled. */
function withCancelAtHand(
  actions: readonly ActionView<TopUpEvent | PayingEvent, Offer>[],
  { send }: TopUpState,
  others: readonly Arrival[],
): readonly ActionView<TopUpEvent | PayingEvent, Offer>[] {
  const draft = draftOf(send)
  const agreed = draft?.agreement.world
  const agreedBlock = agreed?.about === 'validator' ? agreed.block : draft?.baseline.blockNumber
  const isOvertaken = agreedBlock !== undefined && others.some(({ block }) => block > agreedBlock)
  const isOffered = send.quote !== undefined || actions.some(({ key }) => key === 'x')
  if (!isOvertaken || isOffered || !mayHaveLeft(send) || !mayReplace(send, 'cancellation')) return actions
  return [cancelOf('topup'), ...actions]
}

/** Returns what of the stake counts with the amount on the table; other amounts are judged by the same forecast. */
function stepsOf(
  { snapshot, amountGwei, observed }: ReturnType<typeof topUpOptions>,
  pubkey: Hex | undefined,
  setup: Setup,
): FactRow[] {
  const forecast = known(observed.amount)?.forecast
  if (!snapshot || !pubkey || !forecast || amountGwei === undefined) return []
  const { spec } = setup.network
  const { balanceAfterGwei: balanceGwei, effectiveAfterGwei: effectiveGwei } = forecast
  const { upGwei } = hysteresisBand(spec, { fulu: isFulu(spec, snapshot.timestampSeconds) })
  const countsAs = (gwei: Gwei) =>
    forecastTopUp(snapshot, pubkey, amountGwei + gwei - balanceGwei, setup)?.effectiveAfterGwei ?? 0n
  return stepRows({ balanceGwei, effectiveGwei, countsAs, upGwei }, setup.network)
}

/** Everything the top-up screen draws. */
export function topUpView(
  state: TopUpState,
  facts: Facts,
  setup: Setup,
): StepView<TopUpEvent | PayingEvent, Offer> {
  if (state.guard.isOpen) return guardView(state, facts, setup)
  const { send } = state
  const { token } = setup.network.names
  const pubkey = facts.identity?.pubkey
  const about = topUpOptions(state, pubkey, setup)
  const { snapshot, advice, amountGwei } = about
  const forecast = known(about.observed.amount)?.forecast
  const idle = showsGate(send)
  const amounts = tableRows(TOPUP_FACTS, TEXT.facts, about.observed, about)
  const isRisk = amounts.some(({ id, mark }) => id === 'amount' && mark === 'refused')
  const problem = topUpProblem(state, advice, facts)
  const plan = amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts, setup)
  const enough = idle && state.chosenGwei === undefined && advice?.proposedGwei === 0n
  const { paidGwei, isAll } = paidByGuards(state)
  const paidText = `${formatWei(paidBeforeWei(state, facts) + gweiToWei(paidGwei))} ${token}`
  const paid = isAll ? paidText : STEP_TEXT.left.withGuard(paidText)
  const others = arrivalsOf(state, facts)
  const news = idle ? notInLook(others, snapshot) : []
  const newGwei = news.reduce((sum, one) => sum + one.amountGwei, 0n)
  const newText = `${formatGwei(newGwei)} ${token}`
  const { arrived: byOthers, byGuard } = TEXT.verdict
  const isOfGuard = news.every((each) => each.byGuard)
  const arrived = news.length === 0 ? '' : (isOfGuard ? byGuard : byOthers)(newText)
  const checks = idle && !enough ? gateRows(send, setup, { another: TEXT.verdict.another }) : []
  const actions = topUpActions(state, { about, facts, enough, others })
  const isSure = actions.some(({ offer }) => offer?.kind === 'top-up' && offer.level === 'send')
  const money = paymentMoney(send, plan, setup, {
    before: TEXT.money.before(paid, facts.registration !== undefined),
    worst: worstText(forecast, setup),
    after: TEXT.money.after,
    leftBefore: (amount) => `${paid} + ${amount}`,
  })
  return stepView({
    step: 'topup',
    title: TEXT.title,
    verdict: topUpVerdict(
      state,
      { checks, forecast, enough, advice, isRisk, isOpen: hasEnter(actions), arrived },
      facts,
      setup,
    ),
    sections: ['intro', 'facts', 'ranks', 'fields', 'checks', 'notes'],
    folds: ['checks'],
    intro: introOf(advice, setup),
    factsTitle: idle ? TEXT.factsTitle : paymentTitle(send),
    facts: idle ? [...amounts, ...stepsOf(about, pubkey, setup)] : paymentRows(send, setup, TEXT.value),
    fields: [
      ...(idle && advice?.proposedGwei !== undefined ? [amountField(state, amountGwei, token)] : []),
      ...(enough ? [] : walletFields(send, 'topup', facts, setup)),
    ],
    checks,
    ranks: idle && snapshot && pubkey && forecast ? ranksAround(snapshot, pubkey, forecast, setup) : [],
    notes: [
      ...others.map((each) => arrivalNote(each, token)),
      ...(facts.deposit?.remembered === true ? [TEXT.notes.remembered(facts.deposit.blockNumber)] : []),
      ...paymentNotes(send, facts, setup),
      ...(snapshot === undefined || forecast?.rank === undefined || !idle
        ? []
        : placeNotes(snapshot, forecast, token)),
    ],
    money: { ...money, line: `${money.line}${arrivedText(others, token)}` },
    problem,
    waiting: problem === undefined ? paymentWaiting(send, setup) : undefined,
    actions: withConsents(actions, send, {
      agreed:
        plan && forecast && topUpConsent(send, { plan, ...whatIsAgreed(forecast, isSure, setup) }, setup),
      setup,
    }),
    commands: idle && !signsExternally(send, setup) ? gateCommands(send, plan, setup) : walletCommands(send),
    commandHint: walletHint(send),
    done: isPaid(send) || enough,
  })
}

const closed = (what: string) => ({ id: `topup.${what}`, kind: 'closed' }) as const

/** Why nothing can be added, or what became of a payment that went wrong; undefined while all is well. */
function topUpProblem(state: TopUpState, advice: TopUpAdvice | undefined, facts: Facts): Problem | undefined {
  const { notProven, impossible, watch: keys } = TEXT.problems
  const payment = paymentProblem(state.send)
  const isOpen = !isBegun(state.send)
  if (payment !== undefined) return payment
  if (isOpen && facts.registration === undefined)
    return problemOf(closed('not-proven'), notProven, [], 'unknown')
  const failed = failureProblem(state.snapshot)
  if (failed !== undefined) return { ...failed, money: 'untouched' }
  if (advice?.impossible === undefined || !isOpen) return undefined
  return problemOf(closed(advice.impossible), { ...impossible[advice.impossible], next: keys })
}

function arrivalNote({ amountGwei, block, from, byGuard }: Arrival, token: string): string {
  const amount = `${formatGwei(amountGwei)} ${token}`
  return byGuard ? TEXT.notes.byGuard(amount, block) : TEXT.notes.arrived(amount, block, from?.toLowerCase())
}

/** What others have paid in for this validator, for the money band; nothing where nobody has. */
function arrivedText(arrivals: readonly Arrival[], token: string): string {
  const others = arrivals.filter((each) => each.byGuard !== true)
  const sumGwei = others.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
  return others.length === 0 ? '' : TEXT.money.arrived(`${formatGwei(sumGwei)} ${token}`)
}

type Bought = {
  checks: readonly FactRow[]
  forecast: Forecast | undefined
  enough: boolean
  advice: TopUpAdvice | undefined
  /** The row of the amount refuses it. */
  isRisk: boolean
  isOpen: boolean
  /** What arrived and is in no look at the set yet, in words; empty where nothing has. */
  arrived: string
}

function topUpVerdict(
  { send, nextGwei }: TopUpState,
  { checks, forecast, enough, advice, isRisk, isOpen, arrived }: Bought,
  facts: Facts,
  setup: Setup,
): Verdict {
  const { token } = setup.network.names
  if (isBegun(send)) {
    const verdict = paymentVerdict(send, setup)
    if (nextGwei === undefined || !isPaid(send)) return verdict
    return { ...verdict, next: TEXT.verdict.proposed(`${formatGwei(nextGwei)} ${token}`) }
  }
  if (enough) return { mark: 'proven', text: TEXT.verdict.enough }
  if (forecast?.evictedAtOnce === true)
    return {
      mark: 'refused',
      text: TEXT.verdict.amount(TEXT.outcome(forecast, token)),
      next: otherAmount(advice, token),
    }
  if (facts.deposit?.remembered === true) return { mark: 'asking', text: TEXT.verdict.remembered }
  if (arrived !== '') return { mark: 'asking', text: arrived }
  const outcome = forecast && TEXT.outcome(forecast, token)
  const verdict = gateVerdict(send, { checks, isOpen, outcome }, setup)
  if (outcome === undefined || !isRisk || verdict.mark !== 'proven') return verdict
  const next = TEXT.verdict.risk(otherAmount(advice, token))
  return { mark: 'refused', text: TEXT.verdict.amount(outcome), next }
}

/** The amount that gets a place, where there is one. */
function otherAmount(advice: TopUpAdvice | undefined, token: string): KeyPart {
  const proposedGwei = advice?.proposedGwei
  return proposedGwei === undefined || proposedGwei === 0n
    ? TEXT.verdict.another
    : TEXT.verdict.place(`${formatGwei(proposedGwei)} ${token}`)
}

/** What has left the wallet for this key, without the payment that is on the screen. */
function paidBeforeWei({ finished, send }: TopUpState, { deposit }: Facts): Wei {
  const before = isPaid(send) ? finished.slice(0, -1) : finished
  return before.reduce((sum, { valueWei }) => sum + valueWei, deposit?.valueWei ?? 0n)
}

function introOf(advice: TopUpAdvice | undefined, setup: Setup): string {
  if (advice?.proposedGwei === 0n) return TEXT.intro.enough
  return TEXT.intro.set(
    setup.network.spec.validatorSetCap,
    thresholdText(setup),
    STANDING_TEXT.backAfter(setup.network),
  )
}

function thresholdText({ network }: Setup): string {
  return `${formatGwei(network.spec.activationBalanceGwei)} ${network.names.token}`
}

function placeNotes(snapshot: SetSnapshot, forecast: Forecast, token: string): string[] {
  const source = snapshotSource(snapshot)
  const { keepsPlace, othersNeedGwei } = forecast
  return [
    // Who gets no place has none to lose to others.
    keepsPlace && othersNeedGwei !== undefined ? marginNote(source, othersNeedGwei, token) : source,
    ...snapshotDoubt(snapshot),
    TEXT.notes.balance(formatGwei(forecast.balanceAfterGwei), formatGwei(forecast.effectiveAfterGwei)),
  ]
}

/** What an amount comes to, as it stands above the word that sends it. */
function whatIsAgreed(forecast: Forecast, isSafe: boolean, setup: Setup) {
  return {
    allGwei: forecast.balanceAfterGwei,
    isLocked: !forecast.crossesThreshold,
    risk: isSafe ? undefined : TEXT.outcome(forecast, setup.network.names.token),
    worst: worstText(forecast, setup),
  }
}

function marginNote(source: string, othersNeedGwei: Gwei, token: string): string {
  return othersNeedGwei === 0n
    ? TEXT.notes.tie(source)
    : TEXT.notes.margin(source, `${formatGwei(othersNeedGwei)} ${token}`)
}

function worstText(forecast: Forecast | undefined, setup: Setup): string {
  if (forecast?.crossesThreshold === false) return TEXT.money.locked(thresholdText(setup))
  return TEXT.money.outbid(STANDING_TEXT.backAfter(setup.network))
}

function amountField(
  state: TopUpState,
  amountGwei: Gwei | undefined,
  token: string,
): StepView<TopUpEvent | PayingEvent, Offer>['fields'][number] {
  return {
    id: 'amount',
    takes: { step: 'topup', type: 'chosen' },
    ...TEXT.field,
    label: TEXT.field.label(token),
    value: amountGwei === undefined ? '' : formatGwei(amountGwei),
    suggestion: amountGwei === undefined ? '' : typedGwei(amountGwei),
    error: state.error,
  }
}
