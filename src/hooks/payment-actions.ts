import type { Event } from '../core/state.ts'
import type { Payer, PaymentEvent, PaymentState } from '../core/steps/payment/payment.ts'
import type { ActionTable } from './use-step.ts'

/** What the keys do that both paying steps share. `now` gives the payment as it is when the key is pressed. */
export function paymentActionTable(step: Payer, now: () => PaymentState): ActionTable {
  return {
    elsewhere: () => [{ step, type: 'walletChosen', elsewhere: true }],
    here: () => [{ step, type: 'walletChosen', elsewhere: false }],
    saveCommand: () => [{ step, type: 'saveAsked' }],
    release: () => [
      { step, type: 'released' },
      { step, type: 'checkAsked' },
    ],
    bump: () => [{ step, type: 'priceAsked', kind: 'bump' }],
    cancel: () => [{ step, type: 'priceAsked', kind: 'cancel' }],
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
  return field === 'payer' ? [{ step, type: 'payerTyped', text }] : [{ step, type: 'brought', text }]
}
