import { weiToGwei } from '../../base/format/amount.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { asksAsRealMoney } from '../../chain/network/network.ts'
import {
  gateOffer,
  type Offer,
  type OfferedState,
  type PaymentOffer,
  paymentOffer,
} from '../../pay/desk/offer.ts'
import type { KnownDeposit } from '../../pay/gate/facts.ts'
import { agreedPlan } from '../../pay/payment/candidates.ts'
import type { PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { known } from '../../view/observation.ts'
import type { Mark } from '../../view/view.ts'
import { agreedKeyState, depositsIn, forecastTopUp, isSafe, topUpOptions } from './facts.ts'
import { guardOffer, takeBackOffer } from './guard-offer.ts'
import { arrivalsOf, type TopUpState } from './machine.ts'

/** Returns the offer of a top-up by this plan, over what is known now. */
export function topUpOffer(state: TopUpState, plan: PaymentPlan, facts: Facts, setup: Setup): PaymentOffer {
  const { send, snapshot } = state
  const gate = gateOffer(send, plan, setup)
  const set = known(snapshot)
  const pubkey = facts.identity?.pubkey
  const addGwei = weiToGwei(plan.valueWei)
  const forecast = set && pubkey && forecastTopUp(set, pubkey, addGwei, setup)
  const isProven = facts.registration !== undefined && facts.deposit?.remembered !== true
  const checks: Readonly<Record<string, Mark>> = {
    ...gate.checks,
    registration: isProven ? 'proven' : 'unknown',
    ...(forecast?.evictedAtOnce === true ? { amount: 'refused' } : {}),
  }
  const key = known(send.observed.key)
  // On real money a place in a set that only the node vouches for is no more than a risk: a lie costs the key.
  const isClaimed = key?.claimed === true && asksAsRealMoney(setup.network)
  const level = forecast && key && (isSafe({ addGwei, forecast }) && !isClaimed ? 'send' : 'risk')
  return { kind: 'top-up', ...gate, ...offeredState(state, plan, facts, setup), level, checks }
}

/** What is known now of the validator, and of the deposits for its key. */
function offeredState(state: TopUpState, plan: PaymentPlan, facts: Facts, setup: Setup): OfferedState {
  const { send, snapshot, arrivalsRead } = state
  const pubkey = facts.identity?.pubkey
  const set = known(snapshot)
  const asked = known(send.observed.key)?.deposits ?? (isBegun(send) ? [] : undefined)
  const amountGwei = weiToGwei(plan.valueWei)
  const counted: readonly KnownDeposit[] =
    set === undefined || pubkey === undefined ? [] : depositsIn(set, pubkey)
  return {
    world: agreedKeyState(state, pubkey, amountGwei, setup),
    deposits: asked && [...asked, ...counted, ...arrivalsOf(state, facts)],
    isFollowed: typeof arrivalsRead === 'object',
  }
}

/** Returns what is known of the world of a payment that is under way; nothing where there is none. */
export function stateUnderWay(state: TopUpState, facts: Facts, setup: Setup): OfferedState {
  const plan = agreedPlan(state.send)
  return plan === undefined
    ? { world: undefined, deposits: undefined, isFollowed: false }
    : offeredState(state, plan, facts, setup)
}

/** The guard that is offered now, while nothing of the account is under way. */
function guardOfferNow(state: TopUpState, facts: Facts, setup: Setup): Offer | undefined {
  const { amountGwei } = topUpOptions(state, facts.identity?.pubkey, setup)
  const isOpen = state.guard.isOpen && state.guard.work === undefined && !isBegun(state.send)
  return isOpen ? guardOffer(state, { capGwei: amountGwei, facts, setup }) : undefined
}

/** An offer that was opened, over the state of now; undefined where it can be made no more. */
export function topUpOfferNow(
  opened: Offer,
  state: TopUpState,
  facts: Facts,
  setup: Setup,
): Offer | undefined {
  if (opened.kind === 'guard') return guardOfferNow(state, facts, setup)
  const { here } = state.guard
  if (opened.kind === 'set-aside' && state.guard.isOpen)
    return typeof here === 'object' && here.stand !== 'over' ? takeBackOffer(here) : undefined
  if (!('plan' in opened)) return paymentOffer(state.send, opened, stateUnderWay(state, facts, setup))
  return isBegun(state.send) ? undefined : topUpOffer(state, opened.plan, facts, setup)
}
