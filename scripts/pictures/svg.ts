import { isWide } from '../../src/core/base/format/drawable.ts'
import type { Cell } from '../../test/support/cells.ts'

const CELL_WIDTH = 8.4
const CELL_HEIGHT = 18
const FONT_SIZE = 14
const PADDING = 14
const BASELINE = 13
const GROUND = '#16181d'
const INK = '#d7dae0'
const DIM = '#868c98'

/** The first sixteen colours of the palette, dark theme. */
const PALETTE = [
  '#16181d',
  '#e5555d',
  '#8ac26a',
  '#e0b35a',
  '#5c9ded',
  '#bd7de0',
  '#4fb8c4',
  '#d7dae0',
  '#5b616e',
  '#f1757c',
  '#a3d786',
  '#f0c876',
  '#82b6f5',
  '#d09bec',
  '#78d0da',
  '#ffffff',
] as const

type Style = { fill: string; back: string; bold: boolean }
type Piece = Style & { x: number; y: number; text: string; cells: number }

type Screen = readonly (readonly Cell[])[]

/** Each screen of a moving picture stands for so long. */
const FRAME_SECONDS = 4

/** A picture of a terminal's screen: one text element for each run of cells that look the same. */
export function svgOf(screen: Screen, title: string): string {
  return framed([screen], title, elementsOf(screen))
}

/** One screen after another, each for some seconds, for ever. */
export function filmOf(screens: readonly Screen[], title: string): string {
  const seconds = FRAME_SECONDS * screens.length
  const shown = round(100 / screens.length)
  const style = `<style>.f{visibility:hidden;animation:f ${seconds}s step-end infinite}@keyframes f{0%{visibility:visible}${shown}%{visibility:hidden}}</style>`
  const groups = screens.map(
    (screen, at) =>
      `<g class="f" style="animation-delay:${at * FRAME_SECONDS}s">${elementsOf(screen).join('')}</g>`,
  )
  return framed(screens, title, [style, ...groups])
}

function framed(screens: readonly Screen[], title: string, body: readonly string[]): string {
  const columns = screens[0]?.[0]?.length ?? 0
  const width = Math.round(columns * CELL_WIDTH + 2 * PADDING)
  const height = (screens[0]?.length ?? 0) * CELL_HEIGHT + 2 * PADDING
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" style="white-space:pre" xml:space="preserve">`,
    ...body,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

const elementsOf = (screen: Screen): string[] =>
  screen.flatMap((row, y) => piecesOf(row, y)).flatMap((piece) => [...backOf(piece), ...textOf(piece)])

function piecesOf(row: readonly Cell[], y: number): Piece[] {
  const pieces: Piece[] = []
  row.forEach((cell, x) => {
    const style = styleOf(cell)
    const last = pieces.at(-1)
    // Behind a wide letter stands an empty cell, which is its second half.
    const blank = isWide(row[x - 1]?.text ?? '') ? '' : ' '
    const text = cell.text === '' ? blank : cell.text
    const same =
      last !== undefined && last.fill === style.fill && last.back === style.back && last.bold === style.bold
    if (same) {
      last.text += text
      last.cells += 1
    } else pieces.push({ ...style, x, y, text, cells: 1 })
  })
  return pieces
}

function styleOf(cell: Cell): Style {
  const fore = cell.foreground === undefined ? plainInk(cell) : (PALETTE[cell.foreground] ?? INK)
  const back = cell.background === undefined ? GROUND : (PALETTE[cell.background] ?? GROUND)
  return cell.inverse ? { fill: back, back: fore, bold: cell.bold } : { fill: fore, back, bold: cell.bold }
}

function plainInk(cell: Cell): string {
  return cell.dim ? DIM : INK
}

function backOf({ x, y, cells, back }: Piece): string[] {
  if (back === GROUND) return []
  return [
    `<rect x="${at(x)}" y="${PADDING + y * CELL_HEIGHT}" width="${round(cells * CELL_WIDTH)}" height="${CELL_HEIGHT}" fill="${back}"/>`,
  ]
}

function textOf(piece: Piece): string[] {
  const lead = piece.text.length - piece.text.trimStart().length
  const text = piece.text.trim()
  if (text === '') return []
  const weight = piece.bold ? ' font-weight="bold"' : ''
  const length = round([...text].length * CELL_WIDTH)
  const y = PADDING + piece.y * CELL_HEIGHT + BASELINE
  return [
    `<text x="${at(piece.x + lead)}" y="${y}" fill="${piece.fill}"${weight} textLength="${length}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`,
  ]
}

const round = (value: number): number => Math.round(value * 100) / 100
const at = (x: number): number => round(PADDING + x * CELL_WIDTH)
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
