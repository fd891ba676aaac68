import type { WatchScreen, WatchScreenInput, WatchView } from '../core/watch/view.ts'
import { type Shell, ShellProvider } from '../hooks/shell.tsx'
import { ThemeProvider, themeOf } from '../screens/theme.tsx'
import { Watch } from '../screens/Watch.tsx'
import { renderApp } from '../terminal/render.tsx'
import type { Ending } from './ending.ts'

type Given = WatchScreenInput & {
  /** What draws, where it is not the terminal of this process. */
  render?: typeof renderApp
}

const MOST_NOTES = 3

/** Opens the table on the terminal's other screen. */
export function openWatchScreen(
  ending: Pick<Ending, 'atLast'>,
  { clock, onAcknowledge, render = renderApp }: Given,
): WatchScreen {
  const theme = themeOf(process.env, process.platform)
  const shell: Shell = {
    clock,
    quit: () => app.close(),
    notify: (text) => app.notify(text),
  }
  let last = ''
  let notes: readonly string[] = []
  let shown: WatchView | undefined
  let opened: string | undefined
  const draw = () => {
    if (shown === undefined) {
      app.rerender(drawn(undefined))
      return
    }
    // Details are drawn of the opened one alone.
    const rows = shown.rows.map((row) => (row.pubkey === opened ? row : { ...row, details: [] }))
    const text = JSON.stringify({ ...shown, rows, notes })
    if (text === last) return
    last = text
    app.rerender(drawn(shown))
  }
  const onOpen = (pubkey: string | undefined) => {
    opened = pubkey
    draw()
  }
  const drawn = (view: WatchView | undefined) => (
    <ThemeProvider theme={theme}>
      <ShellProvider shell={view === undefined ? shell : { ...shell, network: view.network }}>
        <Watch view={view} notes={notes} onAcknowledge={onAcknowledge} onOpen={onOpen} />
      </ShellProvider>
    </ThemeProvider>
  )
  const { stdin, stdout, stderr, env } = process
  const app = render(drawn(undefined), { stdin, stdout, stderr, process, term: env.TERM })
  ending.atLast(app.restore)
  return {
    show(view) {
      shown = view
      draw()
    },
    note(text) {
      notes = [...notes, text].slice(-MOST_NOTES)
      draw()
    },
    notify: app.notify,
    end: app.end.then((how) => {
      if (how.reason === 'fault') throw how.error
    }),
    close: app.close,
  }
}
