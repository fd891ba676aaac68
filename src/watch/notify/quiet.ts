/** Hours in which only what is critical may call, by the clock of a time zone. They may span midnight. */
export type QuietHours = {
  /** Minutes after midnight. */
  fromMinute: number
  toMinute: number
  /** An IANA name, e.g. `Europe/Berlin`. */
  timeZone: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Until when it is quiet now; undefined where it is not. */
export function quietUntilMs(quiet: QuietHours | undefined, nowMs: number): number | undefined {
  if (quiet === undefined) return undefined
  const { fromMinute, toMinute, timeZone } = quiet
  const minute = minuteOfDay(nowMs, timeZone)
  const isAfterFrom = minute >= fromMinute
  const isBeforeTo = minute < toMinute
  const isQuiet = fromMinute < toMinute ? isAfterFrom && isBeforeTo : isAfterFrom || isBeforeTo
  if (!isQuiet) return undefined
  const left = (toMinute - minute + DAY_MINUTES) % DAY_MINUTES
  return nowMs - (nowMs % MINUTE_MS) + left * MINUTE_MS
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    minuteOfDay(0, name)
    return true
  } catch {
    return false
  }
}

function minuteOfDay(atMs: number, timeZone: string): number {
  const form = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const [hour = '', minute = ''] = form.format(atMs).split(':')
  return Number(hour) * 60 + Number(minute)
}
