import { watch } from '../../src/commands/watch.ts'
import { openGuards } from '../../src/compose/watch-guards.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { type Document, readDocument } from './documents.ts'

/** A line of a watch that tells of an alarm, with its words beside. */
export type ToldEvent = Omit<WatchEvent, 'until'> & { until: { at: string } | null }

/** An event with its words beside. */
function eventOf({ words, ...fields }: Document): ToldEvent {
  const { next, ...said } = words as unknown as { title: string; what: string; next: string | null }
  return { ...fields, ...said, ...(next === null ? {} : { next }) } as unknown as ToldEvent
}

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
        const document = readDocument(line)
        if (document.schema.startsWith('bearings.event/')) told.push(eventOf(document))
      },
      err: (line) => void faults.push(line),
      signal: stop.signal,
    },
    stateDirectory: directory,
    environment: { HOME: '/nowhere' },
    openGuards,
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
