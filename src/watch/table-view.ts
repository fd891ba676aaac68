import type { AlarmView } from '../core/view/alarm-view.ts'
import type { EarlyKey, EarlyPart, EarlyView } from '../core/view/early-view.ts'
import type { WatchRow, WatchView } from './screen.ts'
import { TABLE_TEXT } from './table-text.ts'

/** What the keys of the table do: `known` says that somebody knows of these alarms. */
export type TableSay =
  | { type: 'choose' | 'open'; pubkey: WatchRow['pubkey'] }
  | { type: 'close' }
  | { type: 'known'; ids: readonly string[] }

/** Where somebody is in the table. */
export type TablePlace = { chosen: WatchRow['pubkey'] | undefined; isOpened: boolean }

/** In the table, on its first row until another one is chosen. */
export const TABLE_START: TablePlace = { chosen: undefined, isOpened: false }

/**
 * Moves the selection of the table after an event. A validator that is open stays selected when the order of the rows
 * changes.
 */
export function tableAfter(place: TablePlace, event: TableSay): TablePlace {
  switch (event.type) {
    case 'choose':
      return { ...place, chosen: event.pubkey }
    case 'open':
      return { chosen: event.pubkey, isOpened: true }
    case 'close':
      return { ...place, isOpened: false }
    case 'known':
      return place
  }
}

const { keys: KEYS } = TABLE_TEXT

/**
 * Makes the view of the table: the validators with the worst alarm first, and the details of the selected or opened
 * one. `notes` stand beside the alarms, oldest first.
 */
export function tableView(
  view: WatchView | undefined,
  place: TablePlace,
  notes: readonly string[],
): EarlyView<TableSay> {
  const { money, title, asking } = TABLE_TEXT
  const noted: EarlyPart<TableSay> = { is: 'sentences', id: 'notes', sentences: notes, tone: 'warn' }
  if (view === undefined) {
    const wait: EarlyPart<TableSay> = { is: 'sentences', id: 'wait', sentences: [asking] }
    return { id: 'watch', title, parts: [wait, noted], isPending: true, money, keys: [] }
  }
  const { rows, network: badge } = view
  const at = Math.max(
    0,
    rows.findIndex(({ pubkey }) => pubkey === place.chosen),
  )
  const row = rows[at]
  const shown = [...(row?.alarms ?? []), ...view.others]
  const isOpened = place.isOpened && row !== undefined
  const keys = [...(isOpened ? [] : chooseKeys(rows, at)), ...knownKeys(shown)]
  if (!isOpened)
    return {
      id: 'watch',
      title: `${view.title} · ${view.head}`,
      badge,
      parts: [...tableParts(view, shown, at), noted],
      money,
      keys,
    }
  return {
    id: `watch.${row.pubkey}`,
    title: `${row.name} · ${view.head}`,
    badge,
    parts: [
      ...row.alarms.map((alarm) => alarmPart(alarm, { isTitled: true })),
      { is: 'details', details: row.details },
    ],
    money,
    keys: [...keys, { key: 'escape', label: KEYS.all, does: { type: 'close' } }],
  }
}

function tableParts(
  { verdict, rows }: WatchView,
  shown: readonly AlarmView[],
  chosen: number,
): EarlyPart<TableSay>[] {
  return [
    { is: 'verdict', text: verdict.text, level: verdict.is },
    {
      is: 'table',
      head: cellsOf(TABLE_TEXT.head),
      rows: rows.map(({ pubkey, alarms: [worst], ...row }) => ({
        id: pubkey,
        cells: cellsOf(row),
        ...(worst === undefined || worst.acknowledged ? {} : { needs: worst.severity }),
        does: { type: 'open', pubkey },
      })),
      chosen,
    },
    // What the verdict says is not said twice.
    ...shown.map((alarm) => alarmPart(alarm, { isTitled: alarm.title !== verdict.text })),
  ]
}

const cellsOf = ({
  name,
  status,
  rank,
  stake,
  margin,
  source,
}: typeof TABLE_TEXT.head): readonly string[] => [name, status, rank, stake, margin, source]

function alarmPart(alarm: AlarmView, { isTitled }: { isTitled: boolean }): EarlyPart<TableSay> {
  const { since, until, acknowledged } = alarm
  const last = until === undefined ? '' : TABLE_TEXT.until(until)
  return {
    is: 'alarm',
    alarm,
    isTitled,
    when: TABLE_TEXT.alarm(since, last, acknowledged ? TABLE_TEXT.known : ''),
  }
}

function chooseKeys(rows: readonly WatchRow[], at: number): EarlyKey<TableSay>[] {
  const row = rows[at]
  if (row === undefined) return []
  const move = (key: string, to: number): EarlyKey<TableSay> => {
    const { pubkey } = rows[Math.min(rows.length - 1, Math.max(0, to))] ?? row
    return { key, label: KEYS.choose, onScreen: true, does: { type: 'choose', pubkey } }
  }
  return [
    ...(rows.length > 1 ? [move('up', at - 1), move('down', at + 1)] : []),
    { key: 'return', label: KEYS.open, does: { type: 'open', pubkey: row.pubkey } },
  ]
}

function knownKeys(shown: readonly AlarmView[]): EarlyKey<TableSay>[] {
  const unknown = shown.filter(({ acknowledged }) => !acknowledged).map(({ id }) => id)
  if (unknown.length === 0) return []
  return [{ key: 'a', label: KEYS.acknowledge, does: { type: 'known', ids: unknown } }]
}
