import { candidatesOf, includedOf, paymentBytes, signedOf } from '../../src/core/pay/payment/candidates.ts'
import type { Payment, PaymentOutcome, PaymentState } from '../../src/core/pay/payment/payment.ts'

/** Where a payment stands: its phase, or how it ended. */
export function standOf({ payment }: Pick<PaymentState, 'payment'>): Payment['phase'] | PaymentOutcome['is'] {
  return payment.phase === 'ended' ? payment.outcome.is : payment.phase
}

/** What was signed and found for a payment, and the block that has one of it. */
export function madeOf(state: Pick<PaymentState, 'payment'>) {
  const { payment } = state
  return {
    hash: paymentBytes(state)?.hash,
    replacements: signedOf(state).filter(({ kind }) => kind !== 'payment'),
    found: candidatesOf(state).filter(({ kind }) => kind === 'found'),
    handed: 'broadcasts' in payment ? payment.broadcasts : [],
    attempts: 'attempts' in payment ? payment.attempts : 0,
    included: includedOf(state),
  }
}
