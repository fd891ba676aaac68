import type { Event } from '../core/state.ts'
import type { Payer, PaymentEvent, PaymentState } from '../core/steps/payment/payment.ts'
import type { ActionTable } from './use-step.ts'

/** What the keys do that both paying steps share. `now` gives the payment as it is when the key is pressed. */
export function paymentActionTable(step: Payer, now: () => PaymentState): ActionTable {
  return {
    elsewhere: () => [{ step, type: 'signerChosen', external: true }],
    here: () => [{ step, type: 'signerChosen', external: false }],
    saveCommand: () => [{ step, type: 'saveAsked' }],
    release: () => [
      { step, type: 'abandoned' },
      { step, type: 'checkAsked' },
    ],
    bump: () => [{ step, type: 'priceAsked', kind: 'speed-up' }],
    cancel: () => [{ step, type: 'priceAsked', kind: 'cancellation' }],
    leave: () => [{ step, type: 'offerLeft' }],
    replace: () => replacing(step, now()),
    reopen: () => [
      { step, type: 'reopened' },
      { step, type: 'checkAsked' },
    ],
    retry: () => [{ step, type: 'entered' }],
  }
}

function replacing(step: Payer, { offer }: PaymentState): PaymentEvent[] {
  if (offer?.price.status !== 'known') return []
  const { transaction } = offer.price.value
  return [{ step, type: 'replacing', replacement: { kind: offer.kind, transaction } }]
}

/** What the text of a field of a payment means. */
export function paymentSubmit(step: Payer, field: string, text: string): Event[] {
  return field === 'payer' ? [{ step, type: 'senderTyped', text }] : [{ step, type: 'imported', text }]
}
