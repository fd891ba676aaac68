import type { Waiting } from '../core/view/view.ts'

/** Lines that belong together, under a name: they are said again when they have changed. */
export type PageBlock = {
  key: string
  lines: readonly string[]
  /**
   * Which change of it is said by itself: every one, though numbers alone not at once; one of words alone; none, for
   * what is said only with the whole page.
   */
  news: 'all' | 'words' | 'none'
  /** Which state of the same key it is, and behind which one it is no news. */
  is?: string
  noNewsAfter?: string
  /** It is being asked: what it said before stands until there is an answer. */
  pending?: true
}

/** What the person is asked for. */
export type Ask =
  /** One of the keys. */
  | { kind: 'keys'; help: string }
  /** The text of a field; what was wrong with the last one comes first. `id` where the page has rows of fields. */
  | { kind: 'text'; under: readonly string[]; prompt: string; id?: string }
  /** The word that lets money leave. */
  | { kind: 'word'; lines: readonly string[] }

/** What a screen would show, as lines, and what is asked below them. */
export type Page = {
  /** Another one is another page, which is said whole. */
  id: string
  blocks: readonly PageBlock[]
  ask: Ask
  waiting?: Waiting
}

/** What was said last under each name, and which state that was. */
export type PrintedBlocks = ReadonlyMap<string, { text: string; is: string | undefined }>

/** Whether something on the page is still being asked. */
export const isPending = ({ blocks }: Page): boolean => blocks.some(({ pending }) => pending === true)

/** All of a page, in its order. */
export const wholeOf = ({ blocks }: Page): string[] => blocks.flatMap(({ lines }) => lines)

/**
 * Returns the blocks of a page by name, added to those printed before; a block that is still being asked is left out.
 */
export function printedBlocks(page: Page, before: PrintedBlocks = new Map()): PrintedBlocks {
  const now = page.blocks.filter(({ pending }) => pending !== true)
  return new Map([...before, ...now.map(({ key, lines, is }) => [key, { text: textOf(lines), is }] as const)])
}

/** Returns the blocks of a page that were not printed yet; with `numbers` also those where only numbers changed. */
export function newsOf(page: Page, printed: PrintedBlocks, { numbers }: { numbers: boolean }): PageBlock[] {
  return page.blocks.filter(({ key, lines, news, noNewsAfter, pending }) => {
    const [before, now] = [printed.get(key), textOf(lines)]
    if (before?.is !== undefined && before.is === noNewsAfter) return false
    if (news === 'none' || lines.length === 0 || before?.text === now) return false
    if (pending === true) return false
    if (before === undefined) return true
    return withoutNumbers(before.text) !== withoutNumbers(now) || (numbers && news === 'all')
  })
}

/** Returns the lines of a question and the prompt before the typed line. */
export function askLines(ask: Ask): { lines: readonly string[]; prompt: string } {
  switch (ask.kind) {
    case 'keys':
      return { lines: [ask.help], prompt: '> ' }
    case 'text':
      return { lines: ask.under, prompt: ask.prompt }
    case 'word':
      return { lines: ask.lines, prompt: '> ' }
  }
}

const textOf = (lines: readonly string[]): string => lines.join('\n')

const withoutNumbers = (text: string): string => text.replace(/\d[\d.,]*(?: (?:slots?|epochs?)\b)?/g, '#')

/** A line that was typed. */
export type TypedTextLine = {
  text: string
  /** When what is known of it first came, on our own clock: its first letter, or the whole line. */
  begunAtMs: number
  /** Whether it came as a paste does: together with other lines. */
  atOnce: boolean
}

/** What follows from a line: what is said about it, and whether the page is said again from its beginning. */
export type TurnReply = {
  say?: readonly string[]
  /** Commands of a shell, said behind it: each stays one line, however wide the terminal is. */
  commands?: readonly string[]
  again?: true
}

/** A page with what the lines that are typed below it do: exactly what it says, however the world went on. */
export type Turn = {
  page: Page
  /** `askedAtMs`: when the page had been printed and the line was asked for. */
  takeLine(line: TypedTextLine, askedAtMs: number): Promise<TurnReply> | TurnReply
}

/** A key by what is typed for it. */
export type Key = { typed: readonly string[]; name: string; label: string; run: () => unknown }

/** The line of keys. */
const helpOf = (keys: readonly Key[]): string =>
  keys.map(({ name, label }) => (name === label ? name : `${name} ${label}`.trim())).join(', ')

/** The key that a line means. */
export const keyTyped = (keys: readonly Key[], text: string): Key | undefined =>
  keys.find(({ typed }) => typed.includes(text))

/** What is said where a line means no key. */
export const noSuchKey = (text: string): string =>
  text === '' ? 'Enter alone does nothing here.' : `There is no ${text} here.`

/** Returns a turn that accepts exactly the keys of a table. */
export function keysTurn(page: Omit<Page, 'ask'>, keys: readonly Key[]): Turn {
  return {
    page: { ...page, ask: { kind: 'keys', help: helpOf(keys) } },
    async takeLine({ text }) {
      const key = keyTyped(keys, text)
      if (key === undefined) return { say: [noSuchKey(text)] }
      await key.run()
      return {}
    },
  }
}

/** Returns a turn at which no line is taken; `help`: why, in the place of its keys. */
export const lockedTurn = ({ page }: Turn, help: readonly string[]): Turn => ({
  page: { ...page, ask: { kind: 'keys', help: help.join(' ') } },
  takeLine: () => ({}),
})

/** Enter, as it is typed: nothing, or its name. */
export const ENTER = ['', 'enter', 'Enter']
/** The way back, as it is typed. */
export const BACK = ['b', 'back']
