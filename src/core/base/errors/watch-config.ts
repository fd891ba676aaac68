import { command, parts } from '../format/next.ts'
import { BaseError, errorsOf } from './base.ts'

/** One field of the file that cannot be used. All parts are safe to draw, and none repeats what may be a secret. */
export type ConfigFault = { field: string; found: string; expected: string; next: string }

const EXAMPLE = parts`${command('watch', '--example-config')} prints a whole file with every field explained.`

/** A watch cannot go on or begin, or its configuration or its outbox cannot be used. */
export const watchError = errorsOf(BaseError, {
  /** The text is no TOML. `reason` is a sentence of the parser, which repeats nothing of the text. */
  'watch-config.unreadable': (at: { line: number; column: number; reason: string }) => ({
    short: 'The watch configuration is not TOML.',
    details: [`line: ${at.line}`, `column: ${at.column}`, `reason: ${at.reason}`],
    next: [`Correct line ${at.line}.`, EXAMPLE],
  }),
  /** Nothing is in it, so that alarms would go nowhere. */
  'watch-config.empty': (path: string) => ({
    short: 'The watch configuration is empty.',
    details: [`path: ${path}`],
    next: ['Put the file back from a copy.', EXAMPLE],
  }),
  /** Fields are missing, unknown or odd: all of them. */
  'watch-config.fields': (faults: readonly ConfigFault[]) => ({
    short: `The watch configuration has ${faults.length === 1 ? 'a field' : `${faults.length} fields`} that cannot be used.`,
    details: faults.flatMap(({ field, found, expected, next }) => [
      `field: ${field}`,
      `found: ${found}`,
      `expected: ${expected}`,
      `what to do: ${next}`,
    ]),
    next: [EXAMPLE],
  }),
  /** The address for metrics is taken, or may not be opened. `reason`: the name the system gives to it. */
  'watch.port': (address: string, reason: string, cause: unknown) => ({
    short: `${address} cannot be opened for metrics.`,
    cause,
    details: [`reason: ${reason}`],
    next: ['Choose another port, such as --metrics 127.0.0.1:9478.'],
  }),
  /** The file that keeps events until they are delivered is not what was written there. */
  'outbox.damaged': (path: string, reason: string) => ({
    short: 'The file of alarms that wait to be sent cannot be read.',
    details: [`path: ${path}`, `reason: ${reason}`],
    next: [
      'Move the file away and start again: what stands is told again, what had ended and waited in it is lost.',
    ],
  }),
  /** A later version of the program wrote that file. */
  'outbox.newer': (path: string, version: { found: number; known: number }) => ({
    short: 'A newer version of Bearings wrote the file of alarms that wait to be sent.',
    details: [`path: ${path}`, `version: ${version.found}`, `known: ${version.known}`],
    next: [
      'Use that version again.',
      'Or move the file away: what stands is told again, what had ended and waited in it is lost.',
    ],
  }),
  /** Another process has the memory of this watch; `heldBy` says which one. */
  'watch.held': (heldBy: string) => ({
    short: 'Another watch runs on this state directory, and it tells of every alarm.',
    details: [heldBy],
    next: ['End that one, or give this one a directory of its own with --state.'],
  }),
  /** What a watch remembers could not be written, so it does not go on. */
  'watch.not-kept': (path: string, cause: BaseError) => ({
    short: 'The memory of the watch cannot be written.',
    details: [`path: ${path}`, `reason: ${cause.shortMessage}`],
    next: ['Put right what the reason names, such as a disk that is full. The watch goes on meanwhile.'],
    retryable: true,
    cause,
  }),
  /** A later version of the program wrote the memory. */
  'watch.newer': (path: string, format: { found: number; known: number }) => ({
    short: 'A newer version of Bearings wrote the memory of the watch; it was left as it is.',
    details: [`path: ${path}`, `format: ${format.found}`, `known: ${format.known}`],
    next: [
      'Use that version again.',
      'Or move the file away: the watch then begins anew, and fires the alarms that stand once more.',
    ],
  }),
  /** The file is not what a watch wrote. `cause` says what is odd in it. */
  'watch.damaged': (path: string, cause: Error) => ({
    short: 'The memory of the watch cannot be read; it was left as it is.',
    details: [`path: ${path}`, `reason: ${cause.message}`],
    next: ['Move it away: the watch then begins anew, and fires the alarms that stand once more.'],
    cause,
  }),
  /** The file of the alarms that somebody acknowledged by a command is not what was written there. */
  'watch.acknowledged': (path: string, cause: Error) => ({
    short: 'The list of acknowledged alarms cannot be read; it was left as it is.',
    details: [`path: ${path}`, `reason: ${cause.message}`],
    next: ['Move it away: alarms that stand are told again until you acknowledge them.'],
    cause,
  }),
})
