import { isSigning } from './being-signed.ts'
import { useSession, type WayBack } from './shell.tsx'

/** The way out of the steps as a part of the shell; none while a payment is being signed, which would be cut short. */
export function useWayBack(wayBack: WayBack | undefined): { wayBack?: WayBack } {
  const { state } = useSession()
  return wayBack === undefined || isSigning(state) ? {} : { wayBack }
}
