import { useMemo } from 'react'
import type { Event } from '../core/state.ts'
import { STEP_IDS, type StepId, type StepView } from '../core/steps/view.ts'
import { useSession } from './session-provider.tsx'

/** What a step's screen gets: what to draw, and what a key or a submitted field does. */
export type StepHook = { view: StepView; actions: StepActions }

export type StepActions = {
  /** Triggers the action of this id from `view.actions`. */
  act(id: string): void
  /** Hands over the text of a field. */
  submit(field: string, text: string): void
}

/** Actions by id; each makes the events that the machine decides about. */
export type ActionTable = Readonly<Record<string, () => readonly Event[]>>

/** Puts a step's action table in front of the session; `next` and `back` are the same for all steps. */
export function useActions(
  step: StepId,
  table: ActionTable,
  submit?: (field: string, text: string) => Event[],
): StepActions {
  const { session } = useSession()
  return useMemo(() => {
    const send = (events: readonly Event[]) => {
      for (const event of events) void session.dispatch(event)
    }
    return {
      act(id) {
        const make = table[id] ?? moves(step)[id]
        if (make !== undefined) send(make())
      },
      submit(field, text) {
        if (submit !== undefined) send(submit(field, text))
      },
    }
  }, [session, step, table, submit])
}

function moves(step: StepId): ActionTable {
  const place = STEP_IDS.indexOf(step)
  const go = (to: StepId | undefined): readonly Event[] =>
    to === undefined ? [] : [{ step: 'session', type: 'went', to }]
  return { next: () => go(STEP_IDS[place + 1]), back: () => go(STEP_IDS[place - 1]) }
}
