import type { Session } from '../core/session.ts'

/**
 * Proposes an amount, given on the command line, when the top-up is looked at for the first time: as if it had been typed
 * into its field. It agrees to nothing, and changes no payment that has begun.
 */
export function prefillTopUp(session: Session, amount: string | undefined): void {
  if (amount === undefined) return
  const stop = session.subscribe(({ step }) => {
    if (step !== 'topup') return
    stop()
    void session.dispatch({ step: 'topup', type: 'chosen', text: amount })
  })
}
