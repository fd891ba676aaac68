import { render, useApp, useInput, usePaste } from 'ink'
import type { ReactNode } from 'react'
import { splitKeys, type TerminalInput } from './key-splitter.ts'
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
}

export type RunningApp = {
  /** Settles once the terminal is as it was before. Never rejects. */
  end: Promise<AppEnd>
  /** Draws another tree in place of the first. */
  rerender(node: ReactNode): void
  /** Makes the terminal call its user; nothing is drawn. */
  notify(text: string): void
  /** Ends the screens. Calling it twice is safe. */
  close(): void
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
const MAX_FPS = 12
/** Leaves the paste mode and shows the cursor, for the case that Ink could not. */
const LAST_RESORT = '\u001b[?2004l\u001b[?25h'

/**
 * Draws the program on the terminal's other screen, with the key splitter in front, and gives the terminal back
 * on every way out: exit, SIGTERM, SIGHUP, SIGINT and uncaught errors (`safety.md` #114). Ends no process: the
 * caller does, after `end`.
 */
export function renderApp(node: ReactNode, options: RenderAppOptions): RunningApp {
  const { stdin, stdout, stderr } = options
  const keys = splitKeys(stdin)
  // Before the first frame, so that no key pressed early is echoed or taken by the terminal itself.
  if (keys.isTTY) keys.setRawMode(true)
  const wrap = (inner: ReactNode): ReactNode => (
    <InputFloor onInterrupt={options.onInterrupt}>{inner}</InputFloor>
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
  let outcome: AppEnd = { reason: 'done' }
  const finish = (how: AppEnd): void => {
    if (outcome.reason === 'done') outcome = how
    app.unmount()
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
    .then(() => {
      for (const { event, listener } of listeners) options.process.off(event, listener)
      if (keys.isTTY) keys.setRawMode(false)
      if (stdout.isTTY) stdout.write(LAST_RESORT)
      return outcome
    })
  return {
    end,
    rerender: (inner) => app.rerender(wrap(inner)),
    notify: (text) => void stdout.write(notification(text, options.term)),
    close: () => app.unmount(),
  }
}

type InputFloorProps = { children: ReactNode; onInterrupt: (() => void) | undefined }

/** Keeps the terminal listening whatever the screens do: Ctrl-C always works, and a paste never counts as keys. */
function InputFloor({ children, onInterrupt }: InputFloorProps) {
  const { exit } = useApp()
  useInput((input, key) => {
    if (!key.ctrl || input !== 'c') return
    if (onInterrupt === undefined) exit()
    else onInterrupt()
  })
  usePaste(() => undefined)
  return children
}
