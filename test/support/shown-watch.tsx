import { watch } from '../../src/commands/watch.ts'
import { openWatchLines } from '../../src/compose/watch-lines.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { plainAscii } from '../../src/core/base/format/text.ts'
import { EarlyScreen } from '../../src/screens/EarlyScreen.tsx'
import type { WatchView } from '../../src/watch/screen.ts'
import { TABLE_START, tableView } from '../../src/watch/table-view.ts'
import { fakeStdin } from './fake-streams.ts'
import { linesOn } from './plain-talk.ts'
import { openTerminal } from './terminal.tsx'
import { beginWatch } from './watch-run.ts'
import type { WorldClock } from './world-clock.ts'

/** The same watch in each form in which it is read. */
export type ShownWatch = {
  /** What `--json` has told of alarms. */
  told: ReturnType<typeof beginWatch>['told']
  /** A line for each event, and what to do below it, where no terminal is. */
  lines: readonly string[]
  /** What was said by lines on a terminal: the table once, then what changes. */
  said(): string
  /** What the table shows on a terminal of 80 by 24. */
  frame(): Promise<string>
  stop(): Promise<void>
}

/** Begins them on the clock of a world, each with a memory of its own below `directory`. */
export function beginShownWatch(
  argv: readonly string[],
  { effects, clock, directory }: { effects: () => Effects; clock: WorldClock; directory: string },
): ShownWatch {
  const stop = new AbortController()
  const lines: string[] = []
  let said = ''
  let shown: WatchView | undefined
  const begin = (name: string, more: Partial<Parameters<typeof watch>[0]>) =>
    watch({
      argv: ['--state', `${directory}/${name}`, ...argv],
      effects: effects(),
      io: { out: (line) => void lines.push(line), err: () => undefined, signal: stop.signal },
      stateDirectory: `${directory}/${name}`,
      environment: { HOME: '/nowhere' },
      ...more,
    })
  const json = beginWatch(argv, { effects: effects(), directory: `${directory}/json` })
  const byLines = begin('lines', {})
  const onTerminal = begin('table', {
    async openScreen({ onAcknowledge }) {
      const talk = openWatchLines({
        clock,
        onAcknowledge,
        input: linesOn(Object.assign(fakeStdin(), { isTTY: true }), { clock, interrupt: () => undefined }),
        voice: {
          line: (text) => {
            said += `${plainAscii(text)}\n`
          },
          prompt: () => undefined,
        },
      })
      return {
        ...talk,
        show(view) {
          shown = view
          talk.show(view)
        },
      }
    },
  })
  return {
    told: json.told,
    lines,
    said: () => said,
    async frame() {
      const terminal = await openTerminal(
        <EarlyScreen view={tableView(shown, TABLE_START, [])} tell={() => undefined} />,
        { network: null },
      )
      const screen = terminal.screen()
      await terminal.close()
      return screen
    },
    async stop() {
      stop.abort()
      await Promise.all([json.stop(), byLines, onTerminal])
    },
  }
}
