import type { Setup } from '../../facts.ts'
import type { PaymentState } from '../payment/payment.ts'

/** Whether an external signer signs: by choice, or because no keystore is set. */
export function signsExternally({ external }: PaymentState, { keystore }: Setup): boolean {
  return external || keystore === undefined
}

/** Whether the paying account is said and not known: by the user, or by a keystore that nobody has opened yet. */
export function accountIsSaid(state: PaymentState, setup: Setup): boolean {
  return signsExternally(state, setup) || setup.passwordDescriptor === undefined
}
