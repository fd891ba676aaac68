import { formatCount, formatDuration, formatMinute } from '../core/base/format/amount.ts'

/** Words of an alarm that came again; `firstMs` is when it first came (Unix milliseconds). */
export function comesAgain(what: string, { spells, firstMs }: { spells: number; firstMs: number }): string {
  return `${what} It came ${formatCount(BigInt(spells))} times since ${formatMinute(firstMs)}.`
}

/** Words of an alarm whose cause is over for less than `steadyMs`. */
export function isQuiet(incident: { spells: number; firstMs: number; steadyMs: number }): string {
  const { spells, firstMs, steadyMs } = incident
  return `It is over for the moment. It came ${formatCount(BigInt(spells))} times since ${formatMinute(firstMs)}, and counts as over once it stays away for ${formatDuration(steadyMs)}.`
}

/** Words of the end of an alarm that had come several times. */
export function wentAway(what: string, { spells, steadyMs }: { spells: number; steadyMs: number }): string {
  return `${what} It had come ${formatCount(BigInt(spells))} times, and stayed away for ${formatDuration(steadyMs)}.`
}
