import { endedOf, liveOf } from '../../src/core/pay/payment/candidates.ts'
import type { PayingStep, PaymentState } from '../../src/core/pay/payment/payment.ts'
import { paymentActions } from '../../src/core/pay/payment-view/actions.ts'
import type { Offer } from './program.ts'

/** What each key of the screen is to the person. */
const KEYS: Readonly<Record<string, Offer>> = {
  p: 'import',
  a: 'send-again',
  b: 'speed-up',
  x: 'cancel',
  g: 'abandon',
  r: 'look-again',
}

/** What the screen offers; before an agreement whether that may be made is known elsewhere. */
export function offersOf(
  state: PaymentState,
  step: PayingStep,
  { isPrompted, mayAgree }: { isPrompted: boolean; mayAgree: boolean },
): Offer[] {
  // While a password is asked for there is no screen.
  if (isPrompted) return ['sign', 'refuse']
  if (state.payment.phase === 'open') return mayAgree ? ['agree', 'look-again'] : ['look-again']
  const offers: Offer[] = []
  for (const { key } of paymentActions(state, step, {
    world: undefined,
    deposits: undefined,
    isFollowed: false,
  })) {
    const offer = key === 'o' && endedOf(state) !== undefined ? 'open-again' : KEYS[key]
    if (offer !== undefined) offers.push(offer)
    else if (key === 'o') offers.push('abandon')
  }
  return offers
}

/** Where a payment stands, for the story; `closed` says why the gate is shut. */
export function storyOf(state: PaymentState, closed: () => string): string {
  const { payment, ordinal, tracking, failure } = state
  const ended = endedOf(state)
  const heldBack = liveOf(state)?.heldBack
  const shut = payment.phase === 'open' ? closed() : ''
  const parts = [
    `payment ${ordinal} is ${payment.phase}`,
    ...(ended === undefined ? [] : [`${ended.outcome.is}${ended.remembered ? ', remembered' : ''}`]),
    ...(heldBack === undefined ? [] : [`held back: ${heldBack}`]),
    ...(shut === '' ? [] : [`the gate is shut: ${shut}`]),
    ...(failure === undefined ? [] : [`failed: ${failure.shortMessage} ${failure.details.join(', ')}`]),
    tracking.status === 'known' ? tracking.value.is : tracking.status,
  ]
  return parts.join('; ')
}
