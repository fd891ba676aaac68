import type { Facts, Setup } from '../../facts.ts'
import type { Gwei } from '../../format/amount.ts'
import { formatGwei, typedGwei } from '../../format/amount.ts'
import { gateIsOpen } from '../gate/facts.ts'
import { signsExternally } from '../gate/nonce.ts'
import { known } from '../observation.ts'
import { draftOf, endedOf } from '../payment/candidates.ts'
import { isBegun, mayHaveLeft, mayReopen, mayReplace } from '../payment/sign-again.ts'
import { cancelOf, paymentActions, reopenOf, retryOf, signerChoice } from '../payment-view/actions.ts'
import { PAYMENT_TEXT } from '../payment-view/text.ts'
import { gateHolds } from '../rows.ts'
import { type ActionView, type Does, goOn, goTo } from '../step-view.ts'
import { type AboutTopUp, agreedWorld, isSafe, TOPUP_FACTS, type topUpOptions } from './facts.ts'
import { type Arrival, type TopUpEvent, type TopUpState, topUpPlan } from './machine.ts'
import { TOPUP_TEXT } from './text.ts'

const { keys } = TOPUP_TEXT

type ActionContext = {
  about: ReturnType<typeof topUpOptions>
  facts: Facts
  enough: boolean
  others: readonly Arrival[]
}

/** The keys of the top-up: the amount, the word that sends it, and what can be done about a payment that waits. */
export function topUpActions(state: TopUpState, context: ActionContext): readonly ActionView[] {
  const { about, facts, enough, others } = context
  const { setup, amountGwei } = about
  const next = goOn('topup')
  const retry = retryOf('topup')
  const edit: Does = { edit: 'amount' }
  if (endedOf(state.send)?.outcome.is === 'paid')
    return [next, mayReopen(state.send, 'topup') ? reopenOf('topup', anotherLabel(state)) : retry]
  if (isBegun(state.send)) return withCancelAtHand(paymentActions(state.send, 'topup'), state, others)
  if (enough)
    return [
      next,
      ...(facts.registration === undefined ? [] : [{ key: 'a', label: keys.addMore, does: edit }]),
    ]
  const text = amountGwei === undefined ? '' : typedGwei(amountGwei)
  const verb = signsExternally(state.send, setup) ? 'prepare' : 'send'
  const word = `${PAYMENT_TEXT.typed[isSure(state, about) ? verb : 'risk']} ${text}`
  const isOpen =
    gateIsOpen(state.send.seen, setup) &&
    facts.registration !== undefined &&
    facts.deposit?.remembered !== true &&
    gateHolds(TOPUP_FACTS, about.seen, about)
  const agreement = isOpen ? agreementOf(state, amountGwei, facts, setup) : undefined
  const step = setup.network.spec.effectiveBalanceIncrementGwei
  const nudge = (byGwei: Gwei): Does =>
    amountGwei === undefined ? [] : [{ step: 'topup', type: 'nudged', byGwei, fromGwei: amountGwei }]
  return [
    ...(agreement === undefined
      ? []
      : [{ key: 'return', label: keys[verb], typed: word, does: [agreement] }]),
    { key: 'left', label: keys.less, does: nudge(-step) },
    { key: 'right', label: keys.more, does: nudge(step) },
    { key: 'a', label: keys.amount, does: edit },
    retry,
    { key: 'w', label: keys.watch, does: [goTo('status')] },
    ...signerChoice(state.send, 'topup', setup),
  ]
}

function anotherLabel({ nextGwei }: TopUpState): string {
  return nextGwei === undefined ? keys.another : keys.next(formatGwei(nextGwei))
}

/** What is agreed to with the amount that is shown, over the world that is shown. */
function agreementOf(
  state: TopUpState,
  amountGwei: Gwei | undefined,
  facts: Facts,
  setup: Setup,
): TopUpEvent | undefined {
  const plan = amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts, setup)
  const world = agreedWorld(state, facts.identity?.pubkey, amountGwei, setup)
  if (plan === undefined || world === undefined) return undefined
  return { step: 'topup', type: 'agreed', plan, world }
}

/** While ours waits and another one has landed, it need not stand still first to be cancelled. */
function withCancelAtHand(
  actions: readonly ActionView[],
  { send }: TopUpState,
  others: readonly Arrival[],
): readonly ActionView[] {
  const draft = draftOf(send)
  const agreed = draft?.agreement.world
  const agreedBlock = agreed?.about === 'validator' ? agreed.block : draft?.baseline.blockNumber
  const isOvertaken = agreedBlock !== undefined && others.some(({ block }) => block > agreedBlock)
  const isOffered = send.quote !== undefined || actions.some(({ key }) => key === 'x')
  if (!isOvertaken || isOffered || !mayHaveLeft(send) || !mayReplace(send, 'cancellation')) return actions
  return [cancelOf('topup'), ...actions]
}

/** On real money a place in a set that only the node vouches for is no more than a risk: a lie costs the key. */
export function isSure({ send }: TopUpState, { seen, setup }: AboutTopUp): boolean {
  const claimed = known(send.seen.key)?.claimed === true
  const amount = known(seen.amount)
  return amount !== undefined && isSafe(amount) && !(claimed && setup.network.kind === 'real')
}
