import { validatorStatus } from '../../src/core/chain/consensus/state.ts'
import { contactOf, situationOf } from '../../src/core/steps/status/situation.ts'
import { collectFacts } from '../../src/core/wizard/gates.ts'
import type { Session } from '../../src/core/wizard/session.ts'

/** Where the validator stands and how its node is heard, by their ids, and its status in the beacon state. */
export function standing(session: Pick<Session, 'getState' | 'setup'>) {
  const { setup } = session
  const state = session.getState()
  const situation = situationOf(state.status, collectFacts(state, setup), setup)
  const own = 'own' in situation ? situation.own : undefined
  return {
    is: situation.is,
    contact: contactOf(state.status, setup).is,
    ...(own === undefined ? {} : { status: validatorStatus(own.validator, own.epoch) }),
  }
}

/** Of whom the own node is in doubt, and what goes on beside it. */
export const doubtIn = ({ getState }: Pick<Session, 'getState'>) => getState().status.doubt
