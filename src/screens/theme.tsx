import { createContext, type ReactNode, useContext } from 'react'
import { LANGUAGE } from '../core/base/format/language.ts'
import { MARKS } from '../core/view/marks.ts'
import type { Mark } from '../core/view/view.ts'
import type { ScreenTone, Span } from './ui/line.ts'

/** The colours there are, and by which number of a terminal's escape code (SGR) the lines of a command take them. */
export const COLOURS = { red: 31, green: 32, yellow: 33, cyan: 36, white: 37 } as const
type Colour = keyof typeof COLOURS

/** How a tone is drawn: the style properties of Ink's Text. */
type ToneStyle = {
  color?: Colour
  backgroundColor?: Colour
  bold?: boolean
  dimColor?: boolean
  inverse?: boolean
}

export type Theme = {
  /** Whether only plain ASCII may be drawn. */
  ascii: boolean
  style(tone: ScreenTone): ToneStyle
  /** The text as this terminal can draw it. */
  plain(text: string): string
  /** The mark of a fact, in two cells at most. */
  marks: Readonly<Record<Mark, Span>>
  spinner: readonly string[]
}

const COLOURED: Readonly<Record<ScreenTone, ToneStyle>> = {
  text: {},
  dim: { dimColor: true },
  strong: { bold: true },
  accent: { color: 'cyan' },
  good: { color: 'green' },
  warn: { color: 'yellow' },
  bad: { color: 'red' },
  alarm: { color: 'white', backgroundColor: 'red', bold: true },
  chosen: { inverse: true },
}

const COLOURLESS: Readonly<Record<ScreenTone, ToneStyle>> = {
  text: {},
  dim: {},
  strong: { bold: true },
  accent: {},
  good: {},
  warn: {},
  bad: {},
  alarm: { inverse: true, bold: true },
  chosen: { inverse: true },
}

/** One cell each, so that columns stay where they are. */
const ASCII_CELLS: Readonly<Record<string, string>> = {
  '…': '~',
  '·': '-',
  '–': '-',
  '—': '-',
  '─': '-',
  '│': '|',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '●': '+',
  '◉': '@',
  '○': 'o',
  '▶': '>',
  '‹': '<',
  '›': '>',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '×': 'x',
  '≥': '>',
  '≤': '<',
  '−': '-',
  '█': '#',
  '▉': '#',
  '▊': '#',
  '▋': '#',
  '▌': '=',
  '▍': '-',
  '▎': '-',
  '▏': ' ',
  '▁': '_',
  '▂': '_',
  '▃': '.',
  '▄': '-',
  '▅': '-',
  '▆': '=',
  '▇': '#',
  '✔': '+',
  '✘': 'X',
}

const marksOf = (form: 'sign' | 'ascii'): Theme['marks'] => {
  const { proven, given, refused, unknown, asking, unasked } = MARKS
  const span = (mark: (typeof MARKS)[Mark]): Span => ({ text: mark[form], tone: mark.tone })
  return {
    proven: span(proven),
    given: span(given),
    refused: span(refused),
    unknown: span(unknown),
    asking: span(asking),
    unasked: span(unasked),
  }
}

const NOT_ASCII = /[^\x20-\x7e]/gu
const NOT_OURS = /[^\x20-\x7e\u3000-\u9fff\uff01-\uff60]/gu

/** Text in plain ASCII, every character in as many cells as before; the letters of a language beyond it stay. */
const asciiOf =
  (language: string) =>
  (text: string): string =>
    text.replace(language === 'en' ? NOT_ASCII : NOT_OURS, (character) => ASCII_CELLS[character] ?? '?')

/** A theme for a terminal with or without colours and letters beyond ASCII. */
export function makeTheme(options: { ascii: boolean; colours: boolean; language?: string }): Theme {
  const styles = options.colours ? COLOURED : COLOURLESS
  return {
    ascii: options.ascii,
    style: (tone) => styles[tone],
    plain: options.ascii ? asciiOf(options.language ?? LANGUAGE) : (text) => text,
    marks: marksOf(options.ascii ? 'ascii' : 'sign'),
    spinner: options.ascii ? ['|', '/', '-', '\\'] : ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  }
}

/**
 * The theme that fits an environment: no colours where `NO_COLOR` is set, plain ASCII where the locale is not
 * UTF-8 or the terminal is `dumb` or the Linux console. Without any locale, UTF-8 is assumed on Windows only.
 */
export function themeOf(env: Readonly<Record<string, string | undefined>>, platform: string): Theme {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '')
  const utf8 = locale === undefined ? platform === 'win32' : /utf-?8/i.test(locale)
  const simple = env.TERM === 'dumb' || env.TERM === 'linux'
  return makeTheme({ ascii: !utf8 || simple, colours: (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb' })
}

const ThemeContext = createContext<Theme>(makeTheme({ ascii: false, colours: true }))

/** Gives every screen below it one theme. */
export function ThemeProvider({ theme, children }: { theme: Theme; children: ReactNode }) {
  return <ThemeContext value={theme}>{children}</ThemeContext>
}

/** The theme in force. */
export function useTheme(): Theme {
  return useContext(ThemeContext)
}
