import type { Facts, Setup } from '../../chain/facts.ts'
import { gateOffer, underWayOffer } from '../../pay/desk/gate-offer.ts'
import type { Offer, OfferedState, PaymentOffer } from '../../pay/desk/offer.ts'
import { agreementOf } from '../../pay/payment/candidates.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { known } from '../../view/observation.ts'
import { type DepositState, depositPlan } from './machine.ts'

/** The offer of the first deposit that was signed, or of a rescue, over what is known now. */
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
    deposits: known(state.seen.key)?.deposits,
    isTold: false,
  }
}

/** What is known of the world of a first deposit that is under way: what it was agreed about, and what came instead. */
export function depositUnderWay(state: DepositState): OfferedState {
  const { otherDeposit } = state.watch
  const hash = otherDeposit?.hash
  return {
    world: agreementOf(state)?.world,
    deposits: hash === undefined ? [] : [{ hash, amountGwei: undefined }],
    isTold: false,
  }
}

/** An offer that was opened, over the state of now; undefined where it can be made no more. */
export function depositOfferNow(
  opened: Offer,
  state: DepositState,
  facts: Facts,
  setup: Setup,
): Offer | undefined {
  if (!('plan' in opened)) return underWayOffer(state, opened, depositUnderWay(state))
  if (isBegun(state)) return undefined
  const plan = depositPlan(facts, setup)
  if (plan !== undefined) return depositOffer(state, { kind: kindOf(facts), plan }, setup)
  // What the plan is made of is being asked again.
  const offer = depositOffer(state, opened, setup)
  return { ...offer, checks: { ...offer.checks, calldata: 'unknown' } }
}

/** Which of the two a signature is for. */
export const kindOf = ({ signature }: Pick<Facts, 'signature'>): 'first' | 'rescue' =>
  signature?.rescue === true ? 'rescue' : 'first'
