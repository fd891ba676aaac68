import { useCallback, useMemo } from 'react'
import type { Session } from '../core/session.ts'
import type { Event, State } from '../core/state.ts'
import { topUpPlan } from '../core/steps/topup/machine.ts'
import { agreedWorld, amountOnTheTable } from '../core/steps/topup/plan.ts'
import { topUpView } from '../core/steps/topup/view.ts'
import { paymentActionTable, paymentSubmit } from './payment-actions.ts'
import { useSession } from './session-provider.tsx'
import { type ActionTable, type StepHook, useActions } from './use-step.ts'

/** The top-up step for its screen. */
export function useTopUp(): StepHook {
  const { session, state } = useSession()
  const view = useMemo(() => topUpView(state.topup, session.facts(), session.setup), [state, session])
  const table = useMemo<ActionTable>(() => actionsOf(session, state), [session, state])
  const submit = useCallback(
    (field: string, text: string): Event[] =>
      field === 'amount' ? [{ step: 'topup', type: 'chosen', text }] : paymentSubmit('topup', field, text),
    [],
  )
  return { view, actions: useActions('topup', table, submit) }
}

/** `shown` is the state on the screen: what is sent is the amount that was read there, not one that came since. */
function actionsOf(session: Session, shown: State): ActionTable {
  const { setup } = session
  const step = setup.network.spec.effectiveBalanceIncrementGwei
  const nudge = (byGwei: bigint): readonly Event[] => {
    const fromGwei = chosen(session.getState(), session)
    return fromGwei === undefined ? [] : [{ step: 'topup', type: 'nudged', byGwei, fromGwei }]
  }
  return {
    ...paymentActionTable('topup', () => session.getState().topup.send),
    send: () => {
      const amountGwei = chosen(shown, session)
      const plan = amountGwei === undefined ? undefined : topUpPlan(amountGwei, session.facts(), setup)
      const pubkey = session.facts().identity?.pubkey
      const world = agreedWorld(shown.topup, pubkey, amountGwei, setup)
      if (plan === undefined || world === undefined) return []
      return [{ step: 'topup', type: 'agreed', plan, world }]
    },
    less: () => nudge(-step),
    more: () => nudge(step),
    watch: () => [{ step: 'session', type: 'went', to: 'status' }],
  }
}

function chosen(state: State, session: Session): bigint | undefined {
  return amountOnTheTable(state.topup, session.facts().identity?.pubkey, session.setup)
}
