import { type ConverseInput, converse } from '../plain/converse.ts'
import { earlyTurn } from '../plain/early-turn.ts'
import type { WatchScreen, WatchScreenInput, WatchView } from '../watch/screen.ts'
import { TABLE_START, type TableSay, tableAfter, tableView } from '../watch/table-view.ts'

type Given = Pick<WatchScreenInput, 'onAcknowledge'> & Pick<ConverseInput, 'input' | 'voice' | 'clock'>

const MOST_NOTES = 3

/**
 * Opens the table of a watch as lines: all of it once, then what changes. A typed line opens a validator or acknowledges its
 * alarms.
 */
export function openWatchLines({ onAcknowledge, input, voice, clock }: Given): WatchScreen {
  const stop = new AbortController()
  const listeners = new Set<() => void>()
  let notes: readonly string[] = []
  let shown: WatchView | undefined
  let place = TABLE_START
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const tell = (event: TableSay) => {
    if (event.type === 'known') onAcknowledge(event.ids)
    // Lines have no cursor that stays: back in the table, whoever needs somebody is the first one again.
    place = event.type === 'close' ? TABLE_START : tableAfter(place, event)
    changed()
  }
  const close = () => stop.abort()
  const desk = {
    turn: () => earlyTurn({ view: tableView(shown, place, notes), tell, quit: close }),
    begin: () => undefined,
    leave: () => undefined,
    subscribe: (listener: () => void) => void listeners.add(listener),
  }
  const talk = converse({ desk, input, voice, clock, signal: stop.signal })
  return {
    show(view) {
      shown = view
      changed()
    },
    note(text) {
      notes = [...notes, text].slice(-MOST_NOTES)
      changed()
    },
    // What is critical is said as soon as it is known.
    notify: () => undefined,
    end: talk.end.finally(() => voice.line('')),
    close,
  }
}
