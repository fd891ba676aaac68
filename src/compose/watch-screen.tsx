import type { WatchView } from '../core/watch/view.ts'
import { type Shell, ShellProvider } from '../hooks/shell.tsx'
import { ThemeProvider, themeOf } from '../screens/theme.tsx'
import { Watch } from '../screens/Watch.tsx'
import { renderApp } from '../terminal/render.tsx'
import type { Ending } from './ending.ts'

/** The table of a watch on a terminal. */
export type WatchScreen = {
  /** Draws the view, where it is another one than the last. */
  show(view: WatchView): void
  /** Makes the terminal call its user. */
  notify(text: string): void
  /** Resolves when somebody quits; rejects with the fault that ended it. */
  end: Promise<void>
  close(): void
}

export type WatchScreenInput = {
  clock: Shell['clock']
  /** Somebody knows of these alarms. */
  onAcknowledge: (ids: readonly string[]) => void
}

/** Opens the table on the terminal's other screen. */
export function openWatchScreen(ending: Ending, { clock, onAcknowledge }: WatchScreenInput): WatchScreen {
  const theme = themeOf(process.env, process.platform)
  const shell: Shell = {
    clock,
    quit: () => app.close(),
    notify: (text) => app.notify(text),
  }
  const drawn = (view: WatchView | undefined) => (
    <ThemeProvider theme={theme}>
      <ShellProvider shell={view === undefined ? shell : { ...shell, network: view.network }}>
        <Watch view={view} onAcknowledge={onAcknowledge} />
      </ShellProvider>
    </ThemeProvider>
  )
  const { stdin, stdout, stderr, env } = process
  const app = renderApp(drawn(undefined), { stdin, stdout, stderr, process, term: env.TERM })
  ending.atLast(app.restore)
  let last = ''
  return {
    show(view) {
      const text = JSON.stringify(view)
      if (text === last) return
      last = text
      app.rerender(drawn(view))
    },
    notify: app.notify,
    end: app.end.then((how) => {
      if (how.reason === 'fault') throw how.error
    }),
    close: app.close,
  }
}
