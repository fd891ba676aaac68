import { cellsOf, wrapText } from '../core/base/format/drawable.ts'
import { WORD_REFUSALS } from '../core/view/desk-words.ts'
import type { Echo } from './line-input.ts'
import {
  type Ask,
  askLines,
  isPending,
  newsOf,
  type Page,
  type PrintedBlocks,
  printedBlocks,
  type Turn,
  wholeOf,
} from './turn.ts'

/** Where lines go. A prompt stays open behind its text until a line is typed, or something must be said. */
export type Voice = {
  line(text: string): void
  prompt(text: string): void
  /** Cells of a row of the terminal, where there is one. */
  columns?(): number | undefined
}

/** What was printed last, with what its keys do. */
export type Shown = { turn: Turn; askedAtMs: number }

export type Printer = {
  /** Says what there is to say by now: a new page whole, of the same one only what has changed. */
  present(turn: Turn, nowMs: number): void
  /** Asks again after a line, below what changed by it; `whole` says the page from its beginning. */
  askAgain(turn: Turn, nowMs: number, how: { whole: boolean }): void
  say(text: string): void
  /** Says what a shell takes as it is: the terminal alone breaks it. */
  sayWhole(text: string): void
  /** A line was typed: behind the prompt, or before that was printed anew; `echo` where nobody has seen it yet. */
  typed(text: string, how: { echo: boolean; atMs: number }): void
  /** What is typed where the terminal does not show it. */
  echo: Echo
  /** Nothing while a page is still being put together. */
  shown(): Shown | undefined
}

/** So long a new page waits for the first answers. */
const SETTLE_MS = 3_000
/** What has changed is said at most so often. */
const CALM_MS = 2_000
/** Numbers that count are said at most so often. */
const NUMBERS_MS = 30_000
/** After so long a wait is said again; later more seldom. */
const WAIT_MS = 10_000
const LONG_WAIT_MS = 60_000

/** A prompt between whose words the rows of the terminal end; the line is typed behind the last one. */
function promptRows(prompt: string, columns: number | undefined): string[] {
  if (columns === undefined || cellsOf(prompt) < columns) return [prompt]
  const rows = wrapText(prompt.trimEnd(), columns - 2)
  return rows.map((row, at) => (at === rows.length - 1 ? `${row} ` : row))
}

/** A line between whose words the rows of the terminal end, behind its own indent. */
function lineRows(text: string, columns: number | undefined): string[] {
  if (columns === undefined || cellsOf(text) <= columns) return [text]
  const indent = text.slice(0, text.length - text.trimStart().length)
  return wrapText(text.trim(), columns - indent.length).map((row) => `${indent}${row}`)
}

/** Decides what is said when, and never says the same thing twice. */
export function createPrinter(voice: Voice): Printer {
  let entered: { id: string; atMs: number } | undefined
  let shown: Shown | undefined
  let printed: PrintedBlocks = new Map()
  let asked = ''
  let spokeAtMs = 0
  let numbersAtMs = 0
  let waitAtMs = 0
  let isOpen = false
  let prompt = ''
  /** The page that a final check came from: back on it, only what has changed is said. */
  let kept: { id: string; printed: PrintedBlocks } | undefined

  const sayWhole = (text: string): void => {
    if (isOpen) voice.line('')
    isOpen = false
    voice.line(text)
  }
  const say = (text: string): void => {
    for (const row of lineRows(text, voice.columns?.())) sayWhole(row)
  }
  const open = (text: string): void => {
    if (isOpen) voice.line('')
    voice.prompt(text)
    isOpen = true
  }
  const ask = (turn: Turn, nowMs: number): void => {
    const { lines, prompt: next } = askLines(turn.page.ask)
    for (const line of lines) say(line)
    const rows = promptRows(next, voice.columns?.())
    prompt = rows.at(-1) ?? next
    for (const row of rows.slice(0, -1)) say(row)
    open(prompt)
    asked = keyOf(turn.page.ask)
    shown = { turn, askedAtMs: nowMs }
    spokeAtMs = nowMs
  }
  const whole = (turn: Turn, nowMs: number): void => {
    say('')
    for (const line of wholeOf(turn.page)) say(line)
    printed = printedBlocks(turn.page)
    numbersAtMs = nowMs
    waitAtMs = nowMs
    ask(turn, nowMs)
  }
  const news = (page: Page, nowMs: number): string[] => {
    const numbers = nowMs - numbersAtMs >= NUMBERS_MS
    const found = newsOf(page, printed, { numbers })
    if (found.length > 0 && numbers) numbersAtMs = nowMs
    return found.flatMap(({ lines }) => lines)
  }
  const enter = ({ id }: Page, nowMs: number): void => {
    if (entered?.id === id) return
    if (shown?.turn.page.ask.kind !== 'word') kept = entered && { id: entered.id, printed }
    entered = { id, atMs: nowMs }
    shown = undefined
  }
  const wait = ({ waiting }: Page, nowMs: number): string[] => {
    if (waiting === undefined) return []
    const sinceMs = waiting.sinceMs ?? nowMs
    const passedMs = nowMs - sinceMs
    const pauseMs = passedMs > LONG_WAIT_MS ? LONG_WAIT_MS : WAIT_MS
    if (passedMs < WAIT_MS || nowMs - waitAtMs < pauseMs) return []
    waitAtMs = nowMs
    return [`still waiting ${waiting.label}, ${Math.floor(passedMs / 1000)} s`]
  }

  return {
    say,
    sayWhole,
    shown: () => shown,
    typed(text, { echo, atMs }) {
      if (echo) voice.line(text)
      if (echo || atMs >= spokeAtMs) isOpen = false
    },
    echo: {
      letter(text) {
        voice.prompt(text)
        isOpen = true
      },
      anew: (text) => open(`${prompt}${text}`),
      end() {
        voice.line('')
        isOpen = false
      },
      refused(why, text) {
        say(WORD_REFUSALS[why])
        open(`${prompt}${text}`)
      },
    },
    present(turn, nowMs) {
      const { page } = turn
      enter(page, nowMs)
      if (shown === undefined && kept?.id === page.id) {
        printed = kept.printed
        for (const line of page.blocks[0]?.lines ?? []) say(line)
        for (const line of news(page, nowMs)) say(line)
        printed = printedBlocks(page, printed)
        ask(turn, nowMs)
        return
      }
      if (shown === undefined) {
        const atMs = entered?.atMs ?? nowMs
        if (!isPending(page) || nowMs - atMs >= SETTLE_MS) whole(turn, nowMs)
        return
      }
      if (nowMs - spokeAtMs < CALM_MS) return
      const lines = [...news(page, nowMs), ...wait(page, nowMs)]
      if (lines.length === 0 && keyOf(page.ask) === asked) return
      for (const line of lines) say(line)
      printed = printedBlocks(page, printed)
      ask(turn, nowMs)
    },
    askAgain(turn, nowMs, how) {
      const { page } = turn
      if (how.whole || entered?.id !== page.id) {
        enter(page, nowMs)
        if (how.whole) whole(turn, nowMs)
        return
      }
      const found = news(page, nowMs)
      for (const line of found) say(line)
      printed = printedBlocks(page, printed)
      // The question that a line did not answer is still the same one.
      const sinceMs = found.length === 0 ? (shown?.askedAtMs ?? nowMs) : nowMs
      ask(turn, nowMs)
      shown = { turn, askedAtMs: sinceMs }
    },
  }
}

const keyOf = (ask: Ask): string => JSON.stringify(ask)
