import type { Setup } from '../core/chain/facts.ts'
import { signsExternally } from '../core/pay/gate/nonce.ts'
import { draftOf, isBeingSigned } from '../core/pay/payment/candidates.ts'
import type { Session } from '../core/wizard/session.ts'
import type { Event, State } from '../core/wizard/state.ts'
import { asksPasswords, type SecretGate } from './secret-gate.ts'

const payingOf = ({ deposit, topup }: State, { step }: Event) => (step === 'deposit' ? deposit : topup.send)

/** Whether an event is one that a word lets go where its user may expect to be asked for a password. */
function mayExpectPassword(event: Event, state: State, setup: Setup): boolean {
  if (!asksPasswords(setup)) return false
  const paying = payingOf(state, event)
  switch (event.type) {
    case 'agreed':
    case 'guardAgreed':
      return !signsExternally(paying, setup)
    case 'replacing':
    case 'sending-again':
      return draftOf(paying)?.signer === 'keystore'
    case 'guardTakenBack':
      return true
    default:
      return false
  }
}

/** Whether the prompt may still open after such an event; `before` is the state in which it was let go. */
function mayStillAsk(event: Event, before: State, now: State): boolean {
  const { step } = event
  const isOver = step !== 'session' && now.faults[step] !== before.faults[step]
  if (isOver || now.journal.status === 'refused') return false
  if (event.type === 'guardAgreed') return now.topup.guard.work === 'arming'
  return needsPassword(event) && isBeingSigned(payingOf(now, event))
}

const needsPassword = ({ type }: Event): boolean => type !== 'sending-again' && type !== 'guardTakenBack'

/** Returns the session with its consents watched: the gate closes with the word that lets one go, and hears why no prompt opens. */
export function watchConsents(session: Session, gate: SecretGate): Session {
  let stopFollowing = (): unknown => undefined
  return {
    ...session,
    async dispatch(event) {
      const before = session.getState()
      if (!mayExpectPassword(event, before, session.setup)) return session.dispatch(event)
      stopFollowing()
      gate.consented()
      const isTaken = await session.dispatch(event).catch((thrown: unknown) => {
        gate.unasked('none')
        throw thrown
      })
      if (!isTaken) gate.unasked('refused')
      else follow(() => mayStillAsk(event, before, session.getState()), event)
      return isTaken
    },
  }

  /** Waits until no prompt can open any more. */
  function follow(mayAsk: () => boolean, event: Event): void {
    stopFollowing = session.subscribe(look)
    function look(): void {
      if (mayAsk()) return
      stopFollowing()
      gate.unasked(needsPassword(event) ? 'none' : 'unneeded')
    }
    look()
  }
}
