import { errorFacts } from '../core/view/observation.ts'
import { launchTransition } from '../core/wizard/launch/machine.ts'
import type { PlacesSeen } from '../core/wizard/launch/places.ts'
import {
  type LaunchCommand,
  type LaunchEvent,
  type LaunchSay,
  type LaunchState,
  launchAtFirst,
} from '../core/wizard/launch/state.ts'
import type { Launcher } from './launcher.tsx'
import type { MonotonicClock } from './shell.tsx'

/** The launcher's machine with its commands carried out. */
export type LaunchLoop = {
  begin(): void
  /** Gives up what is being opened; nothing is shown any more. */
  leave(): void
  getState(): LaunchState
  subscribe(listener: () => void): () => void
  /** Hears what somebody does. */
  tell(event: LaunchSay): void
}

/** Runs the machine: an event at a time, then the commands that follow from it, whose answers are events again. */
export function launchLoop(launcher: Launcher, clock: MonotonicClock): LaunchLoop {
  const listeners = new Set<() => void>()
  const aborts = new Map<number, AbortController>()
  let pricing = new AbortController()
  let state = launchAtFirst(launcher.validator)

  const dispatch = (event: LaunchEvent): void => {
    const [next, commands] = launchTransition(state, event, launcher.check)
    state = next
    if (state.left || state.screen.phase !== 'form') pricing.abort()
    for (const listener of listeners) listener()
    for (const command of commands) run(command)
  }

  const atMs = (): number => clock.monotonicMs()

  function run(command: LaunchCommand): void {
    switch (command.type) {
      case 'list':
        launcher.underWay({ rehearsals: command.rehearsals }).then(
          (rows) => dispatch({ type: 'listed', rows, atMs: atMs() }),
          () => dispatch({ type: 'listed', rows: [], atMs: atMs() }),
        )
        return
      case 'draft': {
        const { id, choice } = command
        const abort = new AbortController()
        aborts.set(id, abort)
        launcher.draft(choice, undefined, abort.signal).then(
          (draft) => dispatch({ type: 'drafted', id, draft, atMs: atMs() }),
          (thrown: unknown) => dispatch({ type: 'failed', id, error: errorFacts(thrown) }),
        )
        return
      }
      case 'open':
        open(command.id, (signal) => launcher.open(command.choice, command.values, signal))
        return
      case 'openRehearsal':
        open(command.id, (signal) => launcher.openRehearsal(command.choice, signal))
        return
      case 'giveUp':
        aborts.get(command.id)?.abort()
        return
      case 'start':
        void command.session.start()
        return
      case 'end':
        void command.session
          .stop()
          .catch(() => undefined)
          .then(() => dispatch({ type: 'ended', atMs: atMs() }))
        return
      case 'close':
        void command.session.stop()
        return
      case 'price':
        price(command)
        return
      case 'propose':
      case 'look':
      case 'complete':
        ask(command)
        return
    }
  }

  function open(id: number, begin: (signal: AbortSignal) => ReturnType<Launcher['open']>): void {
    const abort = new AbortController()
    aborts.set(id, abort)
    begin(abort.signal).then(
      (session) => dispatch({ type: 'opened', id, session }),
      (thrown: unknown) => dispatch({ type: 'failed', id, error: errorFacts(thrown) }),
    )
  }

  /** Asks what a place costs now. Only the last question is waited for, and none once the form is left. */
  function price({ form, choice, endpoints }: Extract<LaunchCommand, { type: 'price' }>): void {
    pricing.abort()
    pricing = new AbortController()
    const { signal } = pricing
    const tell = (places: PlacesSeen) => {
      if (!signal.aborted) dispatch({ type: 'form', form, event: { type: 'placed', places } })
    }
    launcher.price({ choice, endpoints }, signal).then(
      (known) => tell({ is: 'known', known }),
      (thrown: unknown) => tell({ is: 'failed', why: errorFacts(thrown).shortMessage }),
    )
  }

  /** Questions of the form; one without an answer changes nothing. */
  function ask(command: Exclude<Extract<LaunchCommand, { form: number }>, { type: 'price' }>): void {
    const { form } = command
    if (command.type === 'propose') {
      const tell = (draft: Awaited<ReturnType<Launcher['draft']>>) =>
        dispatch({ type: 'form', form, event: { type: 'proposed', draft } })
      launcher.draft(command.choice, command.homePath).then(tell, () => undefined)
      return
    }
    const { field, text, kind } = command
    if (command.type === 'look') {
      launcher.look({ text, kind }).then(
        (found) => dispatch({ type: 'form', form, event: { type: 'looked', field, text, ...found } }),
        () => undefined,
      )
      return
    }
    launcher.complete({ text, kind }).then(
      (completion) =>
        dispatch({ type: 'form', form, event: { type: 'completed', field, text, ...completion } }),
      () => undefined,
    )
  }

  return {
    begin: () => dispatch({ type: 'begun', initial: launcher.initial, atMs: atMs() }),
    leave: () => dispatch({ type: 'left' }),
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: (event) => dispatch(Object.assign({ atMs: atMs() }, event)),
  }
}
