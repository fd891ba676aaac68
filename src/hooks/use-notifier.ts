import { useMemo, useState } from 'react'
import type { Shell } from './shell.tsx'

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
