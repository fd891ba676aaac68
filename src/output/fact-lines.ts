import type { MoneyState } from '../core/base/errors/base.ts'
import { padRight, wrapText } from '../core/base/format/drawable.ts'
import { isHex } from '../core/base/format/hex.ts'
import { plainAscii } from '../core/base/format/text.ts'
import { MARKS } from '../core/view/marks.ts'
import { STEP_NAMES_TEXT } from '../core/view/text.ts'
import type { FactRow, StepId } from '../core/view/view.ts'
import type { Renderer } from './io.ts'

/** Where the money is after a failure, in one word. */
export const MONEY_WORDS: Readonly<Record<MoneyState, string>> = {
  untouched: 'untouched',
  unknown: 'unknown',
  moved: 'moved',
}

/** The width of a terminal that nobody made wider. */
const COLUMNS = 80
/** Where what does not fit beside the step and the mark is continued. */
const INDENT = ' '.repeat(14)
const ROOM = COLUMNS - INDENT.length
/** `0x` and 32 bytes, whole; longer hex is cut behind as much, between groups of four digits. */
const LONG_PIECE = /(?:0x)?.{1,64}/gs

const headOf = (step: StepId, { mark }: FactRow): string =>
  `${padRight(STEP_NAMES_TEXT.of[step].name, 9)} ${padRight(MARKS[mark].ascii, 3)} `

function saidOf({ label, value, source }: FactRow): string {
  return plainAscii(`${label}: ${value}${source === '' ? '' : `  (${source})`}`)
}

/** One fact as one plain line, however long: step, mark, what, value, who said it. ASCII alone, no control codes. */
export function factLine(step: StepId, row: FactRow): string {
  const { value, long } = row
  const whole = [value, long].filter((part) => part !== undefined && part !== '').join(' ')
  return headOf(step, row) + saidOf({ ...row, value: whole })
}

/** Returns the same in lines of at most 80 columns, a long value below what is said of it. */
export function factLines(step: StepId, row: FactRow): string[] {
  const [first = '', ...rest] = wrapText(saidOf(row), ROOM)
  const long = row.long === undefined || row.long === '' ? [] : longLines(plainAscii(row.long))
  return [headOf(step, row) + first, ...[...rest, ...long].map((text) => INDENT + text)]
}

const longLines = (text: string): string[] =>
  isHex(text) ? [...(text.match(LONG_PIECE) ?? [])] : wrapText(text, ROOM)

/** A stream as far as its width goes. */
export type TerminalSize = { isTTY?: boolean; columns?: number }

/** Returns how wide a terminal is, 80 where it doesn't know or says 0; undefined for what is no terminal. */
export function columnsOf({ isTTY = false, columns = 0 }: TerminalSize): number | undefined {
  if (!isTTY) return undefined
  return columns > 0 ? columns : COLUMNS
}

/** Plain ASCII in 80 columns, without a colour: a file, a pipe, a log. */
export const PLAIN_RENDERER: Renderer = {
  columns: COLUMNS,
  mark: (mark) => MARKS[mark].ascii,
  plain: plainAscii,
  paint: (_, text) => text,
}
