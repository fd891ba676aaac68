import type { Facts, Setup } from '../../chain/facts.ts'
import { gateOffer, paymentOffer } from '../../pay/desk/gate-offer.ts'
import type { Offer, OfferedState, PaymentOffer } from '../../pay/desk/offer.ts'
import { agreementOf } from '../../pay/payment/candidates.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { known } from '../../view/observation.ts'
import { type DepositState, depositPlan } from './machine.ts'

/** Builds the offer of the signed first deposit, or of a rescue, from what is known now. */
export function depositOffer(
  state: DepositState,
  { kind, plan }: Pick<PaymentOffer, 'kind' | 'plan'>,
  setup: Setup,
): PaymentOffer {
  return {
    kind,
    level: 'send',
    ...gateOffer(state, plan, setup),
    world: { about: kind === 'rescue' ? 'burnt-key' : 'unused-key' },
    deposits: known(state.observed.key)?.deposits,
    isFollowed: false,
  }
}

/** Returns the key's state that a first deposit under way was agreed about, and the deposits made since. */
export function depositUnderWay(state: DepositState): OfferedState {
  const { otherDeposit } = state.memory
  const hash = otherDeposit?.hash
  return {
    world: agreementOf(state)?.world,
    deposits: hash === undefined ? [] : [{ hash, amountGwei: undefined }],
    isFollowed: false,
  }
}

/** Builds an opened offer again from the present state; undefined where it is no longer possible. */
export function depositOfferNow(
  opened: Offer,
  state: DepositState,
  facts: Facts,
  setup: Setup,
): Offer | undefined {
  if (opened.kind === 'guard') return undefined
  if (!('plan' in opened)) return paymentOffer(state, opened, depositUnderWay(state))
  if (isBegun(state)) return undefined
  const plan = depositPlan(facts, setup)
  if (plan !== undefined) return depositOffer(state, { kind: kindOf(facts), plan }, setup)
  // What the plan is made of is being asked again.
  const offer = depositOffer(state, opened, setup)
  return { ...offer, checks: { ...offer.checks, calldata: 'unknown' } }
}

/** Returns whether a signature is for a first deposit or for a rescue. */
export const kindOf = ({ signature }: Pick<Facts, 'signature'>): 'first' | 'rescue' =>
  signature?.rescue === true ? 'rescue' : 'first'
