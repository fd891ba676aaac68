import type { DocumentVerdict } from '../core/base/format/document.ts'
import { type Next, nextText, type OwnCommand } from '../core/base/format/next.ts'
import type { MarkTone } from '../core/view/marks.ts'
import type { Mark } from '../core/view/view.ts'

/** How loud a piece of text is: a verdict's colour, a heading, or something beside the point. */
export type Tone = MarkTone | 'strong'

/** What lines are written on: how wide it is, and how it draws marks, letters beyond ASCII and colours. */
export type Renderer = {
  columns: number
  /** The mark of a fact, in two cells at most. */
  mark(mark: Mark): string
  plain(text: string): string
  paint(tone: Tone, text: string): string
}

/** Where a command writes and what can stop it. Data goes to `out`, talk to `err`. */
export type CommandIo = {
  out(line: string): void
  err(line: string): void
  /** Aborted on SIGINT, SIGTERM and SIGHUP. */
  signal: AbortSignal
  /** What `out` is written on; plain ASCII on 80 columns where it is not given. */
  renderer?: Renderer
  /** Makes the terminal call its user; undefined where there is none. */
  ring?(text: string, form: 'auto' | 'osc9' | 'osc777' | 'bell'): void
  /** A command of this program as a shell here takes it; by the name of the program where it is not given. */
  run?(command: OwnCommand): string
}

/** Returns what to do next in words, with its commands as they are run here. */
export function nextWords(next: Next, { run }: Pick<CommandIo, 'run'>): string {
  return nextText(next, run === undefined ? {} : { run })
}

/** What the program's end means to whoever called it. */
export const EXIT = {
  done: 0,
  /** A check failed: the answer is "no". */
  no: 1,
  wrongUse: 2,
  /** The answer could not be found out. */
  unknown: 3,
  stopped: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Whether an error is the disk's: a full or failing one says nothing of what was asked. */
export const isOfDisk = (code: string): boolean =>
  /^(?:file\.(?:no-space|failed|poisoned)|journal\.unwritable)$/.test(code)

/** What a document says where the program ends so. */
export const VERDICT_OF: Readonly<Record<ExitCode, DocumentVerdict>> = {
  [EXIT.done]: 'yes',
  [EXIT.no]: 'no',
  [EXIT.wrongUse]: 'wrong-use',
  [EXIT.unknown]: 'unknown',
  [EXIT.stopped]: 'stopped',
}
