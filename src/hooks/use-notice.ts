import { useEffect, useRef } from 'react'
import type { StepView } from '../core/steps/step-view.ts'
import { noticeBetween } from './notice.ts'
import type { Notifier } from './shell.tsx'

/** Tells what has changed in a view, where its user asked for that. */
export function useNotice(view: StepView, notifier: Notifier | undefined): void {
  const before = useRef(view)
  useEffect(() => {
    const notice = noticeBetween(before.current, view)
    before.current = view
    if (notice !== undefined && notifier?.on === true) notifier.tell(notice)
  }, [view, notifier])
}
