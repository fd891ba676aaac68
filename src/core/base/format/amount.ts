import { invisibleFault } from './drawable.ts'

/**
 * An amount of 10^-9 tokens, which is never taken for one in wei. The unit is optional: a number that is written out, and a
 * sum, are of the unit of the place that they stand in.
 */
export type Gwei = bigint & { readonly __unit?: 'gwei' }
/** An amount of 10^-18 tokens, or of 10^-9 gwei. */
export type Wei = bigint & { readonly __unit?: 'wei' }

/** Gwei in one token. */
export const GWEI_PER_TOKEN = 1_000_000_000n
const WEI_PER_GWEI = 1_000_000_000n

/** Whole tokens as gwei. */
export const tokens = (value: bigint): Gwei => value * GWEI_PER_TOKEN
/** The same amount in wei. */
export const gweiToWei = (value: Gwei): Wei => value * WEI_PER_GWEI
/** The same amount in gwei; what is less than one gwei is left out. */
export const weiToGwei = (value: Wei): Gwei => value / WEI_PER_GWEI

/** Digits alone or in thousands, with decimals or none. */
const AMOUNT = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/
/** Three decimals behind at most three digits: thousands, where the comma is for decimals. */
const UNCLEAR = /^0*([1-9]\d{0,2})\.(\d{3})$/
const MOST_DIGITS = 8
const MOST_DECIMALS = 9
/** The size of an amount in gwei that is one of tokens at all. */
const MAY_BE_GWEI = /^[1-9]\d{9,16}$/

/**
 * Reads an amount of tokens as a person types it, wherever that is: up to 8 digits, with a comma between all thousands or
 * none, optionally a point and up to 9 decimals. Returns why it is refused where it can be meant in two ways, as
 * `10.000` and `25,00` can.
 */
export function readTokens(text: string): { amountGwei: Gwei } | { error: string } {
  const unseen = invisibleFault(text)
  if (unseen !== undefined) return { error: unseen }
  const typed = text.trim()
  const [, whole, thousand] = UNCLEAR.exec(typed) ?? []
  if (whole !== undefined)
    return {
      error: `Unclear: ${typed} can be ${whole} or ${whole},${thousand}. For thousands write ${whole}${thousand}, for decimals ${whole}.${thousand}0.`,
    }
  const [found, fraction = ''] = AMOUNT.exec(typed) ?? []
  if (found === undefined)
    return { error: 'Type digits, with a point for decimals: 10000, 10,000 or 10000.5.' }
  if (fraction.length > MOST_DECIMALS) return { error: `An amount has at most ${MOST_DECIMALS} decimals.` }
  const digits = (found.split('.')[0] ?? '').replaceAll(',', '')
  if (digits.length > MOST_DIGITS) return { error: tooManyDigits(typed) }
  return { amountGwei: BigInt(digits) * GWEI_PER_TOKEN + BigInt(fraction.padEnd(MOST_DECIMALS, '0')) }
}

/** Returns the amount that `readTokens` reads, or undefined. */
export function parseTokens(text: string): Gwei | undefined {
  const read = readTokens(text)
  return 'amountGwei' in read ? read.amountGwei : undefined
}

function tooManyDigits(typed: string): string {
  const most = `An amount of tokens has at most ${MOST_DIGITS} digits before the point.`
  return MAY_BE_GWEI.test(typed) ? `${most} If it is in gwei, write ${typedGwei(BigInt(typed))}.` : most
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}

function decimal(value: bigint, decimals: number): string {
  const negative = value < 0n
  const digits = (negative ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = grouped(digits.slice(0, -decimals))
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Gwei as tokens with every digit that matters: `10,000` or `0.000000001`. */
export const formatGwei = (value: Gwei): string => decimal(value, 9)
/** Wei as tokens with every digit that matters. */
export const formatWei = (value: Wei): string => decimal(value, 18)
const LIMIT_STEP_WEI = 10n ** 14n
/** Wei as tokens for what may be paid at most: rounded up to four decimals, so that it is no less than the limit. */
export const formatLimitWei = (value: Wei): string =>
  formatWei(((value + LIMIT_STEP_WEI - 1n) / LIMIT_STEP_WEI) * LIMIT_STEP_WEI)
/** The same as it is typed: `10000.5`, and `12.3450` where three decimals alone would be unclear. */
export function typedGwei(value: Gwei): string {
  const text = formatGwei(value).replaceAll(',', '')
  return UNCLEAR.test(text) ? `${text}0` : text
}
/** A number of slots, blocks or epochs: `1,768,911`. */
export const formatCount = (value: bigint): string => grouped(value.toString())

/** Returns a place in a row: `1st`, `12th`, `69th`. */
export function ordinal(place: number): string {
  const isTeen = place % 100 >= 11 && place % 100 <= 13
  return `${place}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')}`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Returns a duration in words of at most two units: `4 s`, `12 min 8 s`, `27 h 18 min`. */
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
 * A moment by the clock of this computer, with its zone, as its reader may sit in another one: `16:05 UTC+1`. The rule of
 * the day: none where it is the day of `nowMs`; `on 25 Nov` in the same calendar year; else `on 25 Nov 2025`, so that no day
 * is taken for the one of another year. Both are Unix milliseconds; `offsetMinutes` is how far the zone is ahead of UTC.
 */
export function formatClock(
  atMs: number,
  nowMs: number,
  offsetMinutes = -new Date(atMs).getTimezoneOffset(),
): string {
  const there = (ms: number): Date => new Date(ms + offsetMinutes * MINUTE)
  const at = there(atMs)
  const time = at.toISOString().slice(11, 16)
  return `${time} ${zoneOf(offsetMinutes)}${dayWords(at, there(nowMs))}`
}

/** A moment (Unix milliseconds) with its whole date, in UTC, where nobody knows when it will be read: `2026-11-25 16:05 UTC`. */
export function formatMinute(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** The day of a date as far as another date leaves it open. */
function dayWords(at: Date, now: Date): string {
  if (at.toISOString().slice(0, 10) === now.toISOString().slice(0, 10)) return ''
  const [day, month, year] = [at.getUTCDate(), MONTHS[at.getUTCMonth()], at.getUTCFullYear()]
  return year === now.getUTCFullYear() ? ` on ${day} ${month}` : ` on ${day} ${month} ${year}`
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
