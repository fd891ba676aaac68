import { formatCount, formatMinute } from '../../core/base/format/amount.ts'
import type { WatchEvent } from '../../core/view/alarm-event.ts'
import { validatorText } from './text.ts'

/**
 * An event as it is sent at `nowMs` (Unix milliseconds, by the clock of this computer): one that had to wait until the last
 * block for its amount may be past names none any more.
 */
export function asSent(event: WatchEvent, nowMs: number): WatchEvent {
  const { alarm, change, validator, until, atMs } = event
  const isLate = until !== undefined && until.atMs <= nowMs
  if (alarm !== 'drops-out' || change === 'cleared' || validator === undefined || !isLate) return event
  const { until: _, ...kept } = event
  return {
    ...kept,
    title: `Whether a top-up still keeps the place of ${validatorText(validator)} is not known.`,
    what: `This warning is of ${formatMinute(atMs)} and could not be sent before. By the time that has passed block ${formatCount(until.slot)}, the last one that counts for a top-up, is past.`,
    next: 'Send nothing on this warning. Read the newest one, and look at your node.',
  }
}
