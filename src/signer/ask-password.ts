import { signingStopped } from '../core/errors/signer.ts'
import { listenToKeys } from './password-keys.ts'
import { openPromptTerminal } from './prompt-terminal.ts'

export type PasswordPrompt = {
  /** What is signed with the password, safe to draw. */
  lines: readonly string[]
  /** Whoever started this process has set raw mode, and puts it back. */
  rawModeIsOn: boolean
  /** Nothing is drawn or moved: one line follows the other, in plain ASCII. */
  linesOnly: boolean
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
const TICK_MS = 1_000
const ASKING = [' Nothing is shown while you type. Enter signs this. Ctrl-C signs nothing.', '']
const DROPPED = ' Keys that were pressed before this prompt were dropped.'
const QUESTION = ' Password of the keystore: '

/**
 * Asks for a password on the controlling terminal and does the work with it. From before the prompt until the work is
 * over nothing typed is echoed, not even as stars: what comes before the prompt is drawn is dropped,
 * and so is what comes behind Enter. The work wipes the password. Throws `signer.no-terminal`, `signer.cancelled` on
 * Ctrl-C, a signal or when `prompt.signal` aborts, and what the work throws.
 */
export async function withTypedPassword<Result>(
  prompt: PasswordPrompt,
  work: (password: Buffer) => Promise<Result>,
): Promise<Result> {
  const terminal = openPromptTerminal(prompt)
  const keys = listenToKeys(terminal.input)
  const stopped = stopping(prompt.signal, keys.cancelled)
  const above = ['', ...prompt.lines, '']
  let draw = (): void => undefined
  const show = (lines: () => readonly string[]): void => {
    draw = () => terminal.draw([...above, ...lines()])
    draw()
  }
  const redraw = (): void => {
    if (!prompt.linesOnly) draw()
  }
  process.on('SIGWINCH', redraw)
  let ticking: NodeJS.Timeout | undefined
  try {
    const someEarly = await keys.dropEarly()
    show(() => [...(someEarly ? [DROPPED] : []), ...ASKING, QUESTION])
    const password = await Promise.race([keys.line(), stopped])
    const sinceMs = performance.now()
    show(() => openingLines(prompt.linesOnly ? undefined : performance.now() - sinceMs))
    ticking = setInterval(redraw, TICK_MS)
    try {
      return await Promise.race([work(password), stopped])
    } finally {
      await Promise.race([keys.quiet(), stopped])
    }
  } finally {
    keys.forget()
    clearInterval(ticking)
    process.off('SIGWINCH', redraw)
    terminal.close({ abandoned: prompt.signal.aborted })
  }
}

function openingLines(passedMs: number | undefined): readonly string[] {
  const opening = passedMs === undefined ? '.' : ` … ${Math.floor(passedMs / TICK_MS)} s`
  return [` Opening the keystore${opening}`, ' Keys pressed now are dropped. Ctrl-C signs nothing.']
}

/** Rejects when the user, a signal or the parent's end stops it. */
function stopping(signal: AbortSignal, cancelled: Promise<void>): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signingStopped())
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    for (const name of SIGNALS) process.once(name, stop)
    void cancelled.then(stop)
  })
  stopped.catch(() => undefined)
  return stopped
}
