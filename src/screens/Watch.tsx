import { useState } from 'react'
import { padLeft, padRight, wrapText } from '../core/format/drawable.ts'
import type { AlarmView } from '../core/watch/alarm-view.ts'
import type { WatchRow, WatchView } from '../core/watch/view.ts'
import type { KeyBinding } from '../hooks/keymap.ts'
import { useTerminal } from '../hooks/shell.tsx'
import { PlainScreen } from './PlainScreen.tsx'
import { BLANK, type Line, line, paragraph, type Row, rowsOf, run, type Tone } from './ui/line.ts'
import { shellLines } from './ui/shell-lines.ts'
import { cutText, drawable, longValueLines } from './ui/text.ts'

export type WatchProps = {
  view: WatchView | undefined
  /** What is said beside the alarms, such as of a channel that is down; oldest first. */
  notes?: readonly string[]
  /** Somebody knows of these alarms. */
  onAcknowledge: (ids: readonly string[]) => void
  /** The details of this validator are drawn from now on; of none where the table is. */
  onOpen: (pubkey: WatchRow['pubkey'] | undefined) => void
}

const TONES: Readonly<Record<WatchView['verdict']['is'], Tone>> = {
  critical: 'bad',
  warning: 'warn',
  info: 'text',
  well: 'good',
  unknown: 'warn',
}
const MARKS: Readonly<Record<WatchView['verdict']['is'], string>> = {
  critical: '✘',
  warning: '!',
  info: 'i',
  well: '✔',
  unknown: '?',
}

/** The table of a watch: who needs somebody on top, and below it what is known of the chosen one. */
export function Watch({ view, notes = [], onAcknowledge, onOpen }: WatchProps) {
  const { columns } = useTerminal()
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [isOpened, setOpened] = useState(false)
  const money = {
    line: 'nothing is sent here',
    worst: 'worst case here: none. A top-up is made in the wizard.',
  }
  if (view === undefined) {
    return (
      <PlainScreen
        title={line(' Watching', 'strong')}
        content={[...rowsOf('wait', [line('   asking for the validators')]), ...noteRows(notes, columns)]}
        money={money}
        bindings={[]}
      />
    )
  }
  const { rows } = view
  const at = Math.max(
    0,
    rows.findIndex(({ pubkey }) => pubkey === chosen),
  )
  const row = rows[at]
  const open = (opened: WatchRow | undefined) => {
    // It stays the chosen one, whoever comes to stand on top.
    if (opened !== undefined) setChosen(opened.pubkey)
    setOpened(opened !== undefined)
    onOpen(opened?.pubkey)
  }
  const move = (by: number) => setChosen(rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.pubkey)
  const shown = [...(row?.alarms ?? []), ...view.others]
  const unknown = shown.filter(({ acknowledged }) => !acknowledged)
  const bindings: KeyBinding[] = [
    ...(rows.length > 1 && !isOpened
      ? [
          { key: 'up', label: 'choose', run: () => move(-1) },
          { key: 'down', label: 'choose', run: () => move(1) },
        ]
      : []),
    ...(row === undefined || isOpened ? [] : [{ key: 'return', label: 'open it', run: () => open(row) }]),
    ...(unknown.length > 0
      ? [{ key: 'a', label: 'I know of it', run: () => onAcknowledge(unknown.map(({ id }) => id)) }]
      : []),
    ...(isOpened ? [{ key: 'escape', label: 'all validators', run: () => open(undefined) }] : []),
  ]
  if (isOpened && row !== undefined)
    return (
      <PlainScreen
        title={line(` ${row.name} · ${view.head}`, 'strong')}
        content={openedRows(row, columns)}
        money={money}
        bindings={bindings}
      />
    )
  return (
    <PlainScreen
      title={line(` ${view.title} · ${view.head}`, 'strong')}
      content={[...contentOf(view, { row, at, columns }), ...noteRows(notes, columns)]}
      money={money}
      bindings={bindings}
    />
  )
}

function noteRows(notes: readonly string[], columns: number): Row[] {
  const lines = notes.flatMap((text) => paragraph(drawable(text), { columns, indent: 3, tone: 'warn' }))
  return lines.length === 0 ? [] : rowsOf('notes', [BLANK, ...lines])
}

function contentOf(
  view: WatchView,
  { row, at, columns }: { row: WatchRow | undefined; at: number; columns: number },
): Row[] {
  const { verdict, rows, others } = view
  const shown = [...(row?.alarms ?? []), ...others]
  return [
    ...rowsOf(
      'verdict',
      paragraph(`${MARKS[verdict.is]} ${verdict.text}`, { columns, tone: TONES[verdict.is] }),
    ),
    ...rowsOf('gap', [BLANK, tableLine(HEAD, { tone: 'dim', lead: '   ' })]),
    ...rows.map(
      (each, place): Row => ({
        key: each.pubkey,
        focused: place === at,
        line: tableLine(each, { tone: toneOf(each), lead: place === at ? ' ▶ ' : '   ' }),
      }),
    ),
    ...shown.flatMap((alarm) => {
      // What the verdict says is not said twice.
      const from = alarm.title === verdict.text ? titleLines(alarm, columns).length : 0
      return rowsOf(alarm.id, [BLANK, ...alarmLines(alarm, columns).slice(from)])
    }),
  ]
}

/** All that is known of one validator, what needs somebody first. */
function openedRows({ alarms, details }: WatchRow, columns: number): Row[] {
  return [
    ...alarms.flatMap((alarm) => rowsOf(alarm.id, [...alarmLines(alarm, columns), BLANK])),
    ...details.flatMap((detail) => rowsOf(detail.label, detailLines(detail, columns))),
  ]
}

function detailLines(detail: WatchRow['details'][number], columns: number): Line[] {
  const label = run(`   ${padRight(detail.label, LABEL_CELLS)} `, 'dim')
  const margin = run(' '.repeat(LABEL_CELLS + 4))
  const room = columns - LABEL_CELLS - 5
  if ('command' in detail)
    return [
      BLANK,
      [label],
      ...shellLines(drawable(detail.command), columns - 1).map((text) => line(text, 'accent')),
    ]
  const lines =
    'whole' in detail ? longValueLines(detail.whole, room) : wrapText(drawable(detail.value), room)
  return lines.map((text, at) => [at === 0 ? label : margin, run(text)])
}

const LABEL_CELLS = 16

/** As long as the longest status. */
const STATUS_CELLS = 19

const HEAD = { name: 'name', status: 'status', rank: 'rank', stake: 'stake', margin: 'margin', source: 'set' }

function tableLine(
  { name, status, rank, stake, margin, source }: typeof HEAD,
  { tone, lead }: { tone: Tone; lead: string },
): Line {
  const cells = [
    padRight(cutText(name, 13), 13),
    padRight(cutText(status, STATUS_CELLS), STATUS_CELLS),
    padLeft(rank, 9),
    padLeft(stake, 11),
    padLeft(margin, 11),
    ` ${source}`,
  ]
  return [run(lead, 'accent'), run(cells.join(' '), tone)]
}

function toneOf({ alarms }: WatchRow): Tone {
  const [worst] = alarms
  return worst === undefined || worst.acknowledged ? 'text' : TONES[worst.severity]
}

function titleLines({ severity, title }: AlarmView, columns: number): Line[] {
  return paragraph(`${MARKS[severity]} ${title}`, { columns, indent: 3, tone: TONES[severity] })
}

function alarmLines(alarm: AlarmView, columns: number): Line[] {
  const { what, next, command, since, until, acknowledged } = alarm
  const last = until === undefined ? '' : ` · until ${until}`
  const known = acknowledged ? ' · known' : ''
  return [
    ...titleLines(alarm, columns),
    ...paragraph(`${what}`, { columns, indent: 5 }),
    ...(next === undefined ? [] : paragraph(next, { columns, indent: 5, tone: 'accent' })),
    ...(command === undefined
      ? []
      : shellLines(drawable(command), columns - 1).map((text) => line(text, 'accent'))),
    ...paragraph(`since ${since}${last}${known}`, { columns, indent: 5, tone: 'dim' }),
  ]
}
