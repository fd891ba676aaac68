import { formatCount, formatDuration, formatMinute } from '../core/base/format/amount.ts'

/** What is told of an alarm that came again; `firstMs` is when it came first. */
export function comesAgain(what: string, { spells, firstMs }: { spells: number; firstMs: number }): string {
  return `${what} It came ${formatCount(BigInt(spells))} times since ${formatMinute(firstMs)}.`
}

/** What is shown of it while it is over, and has not been so for `steadyMs`. */
export function isQuiet(incident: { spells: number; firstMs: number; steadyMs: number }): string {
  const { spells, firstMs, steadyMs } = incident
  return `It is over for the moment. It came ${formatCount(BigInt(spells))} times since ${formatMinute(firstMs)}, and counts as over once it stays away for ${formatDuration(steadyMs)}.`
}

/** What is told when it is over. */
export function wentAway(what: string, { spells, steadyMs }: { spells: number; steadyMs: number }): string {
  return `${what} It had come ${formatCount(BigInt(spells))} times, and stayed away for ${formatDuration(steadyMs)}.`
}
