import { jsonText } from '../core/base/format/strict-json.ts'
import type { EarlyView } from '../core/view/early-view.ts'
import { type Shell, ShellProvider } from '../hooks/shell.tsx'
import { EarlyScreen } from '../screens/EarlyScreen.tsx'
import { ThemeProvider, themeOf } from '../screens/theme.tsx'
import { renderApp } from '../terminal/render.tsx'
import type { WatchScreen, WatchScreenInput, WatchView } from '../watch/screen.ts'
import { TABLE_START, type TableSay, tableAfter, tableView } from '../watch/table-view.ts'
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
  let place = TABLE_START
  const draw = () => {
    const view = tableView(shown, place, notes)
    const text = jsonText(view)
    if (text === last) return
    last = text
    app.rerender(drawn(view))
  }
  const tell = (event: TableSay) => {
    if (event.type === 'known') onAcknowledge(event.ids)
    place = tableAfter(place, event)
    draw()
  }
  const drawn = (view: EarlyView<TableSay>) => (
    <ThemeProvider theme={theme}>
      <ShellProvider shell={shell}>
        <EarlyScreen view={view} tell={tell} />
      </ShellProvider>
    </ThemeProvider>
  )
  const { stdin, stdout, stderr, env } = process
  const app = render(drawn(tableView(undefined, place, notes)), {
    stdin,
    stdout,
    stderr,
    process,
    term: env.TERM,
  })
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
