import { formatGwei, type Gwei, typedGwei, weiToGwei } from '../../base/format/amount.ts'
import type { Facts } from '../../chain/facts.ts'
import { guardKeys } from '../../observe/guard-rows.ts'
import { termsOf } from '../../pay/desk/gate-offer.ts'
import { compareOffers, type Offer } from '../../pay/desk/offer.ts'
import { gateIsOpen } from '../../pay/gate/facts.ts'
import { signsExternally } from '../../pay/gate/nonce.ts'
import { draftOf, isPaid } from '../../pay/payment/candidates.ts'
import type { PayingEvent, PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun, mayHaveLeft, mayReopen, mayReplace } from '../../pay/payment/sign-again.ts'
import { cancelOf, paymentActions, reopenOf, retryOf, signerChoice } from '../../pay/payment-view/actions.ts'
import { PAYMENT_TEXT } from '../../pay/payment-view/text.ts'
import { gateHolds } from '../../view/rows.ts'
import { type ActionView, type Does, goOn, goTo } from '../../view/step-view.ts'
import { isClosed, notInLook, TOPUP_FACTS, type topUpOptions } from './facts.ts'
import { type Arrival, type TopUpEvent, type TopUpState, topUpPlan } from './machine.ts'
import { stateUnderWay, topUpOffer } from './offer.ts'
import { TOPUP_TEXT } from './text.ts'

const { keys } = TOPUP_TEXT

type ActionContext = {
  about: ReturnType<typeof topUpOptions>
  facts: Facts
  enough: boolean
  others: readonly Arrival[]
}

/** The keys of the top-up: the amount, the word that sends it, and what can be done about a payment that waits. */
export function topUpActions(
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
