import { createRequire } from 'node:module'
import type { IPty } from '@lydell/node-pty'
import { type Cell, openCells } from './cells.ts'

const { spawn } = createRequire(import.meta.url)('@lydell/node-pty') as typeof import('@lydell/node-pty')

export type PtyOptions = {
  /** Node, if nothing else is named. */
  program?: string
  args: readonly string[]
  cwd: string
  /** The whole environment besides PATH, TERM and a UTF-8 locale. */
  env?: Readonly<Record<string, string>>
  columns?: number
  rows?: number
  /** Who runs it; without it, who runs this. */
  user?: { uid?: number; gid?: number }
}

/** A program running in a real terminal that nobody sees. */
export type PtyProgram = {
  /** Waits until the screen holds the text; throws with the screen as it is after `timeoutMs`. */
  waitFor(wanted: string | RegExp, timeoutMs?: number): Promise<void>
  /** Sends keys as one chunk. */
  press(keys: string): void
  /** The visible rows, without blanks at their ends. */
  screen(): string[]
  cells(): Cell[][]
  resize(size: { columns: number; rows: number }): void
  /** Everything the program wrote, control sequences included. */
  written(): string
  /** Settles with the exit code or the signal that ended the program. */
  exit: Promise<{ exitCode: number; signal: number | undefined }>
  pid: number
  kill(signal?: string): void
}

/** Around each frame that a program draws (synchronized output): between the two the screen is half of two frames. */
const FRAME_BEGINS = '\u001b[?2026h'
const FRAME_ENDS = '\u001b[?2026l'

const WAIT_MS = 60_000

/** Starts a program in a pty of the given size. */
export function startProgram(options: PtyOptions): PtyProgram {
  const size = { columns: options.columns ?? 80, rows: options.rows ?? 24 }
  const cells = openCells(size)
  const child = spawn(options.program ?? process.execPath, [...options.args], {
    name: options.env?.TERM ?? 'xterm-256color',
    cols: size.columns,
    rows: size.rows,
    cwd: options.cwd,
    ...options.user,
    env: {
      PATH: process.env.PATH ?? '',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      COLORTERM: '',
      ...options.env,
    },
  })
  let written = ''
  const watchers = new Set<() => void>()
  const isWhole = () => written.lastIndexOf(FRAME_BEGINS) <= written.lastIndexOf(FRAME_ENDS)
  child.onData((text) => {
    written += text
    void cells.write(text).then(() => {
      if (isWhole()) for (const watch of watchers) watch()
    })
  })
  const exit = exitOf(child)
  return {
    waitFor: (wanted, timeoutMs = WAIT_MS) =>
      waitForScreen({ wanted, timeoutMs, cells, isWhole, watchers, exit }),
    press: (keys) => child.write(keys),
    screen: () => cells.lines(),
    cells: () => cells.cells(),
    resize(next) {
      cells.resize(next)
      child.resize(next.columns, next.rows)
    },
    written: () => written,
    exit,
    pid: child.pid,
    kill: (signal) => child.kill(signal),
  }
}

function exitOf(child: IPty): PtyProgram['exit'] {
  return new Promise((resolve) => {
    child.onExit(({ exitCode, signal }) => resolve({ exitCode, signal: signal === 0 ? undefined : signal }))
  })
}

function waitForScreen(input: {
  wanted: string | RegExp
  timeoutMs: number
  cells: { lines(): string[] }
  isWhole: () => boolean
  watchers: Set<() => void>
  exit: PtyProgram['exit']
}): Promise<void> {
  const { wanted, timeoutMs, cells, isWhole, watchers, exit } = input
  const screen = (): string => cells.lines().join('\n')
  const isThere = (): boolean =>
    typeof wanted === 'string' ? screen().includes(wanted) : wanted.test(screen())
  if (isWhole() && isThere()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const settle = (problem: string | undefined): void => {
      clearTimeout(timer)
      watchers.delete(watch)
      if (problem === undefined) resolve()
      else reject(new Error(`${problem} while waiting for ${String(wanted)}; the screen:\n${screen()}`))
    }
    const watch = (): void => {
      if (isThere()) settle(undefined)
    }
    const timer = setTimeout(() => settle(`${timeoutMs} ms passed`), timeoutMs)
    watchers.add(watch)
    void exit.then(() => settle(isThere() ? undefined : 'the program ended'))
  })
}
