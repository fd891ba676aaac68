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
  said: readonly PageBlock[]
  ask: Ask
  waiting?: Waiting
}

/** What was said last under each name, and which state that was. */
export type PrintedBlocks = ReadonlyMap<string, { text: string; is: string | undefined }>

/** Whether something on the page is still being asked. */
export const isPending = ({ said }: Page): boolean => said.some(({ pending }) => pending === true)

/** All of a page, in its order. */
export const wholeOf = ({ said }: Page): string[] => said.flatMap(({ lines }) => lines)

/** What a page says, by name, besides what was told before; what is being asked tells nothing. */
export function printedBlocks(page: Page, before: PrintedBlocks = new Map()): PrintedBlocks {
  const now = page.said.filter(({ pending }) => pending !== true)
  return new Map([...before, ...now.map(({ key, lines, is }) => [key, { text: textOf(lines), is }] as const)])
}

/** What a page says that was not told. With `numbers` also where nothing but numbers have changed. */
export function newsOf(page: Page, told: PrintedBlocks, { numbers }: { numbers: boolean }): PageBlock[] {
  return page.said.filter(({ key, lines, news, noNewsAfter, pending }) => {
    const [before, now] = [told.get(key), textOf(lines)]
    if (before?.is !== undefined && before.is === noNewsAfter) return false
    if (news === 'none' || lines.length === 0 || before?.text === now) return false
    if (pending === true) return false
    if (before === undefined) return true
    return withoutNumbers(before.text) !== withoutNumbers(now) || (numbers && news === 'all')
  })
}

/** What is printed to ask: the lines of it, and the beginning of the line that is typed. */
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
