import { draftOf, liveOf } from '../core/steps/payment/candidates.ts'
import type { PaymentState } from '../core/steps/payment/payment.ts'
import { useSession } from './session-provider.tsx'
import type { WayBack } from './shell.tsx'

/** The way out of the steps as a part of the shell; none while a payment is being signed, which would be cut short. */
export function useWayBack(wayBack: WayBack | undefined): { wayBack?: WayBack } {
  const { state } = useSession()
  const busy = isBeingSigned(state.deposit) || isBeingSigned(state.topup.send)
  return wayBack === undefined || busy ? {} : { wayBack }
}

/** Whether something of the payment is between the user's word and signed bytes on this computer. */
function isBeingSigned({ payment }: PaymentState): boolean {
  if (payment.phase === 'agreed' || payment.phase === 'prepared') return true
  return liveOf({ payment })?.replacement !== undefined && draftOf({ payment })?.signer === 'keystore'
}
