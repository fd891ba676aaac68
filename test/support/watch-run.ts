import { watch } from '../../src/commands/watch.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import type { ExitCode } from '../../src/output/io.ts'

/** A line of a watch that tells of an alarm, as JSON has it. */
export type ToldEvent = Omit<WatchEvent, 'until'> & { type?: string; until?: { at: string } }

/** A watch with `--json` that runs: what it has told of alarms, and what it complained of. */
export type WatchRun = {
  told: ToldEvent[]
  faults: string[]
  /** Resolves to how it ended. */
  ended: Promise<ExitCode>
  /** Ends it; resolves to how it ended. */
  stop(): Promise<ExitCode>
}

/** Begins a watch that keeps its memory in `directory`. One that follows another one goes on with what that has told. */
export function beginWatch(
  argv: readonly string[],
  { effects, directory, before }: { effects: Effects; directory: string; before?: WatchRun },
): WatchRun {
  const stop = new AbortController()
  const told = before?.told ?? []
  const faults = before?.faults ?? []
  const run = watch({
    argv: ['--state', directory, '--json', ...argv],
    effects,
    io: {
      out: (line) => {
        const one = JSON.parse(line) as ToldEvent
        if (one.type === 'event') told.push(one)
      },
      err: (line) => void faults.push(line),
      signal: stop.signal,
    },
    stateDirectory: directory,
    environment: { HOME: '/nowhere' },
  })
  return {
    told,
    faults,
    ended: run,
    stop() {
      stop.abort()
      return run
    },
  }
}
