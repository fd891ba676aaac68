import { useState } from 'react'
import { cellsOf, padLeft, padRight, wrapText } from '../core/base/format/drawable.ts'
import type { TextEdit } from '../core/base/format/edit-text.ts'
import { beginByName } from '../core/base/format/next.ts'
import { shellLines } from '../core/base/format/shell-lines.ts'
import type { Detail } from '../core/view/alarm-view.ts'
import { cutText, drawable, longValueLines } from '../core/view/draw-text.ts'
import type { EarlyOffer, EarlyPart, EarlyView, Urgency } from '../core/view/early-view.ts'
import { type KeyBinding, keyHelp, useKeymap } from '../hooks/keymap.ts'
import { type Shell, useNow, useSecretWait, useShell, useTerminal } from '../hooks/shell.tsx'
import { TextEditor } from '../hooks/text-editor.tsx'
import { type Theme, useTheme } from './theme.tsx'
import { Frame, layoutFrame } from './ui/Frame.tsx'
import { factRows } from './ui/facts.ts'
import { setupFieldRows } from './ui/fields.ts'
import {
  BLANK,
  keyedRows,
  line,
  lineCells,
  paragraph,
  type ScreenLine,
  type ScreenRow,
  type ScreenTone,
  span,
  spreadLine,
} from './ui/line.ts'
import { waitRow } from './ui/lines.tsx'
import { commandLines, explainLines, problemLines } from './ui/panels.ts'

type Part<I, E = unknown> = Extract<EarlyPart<E>, { is: I }>

const URGENCY_TONES: Readonly<Record<Urgency, ScreenTone>> = {
  critical: 'bad',
  warning: 'warn',
  info: 'text',
  well: 'good',
  unknown: 'warn',
}
const MARKS: Readonly<Record<Urgency, string>> = {
  critical: '✘',
  warning: '!',
  info: 'i',
  well: '✔',
  unknown: '?',
}

/** Returns how it stands with all that is watched, in one sentence. */
function watchVerdictLines({ text, level }: Part<'verdict'>, columns: number): ScreenLine[] {
  return paragraph(`${MARKS[level]} ${text}`, { columns, tone: URGENCY_TONES[level] })
}

/** The columns of the table: name, status (as long as the longest one), rank, stake, margin; the last takes what is left. */
const COLUMNS = [
  (text: string) => padRight(cutText(text, 13), 13),
  (text: string) => padRight(cutText(text, 19), 19),
  (text: string) => padLeft(text, 9),
  (text: string) => padLeft(text, 11),
  (text: string) => padLeft(text, 11),
] as const

/** A table whose chosen row has the cursor. */
function tableScreenRows<E>({ head, rows, chosen }: Part<'table', E>): ScreenRow[] {
  return [
    ...keyedRows('head', [tableLine(head, { tone: 'dim', lead: '   ' })]),
    ...rows.map(({ id, cells, needs }, at): ScreenRow => {
      const tone = needs === undefined ? 'text' : URGENCY_TONES[needs]
      return {
        key: id,
        focused: at === chosen,
        line: tableLine(cells, { tone, lead: at === chosen ? ' ▶ ' : '   ' }),
      }
    }),
  ]
}

function tableLine(cells: readonly string[], { tone, lead }: { tone: ScreenTone; lead: string }): ScreenLine {
  const drawn = cells.map((text, at) => COLUMNS[at]?.(text) ?? ` ${text}`)
  return [span(lead, 'accent'), span(drawn.join(' '), tone)]
}

/** An alarm that stands: what is so, what helps, since when. */
function alarmLines({ alarm, isTitled, when }: Part<'alarm'>, columns: number): ScreenLine[] {
  const { severity, title, what, next, command } = alarm
  const tone = URGENCY_TONES[severity]
  return [
    ...(isTitled ? paragraph(`${MARKS[severity]} ${title}`, { columns, indent: 3, tone }) : []),
    ...paragraph(what, { columns, indent: 5 }),
    ...(next === undefined ? [] : paragraph(next, { columns, indent: 5, tone: 'accent' })),
    ...(command === undefined ? [] : accentLines(command, columns)),
    ...paragraph(when, { columns, indent: 5, tone: 'dim' }),
  ]
}

const accentLines = (command: string, columns: number): ScreenLine[] =>
  shellLines(drawable(command), columns - 1).map((text) => line(text, 'accent'))

const LABEL_CELLS = 16

/** One thing that is known, beside its label; a command stands below, so that it can be copied. */
function detailLines(detail: Detail, columns: number): ScreenLine[] {
  const label = span(`   ${padRight(detail.label, LABEL_CELLS)} `, 'dim')
  const margin = span(' '.repeat(LABEL_CELLS + 4))
  const room = columns - LABEL_CELLS - 5
  if ('command' in detail) return [BLANK, [label], ...accentLines(detail.command, columns)]
  const lines =
    'whole' in detail ? longValueLines(detail.whole, room) : wrapText(drawable(detail.value), room)
  return lines.map((text, at) => [at === 0 ? label : margin, span(text)])
}

type Options = { columns: number; theme: Theme; nowMs: number; shell: Pick<Shell, 'begin'> }

/** Returns the rows of a screen outside the steps, between its title and the money band. */
function earlyRows<E>(view: EarlyView<E>, options: Options): ScreenRow[] {
  const { error, intro, parts } = view
  const { columns, theme } = options
  const refused = `${theme.marks.refused.text} ${error?.text}`
  const all = [
    error === undefined ? [] : keyedRows('error', paragraph(refused, { columns, tone: 'bad' })),
    intro === undefined ? [] : keyedRows('intro', paragraph(intro.text, { columns })),
    ...parts.map((part) => partRows(part, view, options)),
  ]
  return all
    .filter((rows) => rows.length > 0)
    .flatMap((rows, at) => (at === 0 ? rows : [...keyedRows(`gap.${at}`, [BLANK]), ...rows]))
}

function partRows<E>(
  part: EarlyPart<E>,
  { typing }: EarlyView<E>,
  { columns, theme, nowMs, shell: { begin = beginByName } }: Options,
): ScreenRow[] {
  const { marks } = theme
  switch (part.is) {
    case 'sentences': {
      const { tone } = part
      const how = { columns, indent: tone === 'strong' ? 1 : 3, ...(tone === undefined ? {} : { tone }) }
      return keyedRows(
        part.id,
        part.sentences.flatMap((text) => paragraph(text, how)),
      )
    }
    case 'offers':
      return offerRows(part, { columns, isTyping: typing !== undefined })
    case 'fields':
      return setupFieldRows(part.fields, { columns, marks, at: typing?.field.id })
    case 'facts':
      return factRows(part.rows, { columns, marks, nowMs })
    case 'problem':
      return keyedRows('problem', problemLines(part.problem, columns))
    case 'verdict':
      return keyedRows('verdict', watchVerdictLines(part, columns))
    case 'table':
      return tableScreenRows(part)
    case 'alarm':
      return keyedRows(part.alarm.id, alarmLines(part, columns))
    case 'details':
      return part.details.flatMap((each) => keyedRows(each.label, detailLines(each, columns)))
    case 'explanation':
      return keyedRows('panel', explainLines(part.of, columns))
    case 'command':
      return keyedRows('panel', commandLines([begin(part.words)], columns))
  }
}

/** Below this width what stands beside a name is below it, or gives way. */
const NARROW = 76
const MAX_NAME = 24

/** The entries by their numbers; below them the words of the chosen one, unless a text is typed. */
function offerRows<E>(
  { sections, chosen }: Extract<EarlyPart<E>, { is: 'offers' }>,
  { columns, isTyping }: { columns: number; isTyping: boolean },
): ScreenRow[] {
  const offers = sections.flatMap((section) => section.offers)
  const nameCells = Math.min(MAX_NAME, Math.max(...offers.map(({ label }) => cellsOf(drawable(label)))))
  const about = offers[chosen]
  const rows = sections.flatMap(({ title, note, offers: own }, section) => {
    const noted = note === undefined || columns < NARROW ? [] : [span(`   ${note}`, 'dim')]
    const head: ScreenLine[] = title === undefined ? [] : [[span(` ${title}`, 'strong'), ...noted]]
    return [
      ...keyedRows(`section.${section}`, head),
      ...own.flatMap((offer) => {
        const index = offers.indexOf(offer)
        const focused = index === chosen
        const lines = offerLines(offer, { index, columns, chosen: focused, nameCells })
        return keyedRows(`offer.${offer.id}`, lines, { focused })
      }),
    ]
  })
  const words = about === undefined || isTyping ? [] : paragraph(about.value, { columns, indent: 3 })
  return words.length === 0 ? rows : [...rows, ...keyedRows('words', [BLANK, ...words])]
}

const TONES: Readonly<Record<NonNullable<EarlyOffer<unknown>['kind']>, ScreenTone>> = {
  real: 'bad',
  test: 'warn',
  rehearsal: 'accent',
}

function offerLines<E>(
  { label, kind, short, keepsShort }: EarlyOffer<E>,
  {
    index,
    columns,
    chosen,
    nameCells,
  }: { index: number; columns: number; chosen: boolean; nameCells: number },
): ScreenLine[] {
  const head: ScreenLine = [
    span(chosen ? ' ▶ ' : '   ', 'accent'),
    span(padRight(index < 9 ? `${index + 1}` : '', 3), 'dim'),
    span(padRight(drawable(label), nameCells), kind === undefined ? 'text' : TONES[kind]),
  ]
  const whole: ScreenLine = [...head, span(`  ${short}`, chosen ? 'text' : 'dim')]
  if (columns >= NARROW && lineCells(whole) < columns) return [whole]
  return keepsShort === true ? [head, ...paragraph(short, { columns, indent: 6, tone: 'dim' })] : [head]
}

export type EarlyScreenProps<E> = {
  view: EarlyView<E>
  /** Hears the event of a key. */
  tell: (event: E) => void
  /** Hears what is typed, where a text is asked for. */
  edit?: (edit: TextEdit) => void
}

/** Draws any screen outside the seven steps, in the same four bands. */
export function EarlyScreen<E>({ view, tell, edit }: EarlyScreenProps<E>) {
  const shell = useShell()
  const secret = useSecretWait()
  const theme = useTheme()
  const nowMs = useNow()
  const { columns, rows } = useTerminal()
  const [scrolled, setScrolled] = useState<{ id: string; top: number } | undefined>(undefined)
  const typing = view.typing !== undefined
  const keys: KeyBinding[] = view.keys.map(({ does, ...key }) => ({ ...key, run: () => tell(does) }))
  const quit: KeyBinding = { key: 'q', label: 'quit', run: () => shell.quit() }
  const foot: ScreenRow[] = view.waiting === undefined ? [] : [waitRow(view.waiting, columns)]
  const layout = layoutFrame({
    columns,
    rows,
    network: view.badge ?? shell.network,
    step: view.step,
    title: spreadLine(line(` ${view.title}`, view.isCode === true ? 'dim' : 'strong'), [], columns),
    content: earlyRows(view, { columns, theme, nowMs, shell }),
    foot,
    money: view.money,
    secret,
    keys: keyHelp([...keys, quit], { typing, ascii: theme.ascii }),
    top: scrolled?.id === view.id ? scrolled.top : 'follow',
  })
  const { top, maxTop, pageRows } = layout.window
  const page = Math.max(1, pageRows - 1)
  const scroll = (by: number) => setScrolled({ id: view.id, top: Math.min(maxTop, Math.max(0, top + by)) })
  const scrollKeys: KeyBinding[] = [
    { key: 'pageup', whileTyping: true, run: () => scroll(-page) },
    { key: 'pagedown', whileTyping: true, run: () => scroll(page) },
  ]
  useKeymap([...keys, ...scrollKeys, quit], { typing })
  return (
    <>
      {view.typing === undefined || edit === undefined ? undefined : (
        <TextEditor edited={view.typing.state} change={edit} />
      )}
      <Frame layout={layout} />
    </>
  )
}
