import { useEffect, useState, useSyncExternalStore } from 'react'
import type { NetworkChoice, UnderWay } from '../core/launch/choice.ts'
import type { FormEvent } from '../core/launch/form.ts'
import type { LaunchState } from '../core/launch/state.ts'
import type { KeyBinding } from './keymap.ts'
import { launchLoop } from './launch-loop.ts'
import { useLauncher } from './launcher.tsx'
import { useShell } from './shell.tsx'

export type Launch = {
  state: LaunchState
  choose(choice: NetworkChoice): void
  /** Goes on with what is under way. */
  proceedWith(row: UnderWay): void
  inForm(event: FormEvent): void
  proceed(): void
  retry(): void
  /** One screen back; from the steps and from a failure to the form, with the texts it had. */
  back(): void
}

/** Leads from the choice of a network to a running session, and back. */
export function useLaunch(): Launch {
  const launcher = useLauncher()
  const { clock } = useShell()
  const [loop] = useState(() => launchLoop(launcher, clock))
  const state = useSyncExternalStore(loop.subscribe, loop.getState)
  useEffect(() => {
    loop.begin()
    return loop.leave
  }, [loop])
  const atMs = loop.nowMs
  return {
    state,
    choose: (choice) => loop.dispatch({ type: 'chosen', choice, atMs: atMs() }),
    proceedWith: (row) => loop.dispatch({ type: 'continued', row, atMs: atMs() }),
    inForm: (event) => loop.dispatch({ type: 'form', event }),
    proceed: () => loop.dispatch({ type: 'proceeded', atMs: atMs() }),
    retry: () => loop.dispatch({ type: 'retried', atMs: atMs() }),
    back: () => loop.dispatch({ type: 'back', atMs: atMs() }),
  }
}

/** A list of which one entry is chosen with the arrows, a digit, and Enter. */
export type Menu = { index: number; bindings: KeyBinding[] }

/**
 * Holds the place in a list of entries by their ids, the first until another one is chosen: entries may come before it.
 * `onChoose` is called with the entry's place on Enter.
 */
export function useMenu(ids: readonly string[], onChoose: (index: number) => void): Menu {
  const [chosen, choose] = useState<string | undefined>(undefined)
  const count = ids.length
  const index = Math.max(0, ids.indexOf(chosen ?? ''))
  const setIndex = (place: number) => choose(ids[Math.min(count - 1, Math.max(0, place))])
  const move = (by: number) => setIndex(index + by)
  const digits = Array.from(
    { length: Math.min(count, 9) },
    (_, place): KeyBinding => ({
      key: `${place + 1}`,
      run: () => setIndex(place),
    }),
  )
  return {
    index,
    bindings: [
      { key: 'up', label: 'choose', run: () => move(-1) },
      { key: 'down', label: 'choose', run: () => move(1) },
      ...digits,
      { key: 'return', label: 'continue', run: () => onChoose(index) },
    ],
  }
}
