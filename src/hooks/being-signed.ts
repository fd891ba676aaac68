import type { State } from '../core/state.ts'
import { draftOf, liveOf } from '../core/steps/payment/candidates.ts'
import type { PaymentState } from '../core/steps/payment/payment.ts'

/** Whether a payment is being signed: leaving the steps would cut it short. */
export function isSigning({ deposit, topup }: State): boolean {
  return isBeingSigned(deposit) || isBeingSigned(topup.send)
}

/** Whether something of the payment is between the user's word and signed bytes on this computer. */
function isBeingSigned({ payment }: PaymentState): boolean {
  if (payment.phase === 'agreed' || payment.phase === 'prepared') return true
  return liveOf({ payment })?.replacement !== undefined && draftOf({ payment })?.signer === 'keystore'
}
