const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A duration in words of at most two units: `4 s`, `12 min 8 s`, `27 h 18 min`. */
export function formatDuration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms / SECOND) * SECOND)
  if (rounded < MINUTE) return `${rounded / SECOND} s`
  if (rounded < HOUR) return two(Math.floor(rounded / MINUTE), 'min', (rounded % MINUTE) / SECOND, 's')
  return two(Math.floor(rounded / HOUR), 'h', Math.floor((rounded % HOUR) / MINUTE), 'min')
}

/** From here on a countdown is drawn by the minute, so that it stands still long enough to be read. */
const BY_MINUTE_MS = 10 * MINUTE

/** Whether a countdown is long enough to be drawn by the minute, with the clock time beside it. */
export const isLongCountdown = (ms: number): boolean => ms > BY_MINUTE_MS

/** The time left: by the second, and from ten minutes on by the minute, never more than is left: `31 min`, `2 h 14 min`. */
export function formatCountdown(ms: number): string {
  return formatDuration(isLongCountdown(ms) ? Math.floor(ms / MINUTE) * MINUTE : ms)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * A moment by the clock of this computer, with its zone, as who reads it may sit elsewhere: `16:05 UTC+1`, and with the day
 * where it is not the day of `nowMs`. Both are Unix milliseconds; `offsetMinutes` is how far the zone is ahead of UTC.
 */
export function formatClock(
  atMs: number,
  nowMs: number,
  offsetMinutes = -new Date(atMs).getTimezoneOffset(),
): string {
  const there = (ms: number): Date => new Date(ms + offsetMinutes * MINUTE)
  const at = there(atMs)
  const time = at.toISOString().slice(11, 16)
  const isToday = at.toISOString().slice(0, 10) === there(nowMs).toISOString().slice(0, 10)
  const day = isToday ? '' : ` on ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`
  return `${time} ${zoneOf(offsetMinutes)}${day}`
}

function zoneOf(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC'
  const minutes = Math.abs(offsetMinutes)
  const rest = minutes % 60 === 0 ? '' : `:${String(minutes % 60).padStart(2, '0')}`
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${Math.floor(minutes / 60)}${rest}`
}

function two(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major} ${majorUnit}` : `${major} ${majorUnit} ${minor} ${minorUnit}`
}
