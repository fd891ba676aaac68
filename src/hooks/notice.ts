import { useEffect, useMemo, useRef, useState } from 'react'
import type { StepView } from '../core/steps/step-view.ts'
import type { Notifier, Shell } from './shell.tsx'

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

/** Tells what has changed in a view, where its user asked for that. */
export function useNotice(view: StepView, notifier: Notifier | undefined): void {
  const before = useRef(view)
  useEffect(() => {
    const notice = noticeBetween(before.current, view)
    before.current = view
    if (notice !== undefined && notifier?.on === true) notifier.tell(notice)
  }, [view, notifier])
}

/** Holds, for all steps, whether the user wants to be called. Nothing where the terminal cannot call. */
export function useNotifier({ notify }: Shell): Pick<Shell, 'notifier'> {
  const [on, setOn] = useState(false)
  return useMemo(
    () =>
      notify === undefined
        ? {}
        : { notifier: { on, toggle: () => setOn((before) => !before), tell: notify } },
    [on, notify],
  )
}
