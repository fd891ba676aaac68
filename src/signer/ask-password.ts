import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import { unawaited } from '../core/base/errors/base.ts'
import { walletError } from '../core/base/errors/wallet.ts'
import { type FieldReader, readFields, readJson } from '../core/base/format/fields.ts'
import { plainAscii } from '../core/base/format/text.ts'
import { listenToKeys } from './password-line.ts'

const TERMINAL = '/dev/tty'
/** Windows has one device for the keys and another one for the screen. */
const CONSOLE = { keys: '\\\\.\\CONIN$', screen: '\\\\.\\CONOUT$' }
const IS_WINDOWS = process.platform === 'win32'
const EMPTY_SCREEN = '\u001b[2J\u001b[H'
const LEAVE_OTHER_SCREEN = '\u001b[?1049l\u001b[?25h'

/** The controlling terminal, without echo. */
type PromptTerminal = {
  input: ReadStream
  /**
   * Draws the lines in the place of everything on the screen; the cursor stays behind the last one. With lines only,
   * those that are new follow what was printed.
   */
  draw(lines: readonly string[]): void
  /**
   * Clears the screen and leaves the terminal; with `abandoned` it leaves the other screen, as nobody else will. With
   * lines only it ends the last one.
   */
  close(end: { abandoned: boolean }): void
}

/** How the terminal is used. */
type TerminalUse = {
  /** Whoever started this process has set raw mode, and puts it back. */
  rawModeIsOn: boolean
  /** Nothing is drawn or moved: one line follows the other, in plain ASCII. */
  linesOnly: boolean
  /** Keys were dropped just before this process began. */
  wasTyped: boolean
}

/** Reads how a request wants the terminal used. Throws `signer.bad-request`. */
export function readTerminalUse(request: FieldReader): TerminalUse {
  return {
    rawModeIsOn: request.flag('rawModeIsOn'),
    linesOnly: request.flag('linesOnly'),
    wasTyped: request.has('wasTyped') && request.flag('wasTyped'),
  }
}

/**
 * Opens the controlling terminal and sets raw mode before anything else, so that nothing typed from here on is echoed.
 * Where raw mode is on already it is left alone, also at the end: whoever set it puts it back. Throws
 * `signer.no-terminal`.
 */
function openPromptTerminal({ rawModeIsOn, linesOnly }: TerminalUse): PromptTerminal {
  const descriptor = openTerminal(IS_WINDOWS ? CONSOLE.keys : TERMINAL)
  // On Windows each process says for itself how it reads.
  const input = openStream(descriptor, { rawModeIsOn: rawModeIsOn && !IS_WINDOWS })
  const screen = IS_WINDOWS ? new WriteStream(openTerminal(CONSOLE.screen)) : undefined
  const write = (text: string): void => {
    try {
      if (screen === undefined) writeSync(descriptor, text)
      else screen.write(text)
    } catch {
      // A terminal that is gone shows nothing; the reply is on its own way.
    }
  }
  let printed: readonly string[] = []
  const print = (lines: readonly string[]): void => {
    const fresh = lines.filter((line) => !printed.includes(line))
    write(`${printed.length === 0 ? '' : '\r\n'}${fresh.map(plainAscii).join('\r\n')}`)
    printed = lines
  }
  return {
    input,
    draw: (lines) => (linesOnly ? print(lines) : write(EMPTY_SCREEN + lines.join('\r\n'))),
    close({ abandoned }) {
      if (linesOnly) write('\r\n')
      else write(abandoned ? LEAVE_OTHER_SCREEN : EMPTY_SCREEN)
      if (!rawModeIsOn) input.setRawMode(false)
      input.destroy()
    },
  }
}

function openTerminal(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch {
    throw walletError('signer.no-terminal')
  }
}

function openStream(descriptor: number, { rawModeIsOn }: Pick<TerminalUse, 'rawModeIsOn'>): ReadStream {
  try {
    const input = new ReadStream(descriptor)
    if (!rawModeIsOn) input.setRawMode(true)
    return input
  } catch {
    closeSync(descriptor)
    throw walletError('signer.no-terminal')
  }
}

export type PasswordPrompt = TerminalUse & {
  /** What is signed with the password, safe to draw. */
  lines: readonly string[]
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const
const TICK_MS = 1_000
const ASKING = [' Nothing is shown while you type. Enter signs this. Ctrl-C signs nothing.', '']
/** What is said where somebody typed ahead. */
export const DROPPED = ' Keys that were pressed before this prompt were dropped.'
const QUESTION = ' Password of the keystore: '

/**
 * Asks for a password on the controlling terminal and does the work with it. From before the prompt until the work is
 * over nothing typed is echoed, not even as stars: what comes before the prompt is drawn is dropped, and the prompt is drawn
 * once nobody types; so are an Enter alone in its first second, and what comes behind Enter. The work wipes the password. Throws `signer.no-terminal`, `signer.cancelled` on
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
    // Whoever is in the middle of it would else be asked for the rest alone.
    if (someEarly) await Promise.race([keys.quiet(), stopped])
    const ask = (dropped: boolean) => show(() => [...(dropped ? [DROPPED] : []), ...ASKING, QUESTION])
    ask(someEarly || prompt.wasTyped)
    const line = keys.line(() => {
      if (!prompt.linesOnly) ask(true)
    })
    const password = await Promise.race([line, stopped])
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
    const stop = () => reject(walletError('signer.cancelled'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    for (const name of SIGNALS) process.once(name, stop)
    void cancelled.then(stop)
  })
  return unawaited(stopped)
}

const REAL_CHAINS = [80094, 80069]

/**
 * Returns the play-money password in a rehearsal network's descriptor, as bytes. Taken only for the keystore that the
 * descriptor names, on the chain that it names, and never on a chain with real or public test money. Throws
 * `signer.descriptor-refused`.
 */
export function readDescriptorPassword(text: string, use: { keystore: string; chainId?: number }): Buffer {
  const fail = (problem: { field: string; expected: string }) =>
    walletError(
      'signer.descriptor-refused',
      `The descriptor has no usable ${problem.field}: expected ${problem.expected}.`,
    )
  const notJson = () => walletError('signer.descriptor-refused', 'The descriptor is not JSON.')
  const descriptor = readFields(readJson(text, notJson), { path: '', fail, secret: true })
  const chainId = descriptor.index('chainId')
  const keystore = descriptor.object('keystore')
  if (REAL_CHAINS.includes(chainId))
    throw walletError('signer.descriptor-refused', `Chain ${chainId} is no rehearsal chain.`)
  if (use.chainId !== undefined && use.chainId !== chainId) {
    throw walletError(
      'signer.descriptor-refused',
      `The descriptor is for chain ${chainId}, the transaction for chain ${use.chainId}.`,
    )
  }
  if (keystore.text('path') !== use.keystore)
    throw walletError('signer.descriptor-refused', 'The descriptor names another keystore.')
  return Buffer.from(keystore.text('password'), 'utf8')
}
