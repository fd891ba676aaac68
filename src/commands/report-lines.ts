import { breakable, cellsOf, padRight } from '../core/base/format/drawable.ts'
import { type Next, withoutKeys } from '../core/base/format/next.ts'
import { MARKS } from '../core/view/marks.ts'
import { STEP_NAMES_TEXT } from '../core/view/text.ts'
import { keepsShut, type Mark, type ReportRow, STEP_IDS } from '../core/view/view.ts'
import { type CommandIo, nextWords, type Renderer, type Tone } from '../output/io.ts'
import type { Findings } from './documents/parts.ts'

export type { ReportRow } from '../core/view/view.ts'

type Finding = Findings['findings'][number]

/** Returns what to do, as an error says it first, where there are no keys. */
export function nextOf({ nextSteps }: { nextSteps: readonly Next[] }): Pick<ReportRow, 'next'> {
  const [next] = withoutKeys(nextSteps).next
  return next === undefined ? {} : { next }
}

/** A row as every command prints it with `--json`. What to do is there for a row that is not good alone. */
export function findingOf(row: ReportRow, io: Pick<CommandIo, 'run'>): Finding {
  const { step, id, mark: level, label, value, long, source, numbers = {} } = row
  const next = keepsShut(row) ? withoutKeys(row.next === undefined ? [] : [row.next]).next : []
  const [fix] = next.map((each) => nextWords(each, io))
  return {
    step,
    id,
    level,
    value: long === '' ? undefined : long,
    numbers,
    words: { label, value, source, fix },
  }
}

/** Where values stand that are too long for their column. */
const INDENT = 6
const LONGEST_LABEL = 22
/** A value column narrower than this goes below its label. */
const LEAST_VALUE = 24
const GROUP = 4
const CHUNK = 64

/** Rows in the order of the steps they belong to; within a step as they came. */
export function inOrder(rows: readonly ReportRow[]): ReportRow[] {
  return STEP_IDS.flatMap((step) => rows.filter((row) => row.step === step))
}

/**
 * Facts as lines of a column each for mark, label and value. What does not fit its column is continued below it; hex is
 * never cut but between groups of four digits, and a public key that stands there already is not written again.
 */
export function rowLines(
  rows: readonly ReportRow[],
  renderer: Renderer,
  io: Pick<CommandIo, 'run'> = {},
): string[] {
  const steps = STEP_IDS.filter((id) => rows.some(({ step }) => step === id))
  const widest = Math.min(LONGEST_LABEL, Math.max(0, ...rows.map(({ label }) => cellsOf(label))))
  const written = new Set<string>()
  return steps.flatMap((step) => [
    ...(steps.length > 1 ? [renderer.paint('strong', STEP_NAMES_TEXT.of[step].name)] : []),
    ...rows
      .filter((row) => row.step === step)
      .flatMap((row) => linesOf(row, { widest, renderer, written, io })),
  ])
}

type Place = { widest: number; renderer: Renderer; written: Set<string>; io: Pick<CommandIo, 'run'> }

function linesOf(row: ReportRow, { widest, renderer, written, io }: Place): string[] {
  const { mark, label, value, long = '', source } = row
  const [next] = keepsShut(row) && row.next !== undefined ? withoutKeys([row.next]).next : []
  const sign = renderer.paint(MARKS[mark].tone, padRight(renderer.mark(mark), 2))
  const column = INDENT + widest + 1
  const isNarrow = renderer.columns - column < LEAST_VALUE
  const at = isNarrow || cellsOf(label) > widest ? INDENT : column
  const words = wordsOf(value)
  const who = source === '' ? [] : wordsOf(`(${source})`, 'dim')
  const body = wrap([...words, ...who], { at, renderer })
  const head = `  ${sign} ${renderer.plain(label)}`
  const [first = ''] = body
  const isBeside = at === column && first.startsWith(' '.repeat(column)) && first[column] !== ' '
  const gap = ' '.repeat(Math.max(1, widest - cellsOf(label) + 2))
  const lines = isBeside ? [`${head}${gap}${first.slice(column)}`, ...body.slice(1)] : [head, ...body]
  const isNew = long !== '' && !(PUBKEY.test(long) && written.has(long.toLowerCase()))
  written.add(long.toLowerCase())
  return [
    ...lines.filter((line) => line !== ''),
    ...(isNew
      ? blockLines(renderer.plain(long), renderer.columns).map((line) => ' '.repeat(INDENT) + line)
      : []),
    ...(next === undefined
      ? []
      : wrap(wordsOf(`${adviceWord(mark)}: ${nextWords(next, io)}`), { at, renderer })),
  ]
}

/** What refuses is changed; what is not known may have many reasons. */
function adviceWord(mark: Mark): string {
  return mark === 'refused' ? 'change' : 'try'
}

/** It brings the room before it with it. */
const WIDE_BRACKET = '（'

/** A word, or the part of one that a line may begin with; `isJoined` to what is before it. */
type Word = { text: string; tone: Tone | undefined; isJoined: boolean }

function wordsOf(text: string, tone?: Tone): Word[] {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .flatMap((word) => breakable(word).map((part, at) => ({ text: part, tone, isJoined: at > 0 })))
}

/** Words over as many lines as they take, each beginning `at` a column; one that fits in none has lines of its own. */
function wrap(words: readonly Word[], { at, renderer }: { at: number; renderer: Renderer }): string[] {
  const room = renderer.columns - at
  const lines: string[] = []
  let line = ''
  let cells = 0
  const end = () => {
    if (cells > 0) lines.push(' '.repeat(at) + line)
    line = ''
    cells = 0
  }
  for (const { text, tone, isJoined } of words) {
    const plain = renderer.plain(text)
    const drawn = tone === undefined ? plain : renderer.paint(tone, plain)
    const width = cellsOf(plain)
    const space = cells === 0 || isJoined || text.startsWith(WIDE_BRACKET) ? '' : ' '
    if (width > room) {
      end()
      const indent = ' '.repeat(Math.min(at, INDENT))
      lines.push(...blockLines(plain, renderer.columns).map((each) => indent + each))
      continue
    }
    if (cells > 0 && cells + space.length + width > room) end()
    line = cells === 0 ? drawn : line + space + drawn
    cells += cells === 0 ? width : space.length + width
  }
  end()
  return lines
}

/** Returns a sentence over as many lines as it takes; what it is indented by, all of them are. */
export function textLines(text: string, renderer: Renderer): string[] {
  const plain = renderer.plain(text)
  if (cellsOf(plain) <= renderer.columns) return [plain]
  const at = plain.length - plain.trimStart().length
  return wrap(wordsOf(plain), { at, renderer })
}

const PUBKEY = /^0x[0-9a-fA-F]{96}$/
/** Hex as a word of a sentence, with what stands around it. */
const HEX = /^([("]*0x)([0-9a-fA-F]+)([^0-9a-zA-Z]*)$/
const BASE64 = /^[A-Za-z0-9+/]+=*$/

/** A value that is one word: whole where it fits, else hex in even lines of groups, base64 in lines of 64 characters. */
function blockLines(text: string, columns: number): string[] {
  const room = columns - INDENT
  if (cellsOf(text) <= room) return [text]
  const [, before = '', digits = '', after = ''] = HEX.exec(text) ?? []
  if (digits !== '') {
    const groups = digits.match(/.{1,4}/g) ?? []
    const most = Math.max(GROUP, Math.floor((room - 1) / (GROUP + 1)))
    const perLine = Math.max(GROUP, most - (most % GROUP))
    const lines = pieces(groups, perLine).map((line) => line.join(' '))
    const last = lines.length - 1
    return lines.map((line, at) => `${at === 0 ? before : '  '}${line}${at === last ? after : ''}`)
  }
  return BASE64.test(text) && room >= CHUNK ? (text.match(/.{1,64}/g) ?? []) : [text]
}

function pieces<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size)
  return Array.from({ length: count }, (_, place) => list.slice(place * size, (place + 1) * size))
}
