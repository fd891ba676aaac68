import { render } from 'ink'
import { cloneElement, type ReactElement, type ReactNode } from 'react'
import { type NetworkBadge, type Shell, ShellProvider } from '../../src/hooks/shell.tsx'
import { makeTheme, ThemeProvider } from '../../src/screens/theme.tsx'
import { splitKeys } from '../../src/terminal/key-splitter.ts'
import { type Cell, openCells } from './cells.ts'
import { fakeStdin, fakeStdout } from './fake-streams.ts'

export type TestTerminal = {
  /** Writes bytes as one chunk and waits until everything they caused is drawn. */
  press(...chunks: (string | Uint8Array)[]): Promise<void>
  /** Writes one chunk a key, with `passMs` of the clock between. */
  type(keys: string, options?: { passMs?: number }): Promise<void>
  /** Lets the clock pass and draws again. */
  pass(ms: number): Promise<void>
  rerender(node: ReactElement): Promise<void>
  resize(size: { columns: number; rows: number }): Promise<void>
  lines(): string[]
  screen(): string
  cells(): Cell[][]
  /** Where the terminal's own cursor stands; undefined while it is hidden. */
  cursor(): { x: number; y: number } | undefined
  quits(): number
  close(): Promise<void>
}

export type TestTerminalOptions = {
  columns?: number
  rows?: number
  ascii?: boolean
  colours?: boolean
  /** None where no network is chosen yet. */
  network?: NetworkBadge | null
}

const REHEARSAL: NetworkBadge = { kind: 'rehearsal', label: 'rehearsal' }
const START_MS = 100_000

/** Draws screens on a terminal without a window, with the real key splitter in front and a clock of its own. */
export async function openTerminal(
  node: ReactElement,
  options: TestTerminalOptions = {},
): Promise<TestTerminal> {
  const size = { columns: options.columns ?? 80, rows: options.rows ?? 24 }
  const cells = openCells(size)
  let written: Promise<void> = Promise.resolve()
  const stdout = fakeStdout(size, (text) => {
    written = cells.write(text)
  })
  const stdin = fakeStdin()
  let nowMs = START_MS
  let quits = 0
  const shell: Shell = {
    clock: { monotonicMs: () => nowMs },
    ...(options.network === null ? {} : { network: options.network ?? REHEARSAL }),
    quit: () => {
      quits += 1
    },
  }
  const theme = makeTheme({ ascii: options.ascii ?? false, colours: options.colours ?? true })
  const wrap = (inner: ReactNode): ReactNode => (
    <ThemeProvider theme={theme}>
      <ShellProvider shell={{ ...shell }}>{inner}</ShellProvider>
    </ThemeProvider>
  )
  const app = render(wrap(node), {
    stdin: splitKeys(stdin),
    stdout: stdout as unknown as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    alternateScreen: true,
    incrementalRendering: true,
  })
  let drawn = node
  const settle = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    await app.waitUntilRenderFlush()
    await written
  }
  const redraw = async (): Promise<void> => {
    app.rerender(wrap(cloneElement(drawn)))
    await settle(4)
  }
  const press = async (...chunks: (string | Uint8Array)[]): Promise<void> => {
    for (const chunk of chunks) stdin.write(chunk)
    await settle(chunks.reduce((sum, chunk) => sum + 3 * chunk.length, 8))
  }
  await settle(4)
  return {
    press,
    async type(keys, { passMs = 100 } = {}) {
      for (const key of keys) {
        nowMs += passMs
        await press(key)
      }
    },
    async pass(ms) {
      nowMs += ms
      await redraw()
    },
    async rerender(next) {
      drawn = next
      await redraw()
    },
    async resize(next) {
      cells.resize(next)
      Object.assign(stdout, next)
      stdout.emit('resize')
      await settle(4)
    },
    lines: () => cells.lines(),
    screen: () => cells.lines().join('\n'),
    cells: () => cells.cells(),
    cursor: () => cells.cursor(),
    quits: () => quits,
    async close() {
      app.unmount()
      await app.waitUntilExit()
      cells.dispose()
    },
  }
}
