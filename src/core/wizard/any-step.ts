import type { Desk, OpenedAction } from '../pay/desk/desk.ts'
import type { Offer } from '../pay/desk/offer.ts'
import type { ActionView, Does, StepField, StepView } from '../view/step-view.ts'
import type { Event } from './state.ts'

/** What a desk draws, of whatever step it is. */
export type AnyView = StepView<Event, Offer>
/** A key of any step. */
export type AnyAction = ActionView<Event, Offer>
/** A field of any step. */
export type AnyField = StepField<Event>
/** What a key of any step does. */
export type AnyDoes = Does<Event>
/** An action of any step that asks for a word. */
export type AnyOpened = OpenedAction<Event>
/** The same, with what was typed. */
export type AnyDesk = Desk<Event>

/** Returns the event that a typed text makes in a field. */
export function taken({ takes }: Pick<AnyField, 'takes'>, text: string): Event {
  return { ...takes, text }
}
