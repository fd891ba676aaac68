import { BaseError } from '../core/base/errors/base.ts'
import type { CommandIo } from '../output/io.ts'
import type { WatchFile } from '../watch/keep.ts'
import { SENTENCES } from '../watch/notify/text.ts'
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

/** Writes the memory; a disk that does not take it is said once, and ends nothing: an alarm may be under way. */
export function keeper(file: WatchFile, say: (sentence: string) => void): WatchFile['write'] {
  let isLost = false
  return async (memory, options) => {
    try {
      await file.write(memory, options)
      if (isLost) say(SENTENCES.keptAgain())
      isLost = false
    } catch (thrown) {
      if (!(thrown instanceof BaseError)) throw thrown
      if (!isLost) say(SENTENCES.notKept(reasonOf(thrown)))
      isLost = true
    }
  }
}

const reasonOf = ({ cause, shortMessage }: BaseError) =>
  cause instanceof BaseError ? cause.shortMessage : shortMessage
