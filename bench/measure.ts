import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** One measured thing. `baseline` names what `ratio` is a multiple of, measured in the same run. */
export type Row = { what: string; result: string; ratio?: number; baseline?: string; note?: string }

/** The middle value; of an even number of values the upper middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which `part` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Milliseconds that a piece of work takes: the median of `runs`, after one that does not count. */
export function timeMs(work: () => unknown, runs: number): number {
  work()
  const times: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const startMs = performance.now()
    work()
    times.push(performance.now() - startMs)
  }
  return median(times)
}

const CPU_BASELINE = 'SHA-256 of 1 MiB'

let baselineMs: number | undefined

/** What the computer takes for a SHA-256 of 1 MiB, measured once a run. */
function cpuBaselineMs(): number {
  const bytes = Buffer.alloc(1024 * 1024, 7)
  baselineMs ??= timeMs(() => createHash('sha256').update(bytes).digest(), 50)
  return baselineMs
}

/** A row for work on the processor, as a multiple of the baseline. */
export function cpuRow(what: string, ms: number, note?: string): Row {
  const row = { what, result: milliseconds(ms), ratio: ms / cpuBaselineMs(), baseline: CPU_BASELINE }
  return note === undefined ? row : { ...row, note }
}

/** `0.42 ms`, `18.1 ms`, `2,800 ms` */
export function milliseconds(ms: number): string {
  const digits = ms < 10 ? 2 : Number(ms < 100)
  return `${ms.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ms`
}

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`

/** Memory that a process holds now, in bytes; undefined where the system does not tell. */
export function residentBytes(pid: number): number | undefined {
  try {
    const kibibytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
  } catch {
    return undefined
  }
}
