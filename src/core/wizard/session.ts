import type { Effects } from '../base/effects/effects.ts'
import { effectsUntil } from '../base/effects/effects-until.ts'
import { onceSettled } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { JournalError, journalError, sessionError } from '../base/errors/journal.ts'
import type { Facts, Setup } from '../chain/facts.ts'
import type { OpenAlarms } from '../observe/alarms.ts'
import type { CommandContext, JournalOwner } from '../observe/context.ts'
import { errorFacts } from '../view/observation.ts'
import { collectFacts, isAllowed } from './gates.ts'
import { openGuardBook, readKept } from './journal/guard-file.ts'
import { createSessionLocks, type JournalFile, openJournalFile } from './journal/journal-file.ts'
import { transition } from './procedure.ts'
import { runCommand } from './run-command.ts'
import { type Command, type DurableEvent, type Event, initialState, isDurable, type State } from './state.ts'

type Listener = (state: State, event: Event) => void

export type Session = {
  readonly setup: Setup
  readonly clock: Effects['clock']
  getState(): State
  facts(): Facts
  subscribe(listener: Listener): () => void
  /** Resolves once the event is durable where it must be, and applied. Resolves to false when a gate refused it. */
  dispatch(event: Event): Promise<boolean>
  /** Begins with the first step. Calling it twice is the same as calling it once. */
  start(): Promise<void>
  /** Ends all commands, closes the journal and frees its lock. */
  stop(): Promise<void>
}

/**
 * Write-ahead dispatch: a decision or money event is appended to the journal and made durable, then applied, then
 * told to the listeners, and only then do its commands run. Events are handled one at a time, in order.
 * An append that fails ends the session: nothing that is not on disk may have consequences. `openAlarms` judges what the
 * last step sees by the rules of a watch.
 */
export function createSession(effects: Effects, setup: Setup, openAlarms: OpenAlarms): Session {
  const listeners = new Set<Listener>()
  const running = new Map<
    string,
    { controller: AbortController; done: Promise<void>; scope: Command['scope'] }
  >()
  const locks = createSessionLocks(effects.store, setup)
  const lock = (name: string) => locks.take(name)
  const offers: CommandContext<Event>['offers'] = new Map()
  let state = initialState
  let journal: JournalFile | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let started = false
  let stopped = false

  const facts = () => collectFacts(state, setup)
  const guards = () => {
    const { genesis } = facts()
    if (genesis === undefined) return undefined
    return openGuardBook({
      effects,
      setup,
      borrow: locks.borrow,
      executionGenesisHash: genesis.executionGenesisHash,
    })
  }

  async function handle(event: Event): Promise<boolean> {
    if (stopped || !isAllowed(state, event, setup)) return false
    if (isDurable(event)) await append(event)
    const [next, commands] = transition(state, event, setup)
    state = next
    for (const listener of listeners) listener(state, event)
    if (event.step === 'session' && event.type === 'went') abort('here')
    for (const command of commands) run(command)
    return true
  }

  async function append(event: DurableEvent): Promise<void> {
    if (journal === undefined) throw sessionError('journal.closed')
    try {
      await journal.append(event)
    } catch (thrown) {
      stopped = true
      abort('always')
      const error = errorFacts(thrown)
      state = { ...state, journal: { status: 'refused', error } }
      for (const listener of listeners) listener(state, { step: 'session', type: 'refused', error })
      throw thrown
    }
  }

  /** What a command told counts only if nobody gave the command up while its event waited for its turn. */
  function dispatch(event: Event, signal?: AbortSignal): Promise<boolean> {
    const result = queue.then(() => (signal?.aborted === true ? false : handle(event)))
    queue = onceSettled(result)
    return result
  }

  function abort(reach: Command['scope']): void {
    for (const { controller, scope } of running.values()) {
      if (reach === 'here' && scope === 'always') continue
      controller.abort(sessionError('session.left'))
    }
  }

  /** Of an event that became durable while the session ended, nothing follows: the next start takes it from there. */
  function run(command: Command): void {
    if (stopped) return
    const key = `${command.step}.${command.type}`
    const before = running.get(key)
    before?.controller.abort(sessionError('session.repeated'))
    const controller = new AbortController()
    const { signal } = controller
    const context = {
      effects: effectsUntil(effects, signal),
      setup,
      offers,
      facts,
      dispatch: tell(signal),
      signal,
      openJournal,
      lock,
      openAlarms,
      guards,
      kept: () => readKept(effects.store, setup),
    }
    const done = (before?.done ?? Promise.resolve())
      .then(() => (signal.aborted ? undefined : runCommand(command, context, () => state)))
      .catch((thrown: unknown) => (signal.aborted ? undefined : report(command, thrown, controller)))
      .finally(() => {
        if (running.get(key)?.controller === controller) running.delete(key)
      })
    running.set(key, { controller, done, scope: command.scope })
  }

  /** A command that was given up can no longer tell anything. */
  function tell(signal: AbortSignal) {
    return async (event: Event): Promise<void> => {
      signal.throwIfAborted()
      await dispatch(event, signal)
      signal.throwIfAborted()
    }
  }

  async function report(command: Command, thrown: unknown, controller: AbortController): Promise<void> {
    const { step } = command
    const error = errorFacts(thrown)
    if (step === 'sign' || ((step === 'deposit' || step === 'topup') && !('looks' in command))) {
      await dispatch({ step, type: 'failed', error })
      return
    }
    // Nothing but the journal itself closes one that is open: a payment may be under way in it.
    if (step === 'identity' && (journal === undefined || thrown instanceof JournalError)) {
      await dispatch({ step: 'session', type: 'refused', error })
      return
    }
    // The rows of the step say which endpoint is away, and the journal is compared with the next look.
    if (command.type === 'open' && thrown instanceof ClientError) return
    // What runs beside the loop that ended would else go on, and a second set of it begin with the next entering.
    controller.abort(sessionError('session.left'))
    await dispatch({ step: 'session', type: 'faulted', at: step, error })
  }

  async function openJournal(header: JournalOwner): Promise<void> {
    if (journal !== undefined) {
      journal.requireSame(header)
      return
    }
    // Two journals of one key, in two state directories, would not know of each other's payments.
    const heldBy = await lock(`key-${setup.network.executionChainId}-${header.pubkey.slice(2, 26)}`)
    if (heldBy !== undefined) throw journalError('journal.held', { pubkey: header.pubkey }, heldBy)
    journal = await openJournalFile(effects, setup, header)
    await dispatch({ step: 'session', type: 'opened', header, path: journal.path, history: journal.history })
  }

  return {
    setup,
    clock: effects.clock,
    getState: () => state,
    facts,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch: (event) => dispatch(event),
    async start() {
      if (started) return
      started = true
      await dispatch({ step: 'session', type: 'started' })
    },
    async stop() {
      abort('always')
      stopped = true
      await Promise.allSettled([...running.values()].map(({ done }) => done))
      await queue
      try {
        await journal?.close()
      } finally {
        journal = undefined
        await locks.releaseAll()
      }
    },
  }
}
