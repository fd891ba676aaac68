import { errorFacts } from '../core/view/observation.ts'
import type { FormChoice, NetworkChoice, SetupDraft, UnderWay } from '../core/wizard/launch/choice.ts'
import type { Check, FormCommand, FormEvent, PathNotes, PriceEndpoints } from '../core/wizard/launch/form.ts'
import { launchTransition } from '../core/wizard/launch/machine.ts'
import type { PlacesKnown, PlacesSeen } from '../core/wizard/launch/places.ts'
import {
  type LaunchCommand,
  type LaunchEvent,
  type LaunchSay,
  type LaunchState,
  launchAtFirst,
} from '../core/wizard/launch/state.ts'
import type { Session } from '../core/wizard/session.ts'
import type { MonotonicClock } from './shell.tsx'

/** A path as far as it can be completed, and the names it may go on with where there are several. */
export type Completion = { to: string; names: readonly string[] }

/** The way from a choice to a running session; supplied by whoever composes the program. */
export type Launcher = {
  /** A choice that was made on the command line. */
  initial: NetworkChoice | undefined
  /** A registered validator that was named on the command line without a network. */
  validator?: string
  /**
   * What earlier runs left in the state directory, newest first; with `rehearsals` also which rehearsal networks still
   * run. Changes nothing, and does not reject.
   */
  underWay(options: { rehearsals: boolean }): Promise<readonly UnderWay[]>
  /**
   * The form of any other network, once the home is typed with what that home names; a rehearsal as on mainnet is started
   * for it. Rejects as its file or that start does, or when the signal came first.
   */
  draft(choice: FormChoice, homePath?: string, signal?: AbortSignal): Promise<SetupDraft>
  check: Check
  /** What a place costs now, by these endpoints, else by those of the settings; rejects where nobody there answers. */
  price(
    asked: { choice: FormChoice; endpoints?: PriceEndpoints | undefined },
    signal: AbortSignal,
  ): Promise<PlacesKnown>
  /** Looks at what is at a path. */
  look(path: { text: string; kind: 'folder' | 'file' }): Promise<PathNotes>
  /** Goes on with a path as a shell does on Tab. */
  complete(path: { text: string; kind: 'folder' | 'file' }): Promise<Completion>
  /**
   * Begins a session, with the accepted fields where there was a form. A rehearsal network that is given up while it starts
   * is ended. Rejects with `rehearsal.ended` where the network does not run any more, and when the signal came first.
   */
  open(choice: NetworkChoice, values: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Session>
}

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

  /** Hands over what came of a question; without an event for its failure, one that fails changes nothing. */
  function hear<T>(
    asked: Promise<T>,
    event: (found: T) => LaunchEvent,
    failure: (thrown: unknown) => LaunchEvent | undefined = () => undefined,
  ): void {
    asked.then(
      (found) => dispatch(event(found)),
      (thrown: unknown) => {
        const failed = failure(thrown)
        if (failed !== undefined) dispatch(failed)
      },
    )
  }

  /** A signal by which it can be given up. */
  function signalFor(id: number): AbortSignal {
    const abort = new AbortController()
    aborts.set(id, abort)
    return abort.signal
  }

  function run(command: LaunchCommand): void {
    switch (command.type) {
      case 'list': {
        const listed = (rows: readonly UnderWay[]): LaunchEvent => ({ type: 'listed', rows, atMs: atMs() })
        hear(launcher.underWay(command), listed, (thrown) => ({ ...listed([]), error: errorFacts(thrown) }))
        break
      }
      case 'draft': {
        const { id, choice } = command
        const drafted = (draft: SetupDraft): LaunchEvent => ({ type: 'drafted', id, draft, atMs: atMs() })
        hear(launcher.draft(choice, undefined, signalFor(id)), drafted, failedAs(id))
        break
      }
      case 'open': {
        const { id, choice, values } = command
        const opened = (session: Session): LaunchEvent => ({ type: 'opened', id, session })
        hear(launcher.open(choice, values, signalFor(id)), opened, failedAs(id))
        break
      }
      case 'giveUp':
        aborts.get(command.id)?.abort()
        break
      case 'start':
        void command.session.start()
        break
      case 'end': {
        const ended = (): LaunchEvent => ({ type: 'ended', atMs: atMs() })
        hear(command.session.stop(), ended, ended)
        break
      }
      case 'close':
        void command.session.stop()
        break
      default:
        ask(command, (event) => ({ type: 'form', form: command.form, event }))
    }
  }

  /** Questions of the form. */
  function ask(command: FormCommand, told: (event: FormEvent) => LaunchEvent): void {
    switch (command.type) {
      case 'price':
        price(command, (places) => dispatch(told({ type: 'placed', places })))
        break
      case 'propose':
        hear(launcher.draft(command.choice, command.homePath), (draft) => told({ type: 'proposed', draft }))
        break
      case 'look': {
        const { field, text } = command
        hear(launcher.look(command), (found) => told({ type: 'looked', field, text, ...found }))
        break
      }
      case 'complete': {
        const { field, text } = command
        hear(launcher.complete(command), (found) => told({ type: 'completed', field, text, ...found }))
      }
    }
  }

  /** Asks what a place costs now. Only the last question is waited for, and none once the form is left. */
  function price(asked: Parameters<Launcher['price']>[0], told: (places: PlacesSeen) => void): void {
    pricing.abort()
    pricing = new AbortController()
    const { signal } = pricing
    const tell = (places: PlacesSeen) => {
      if (!signal.aborted) told(places)
    }
    launcher.price(asked, signal).then(
      (known) => tell({ is: 'known', known }),
      (thrown: unknown) => tell({ is: 'failed', why: errorFacts(thrown).shortMessage }),
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

const failedAs =
  (id: number) =>
  (thrown: unknown): LaunchEvent => ({ type: 'failed', id, error: errorFacts(thrown) })
