import { createRequire } from 'node:module'
import type { Terminal as XtermTerminal } from '@xterm/headless'

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as {
  Terminal: new (options: {
    cols: number
    rows: number
    allowProposedApi: boolean
    convertEol: boolean
    scrollback: number
  }) => XtermTerminal
}

/** One cell of a terminal's screen. Colours are palette numbers, or undefined for the terminal's own. */
export type Cell = {
  text: string
  foreground: number | undefined
  background: number | undefined
  bold: boolean
  dim: boolean
  inverse: boolean
}

/** A terminal without a window: takes what a program writes, gives what a person would see. */
export type CellTerminal = {
  write(text: string): Promise<void>
  resize(size: { columns: number; rows: number }): void
  /** The visible rows, without blanks at their ends. */
  lines(): string[]
  cells(): Cell[][]
  /** Where the terminal's own cursor stands; undefined while it is hidden. */
  cursor(): { x: number; y: number } | undefined
  dispose(): void
}

/** The mode of a terminal that shows its cursor. */
const CURSOR_MODE = 25

/** Opens such a terminal. */
export function openCells(size: { columns: number; rows: number }): CellTerminal {
  const terminal = new Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    convertEol: true,
    scrollback: 500,
  })
  let isHidden = false
  for (const final of ['h', 'l'])
    terminal.parser.registerCsiHandler({ prefix: '?', final }, (modes) => {
      if (modes.includes(CURSOR_MODE)) isHidden = final === 'l'
      return false
    })
  const row = (index: number) => terminal.buffer.active.getLine(terminal.buffer.active.viewportY + index)
  const indexes = () => Array.from({ length: terminal.rows }, (_, index) => index)
  return {
    write: (text) => new Promise((resolve) => terminal.write(text, resolve)),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    lines: () => indexes().map((index) => (row(index)?.translateToString(true) ?? '').trimEnd()),
    cells: () => indexes().map((index) => cellsOf(row(index), terminal.cols)),
    cursor: () =>
      isHidden ? undefined : { x: terminal.buffer.active.cursorX, y: terminal.buffer.active.cursorY },
    dispose: () => terminal.dispose(),
  }
}

type BufferLine = NonNullable<ReturnType<XtermTerminal['buffer']['active']['getLine']>>

function cellsOf(line: BufferLine | undefined, columns: number): Cell[] {
  return Array.from({ length: columns }, (_, x) => {
    const cell = line?.getCell(x)
    return {
      text: cell?.getChars() ?? '',
      foreground: cell === undefined || cell.isFgDefault() ? undefined : cell.getFgColor(),
      background: cell === undefined || cell.isBgDefault() ? undefined : cell.getBgColor(),
      bold: cell !== undefined && cell.isBold() !== 0,
      dim: cell !== undefined && cell.isDim() !== 0,
      inverse: cell !== undefined && cell.isInverse() !== 0,
    }
  })
}
