import { render, useApp, useInput, usePaste } from 'ink'
import { type ReactNode, useEffect } from 'react'
import type { TerminalInput } from './drop-typed.ts'
import { splitKeys } from './key-splitter.ts'
import { PASTE_MARKS } from './keys.ts'
import { notification } from './notification.ts'

/** How the screens came to an end. */
type AppEnd =
  | { reason: 'done' }
  | { reason: 'signal'; signal: 'SIGTERM' | 'SIGHUP' | 'SIGINT' }
  | { reason: 'fault'; error: unknown }

/** What is used of the process: its signals and its last resort. */
type ProcessEvents = {
  on(event: string, listener: (...args: unknown[]) => void): unknown
  off(event: string, listener: (...args: unknown[]) => void): unknown
  emit(event: 'SIGINT'): unknown
}

export type RenderAppOptions = {
  stdin: TerminalInput
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  process: ProcessEvents
  /** TERM of the environment. */
  term?: string | undefined
  /** Called on Ctrl-C; without it the screens simply end. */
  onInterrupt?: () => void
  /** Whether a key is for the screens; others are dropped. */
  mayHear?: (key: string) => boolean
  /** What is to be done once the screens are gone, before the terminal is given back: what is typed meanwhile is dropped. */
  closing?: () => Promise<unknown>
}

export type RunningApp = {
  /** Settles once the terminal is as it was before. Never rejects. */
  end: Promise<AppEnd>
  /** Draws another tree in place of the first. */
  rerender(node: ReactNode): void
  /** Makes the terminal call its user; nothing is drawn. */
  notify(text: string): void
  /**
   * Takes the screens away while a child process talks to the user on the terminal's other screen, raw mode without
   * echo all the time. One at a time. The signal is given when the screens are to end: they wait for `during`.
   */
  suspend(during: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Ends the screens. Calling it twice is safe. */
  close(): void
  /** Gives the terminal back now, unless it is back: for a process that ends before `end` settles. */
  restore(): Promise<void>
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
const MAX_FPS = 12
/** Leaves the paste mode and shows the cursor, for the case that Ink could not. */
const LAST_RESORT = `${PASTE_MARKS.off}\u001b[?25h`
const ENTER_EMPTY_SCREEN = '\u001b[?1049h\u001b[2J\u001b[H'
const LEAVE_SCREEN = '\u001b[?1049l'

/**
 * Draws the program on the terminal's other screen, with the key splitter in front, and gives the terminal back
 * on every way out: exit, SIGTERM, SIGHUP, SIGINT and uncaught errors. Ends no process: the
 * caller does, after `end`.
 */
export function renderApp(node: ReactNode, options: RenderAppOptions): RunningApp {
  const { stdin, stdout, stderr } = options
  const keys = splitKeys(stdin, undefined, {
    mayHear: options.mayHear,
    interrupt: () => void options.process.emit('SIGINT'),
  })
  // Before the first frame, so that no key pressed early is echoed or taken by the terminal itself.
  if (keys.isTTY) keys.setRawMode(true)
  let suspendInk: SuspendInk = () => Promise.reject(new Error('the screens are not there yet'))
  const provideSuspend = (given: SuspendInk): void => {
    suspendInk = given
  }
  const wrap = (inner: ReactNode): ReactNode => (
    <InputFloor onInterrupt={options.onInterrupt} provideSuspend={provideSuspend}>
      {inner}
    </InputFloor>
  )
  const app = render(wrap(node), {
    stdin: keys,
    stdout,
    stderr,
    exitOnCtrlC: false,
    alternateScreen: true,
    incrementalRendering: true,
    interactive: true,
    patchConsole: false,
    maxFps: MAX_FPS,
  })
  const ending = new AbortController()
  /** The last suspension; settled when the screens are there. */
  let away: Promise<unknown> = Promise.resolve()
  const suspendKeys = async (during: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    ending.signal.throwIfAborted()
    const resumeKeys = keys.suspend()
    await suspendInk(async () => {
      stdout.write(ENTER_EMPTY_SCREEN)
      try {
        await during(ending.signal)
      } finally {
        stdout.write(LEAVE_SCREEN)
        await resumeKeys()
      }
    })
  }
  const leave = async (): Promise<void> => {
    ending.abort()
    await away
    app.unmount()
  }
  let outcome: AppEnd = { reason: 'done' }
  let restored: Promise<void> | undefined
  const restoreTerminal = (sequences: string): Promise<void> => {
    if (restored === undefined && stdout.isTTY) stdout.write(sequences)
    restored ??= keys.isTTY ? keys.release() : Promise.resolve()
    return restored
  }
  const finish = (how: AppEnd): void => {
    if (outcome.reason === 'done') outcome = how
    void leave()
  }
  const listeners = [
    ...SIGNALS.map((signal) => ({
      event: signal as string,
      listener: () => finish({ reason: 'signal', signal }),
    })),
    { event: 'uncaughtException', listener: (error: unknown) => finish({ reason: 'fault', error }) },
    { event: 'unhandledRejection', listener: (error: unknown) => finish({ reason: 'fault', error }) },
  ]
  for (const { event, listener } of listeners) options.process.on(event, listener)

  const end = app
    .waitUntilExit()
    .then(
      () => undefined,
      (error: unknown) => {
        if (outcome.reason === 'done') outcome = { reason: 'fault', error }
      },
    )
    .then(async () => {
      ending.abort()
      await away
      for (const { event, listener } of listeners) options.process.off(event, listener)
      if (keys.isTTY) keys.drop()
      await Promise.allSettled([options.closing?.()])
      await restoreTerminal(LAST_RESORT)
      return outcome
    })
  return {
    end,
    rerender: (inner) => app.rerender(wrap(inner)),
    notify: (text) => void stdout.write(notification(text, options.term)),
    suspend(during) {
      const run = away.then(() => suspendKeys(during))
      away = Promise.allSettled([run])
      return run
    },
    close: () => void leave(),
    restore: () => restoreTerminal(`${LAST_RESORT}${LEAVE_SCREEN}`),
  }
}

type SuspendInk = (during: () => Promise<void>) => Promise<void>

type InputFloorProps = {
  children: ReactNode
  onInterrupt: (() => void) | undefined
  provideSuspend: (suspend: SuspendInk) => void
}

/** Keeps the terminal listening whatever the screens do: Ctrl-C always works, and a paste never counts as keys. */
function InputFloor({ children, onInterrupt, provideSuspend }: InputFloorProps) {
  const { exit, suspendTerminal } = useApp()
  useEffect(() => provideSuspend((during) => suspendTerminal(during)), [provideSuspend, suspendTerminal])
  useInput((input, key) => {
    if (!key.ctrl || input !== 'c') return
    if (onInterrupt === undefined) exit()
    else onInterrupt()
  })
  usePaste(() => undefined)
  return children
}
