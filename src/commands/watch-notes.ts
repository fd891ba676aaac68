import type { CommandIo } from '../output/io.ts'
import type { WatchScreen } from '../watch/screen.ts'

/** What a watch says beside its alarms: on its table while that stands, which it would tear, else as errors are told. */
export type WatchNotes = {
  say(text: string): void
  /** Where notes go from now on; undefined: as errors are told. */
  showOn(screen: Pick<WatchScreen, 'note'> | undefined): void
}

/** Notes of a watch whose table is not open yet. */
export function openNotes({ err }: Pick<CommandIo, 'err'>): WatchNotes {
  let table: Pick<WatchScreen, 'note'> | undefined
  return {
    say: (text) => (table === undefined ? err(text) : table.note(text)),
    showOn: (screen) => {
      table = screen
    },
  }
}
