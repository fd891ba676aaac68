import { cellsOf, padRight } from '../core/base/format/drawable.ts'
import { beginByName } from '../core/base/format/next-text.ts'
import { drawable } from '../core/view/draw-text.ts'
import type { EarlyOffer, EarlyPart, EarlyView } from '../core/view/early-view.ts'
import type { Shell } from '../hooks/shell.tsx'
import type { Theme } from './theme.tsx'
import { alarmLines, detailLines, tableScreenRows, watchVerdictLines } from './ui/alarms.ts'
import { factRows } from './ui/facts.ts'
import { setupFieldRows } from './ui/fields.ts'
import {
  BLANK,
  keyedRows,
  lineCells,
  paragraph,
  type ScreenLine,
  type ScreenRow,
  type ScreenTone,
  span,
} from './ui/line.ts'
import { commandLines, explainLines, problemLines } from './ui/panels.ts'

type Options = { columns: number; theme: Theme; nowMs: number; shell: Pick<Shell, 'begin'> }

/** Returns the rows of a screen outside the steps, between its title and the money band. */
export function earlyRows<E>(view: EarlyView<E>, options: Options): ScreenRow[] {
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
