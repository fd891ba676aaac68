import type { StepId } from '../../src/core/view/view.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'

/** Presses a key of a step, as on its screen; its word is typed. Throws where the key makes no events now. */
export async function press(session: Session, step: StepId, pressed: string): Promise<void> {
  const { actions } = viewOf(step, session.getState(), session)
  const does = actions.find(({ key }) => key === pressed)?.does
  if (does === undefined || typeof does === 'string' || 'edit' in does)
    throw new Error(`${pressed} makes no events`)
  for (const event of does) await session.dispatch(event)
}
