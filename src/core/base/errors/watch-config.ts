import { command, type Next, parts } from '../format/next.ts'
import { BaseError } from './base.ts'

/** One field of the file that cannot be used. All parts are safe to draw, and none repeats what may be a secret. */
export type ConfigFault = { field: string; found: string; expected: string; next: string }

/** A configuration of the watch that cannot be used: every odd field of it. */
export class WatchConfigError extends BaseError {
  readonly faults: readonly ConfigFault[]

  constructor(code: string, sentence: string, parts: Parts) {
    super(`watch-config.${code}`, sentence, { details: parts.details ?? [], nextSteps: parts.next })
    this.name = 'WatchConfigError'
    this.faults = parts.faults ?? []
  }
}

type Parts = { details?: readonly string[]; next: readonly Next[]; faults?: readonly ConfigFault[] }

const EXAMPLE = parts`${command('watch', '--example-config')} prints a whole file with every field explained.`

/** The text is no TOML. `reason` is a sentence of the parser, which repeats nothing of the text. */
export function watchConfigUnreadable(at: {
  line: number
  column: number
  reason: string
}): WatchConfigError {
  return new WatchConfigError('unreadable', 'The watch configuration is not TOML.', {
    details: [`line: ${at.line}`, `column: ${at.column}`, `reason: ${at.reason}`],
    next: [`Correct line ${at.line}.`, EXAMPLE],
  })
}

/** Fields are missing, unknown or odd: all of them. */
export function watchConfigFields(faults: readonly ConfigFault[]): WatchConfigError {
  const many = faults.length === 1 ? 'a field' : `${faults.length} fields`
  return new WatchConfigError('fields', `The watch configuration has ${many} that cannot be used.`, {
    faults,
    details: faults.flatMap(({ field, found, expected, next }) => [
      `field: ${field}`,
      `found: ${found}`,
      `expected: ${expected}`,
      `what to do: ${next}`,
    ]),
    next: [EXAMPLE],
  })
}

/** The address for metrics is taken, or may not be opened. `reason`: the name the system gives to it. */
export function portTaken(address: string, reason: string, cause: unknown): BaseError {
  return new BaseError('watch.port', `${address} cannot be opened for metrics.`, {
    cause,
    details: [`reason: ${reason}`],
    nextSteps: ['Choose another port, such as --metrics 127.0.0.1:9478.'],
  })
}

/** The file that keeps events until they are delivered is not what was written there. */
export function outboxDamaged(path: string, reason: string): BaseError {
  return new BaseError('outbox.damaged', 'The file of alarms that wait to be sent cannot be read.', {
    details: [`path: ${path}`, `reason: ${reason}`],
    nextSteps: [
      'Move the file away and start again: what stands is told again, what had ended and waited in it is lost.',
    ],
  })
}

/** Another process has the memory of this watch; `heldBy` says which one. */
export function watchHeld(heldBy: string): BaseError {
  return new BaseError(
    'watch.held',
    'Another watch runs on this state directory, and it tells of every alarm.',
    {
      details: [heldBy],
      nextSteps: ['End that one, or give this one a directory of its own with --state.'],
    },
  )
}

/** What a watch remembers could not be written, so it does not go on. */
export function watchNotKept(path: string, cause: BaseError): BaseError {
  return new BaseError('watch.not-kept', 'The memory of the watch cannot be written.', {
    details: [`path: ${path}`, `reason: ${cause.shortMessage}`],
    nextSteps: ['Put right what the reason names, such as a disk that is full. The watch goes on meanwhile.'],
    retryable: true,
    cause,
  })
}

/** The file is not what a watch wrote. `cause` says what is odd in it. */
export function watchDamaged(path: string, cause: Error): BaseError {
  return new BaseError('watch.damaged', 'The memory of the watch cannot be read; it was left as it is.', {
    details: [`path: ${path}`, `reason: ${cause.message}`],
    nextSteps: ['Move it away: the watch then begins anew, and fires the alarms that stand once more.'],
    cause,
  })
}
