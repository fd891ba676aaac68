import type { Page } from './page.ts'

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
