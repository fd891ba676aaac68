import type { StepView } from '../core/steps/step-view.ts'

/** Whether the screen shows something that comes by itself, so that its user may look elsewhere. */
export function awaitsSomething(view: StepView): boolean {
  return view.waiting !== undefined || view.timeline.some(({ state }) => state !== 'done')
}

/** What to tell someone who looks elsewhere: what has come, or what is wrong; undefined while nothing has changed. */
export function noticeBetween(before: StepView, after: StepView): string | undefined {
  if (before.step !== after.step) return undefined
  if (after.problem !== undefined) {
    return after.problem.title === before.problem?.title ? undefined : after.problem.title
  }
  if (after.done !== before.done) return after.done ? after.title : undefined
  const passed = after.timeline.findLast(
    ({ id, state }) =>
      state === 'done' && before.timeline.some((row) => row.id === id && row.state !== 'done'),
  )
  if (passed !== undefined) return passed.label
  return before.waiting !== undefined && after.waiting === undefined ? after.title : undefined
}
