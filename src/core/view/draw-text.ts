import { cellsOf, isDrawable, takeCells, wrapText } from '../base/format/drawable.ts'
import type { EditedText } from '../base/format/edit-text.ts'
import type { PermissionTable } from './view.ts'

const MARK = /\p{M}/gu
/** A space behind a wide mark that has its own room: sentences are joined by one, whatever their language. */
const SPACE_BEHIND_WIDE = /(?<=[\u3002\uff01\uff09\uff0c\uff1a\uff1b\uff1f]) (?=[\u4e00-\u9fff])/gu

/**
 * Text of which every terminal takes the same number of cells: letters that most terminals draw differently,
 * from emoji to right-to-left scripts, become `·`. The last boundary before the screen.
 */
export function drawable(text: string): string {
  let out = ''
  for (const character of text.normalize('NFC').replace(MARK, '')) {
    out += isDrawable(character) ? character : '·'
  }
  return out.replace(SPACE_BEHIND_WIDE, '')
}

/** Drawable text cut to `cells`, its end replaced by `…` when something is left out. */
export function cutText(text: string, cells: number): string {
  return cellsOf(text) <= cells ? text : `${takeCells(text, Math.max(0, cells - 1))}${cells > 0 ? '…' : ''}`
}

/** Returns which key keeps or brings back the text that a field proposes; goes behind the hint. */
export function keepsWords({
  text,
  fresh = false,
  proposed = '',
}: Partial<EditedText> & { text: string }): string {
  if (text === '') return proposed === '' ? '' : ' · Ctrl-U brings the proposed one back'
  return fresh ? ' · Enter keeps it' : ''
}

const HEX = /^0x[0-9a-fA-F·]+$/
/** The same, in groups already. */
const GROUPED = /^0x[0-9a-fA-F·]{4}(?: [0-9a-fA-F·]{4})+$/
const GROUP = 4

/**
 * Returns a long value shown whole: hex in groups of four digits, on one line or in even lines of a multiple of
 * four groups within `cells`, continued under its first digit; anything else between words, or at the edge.
 */
export function longValueLines(value: string, cells: number): string[] {
  const joined = GROUPED.test(value) ? value.replaceAll(' ', '') : value
  if (!HEX.test(joined)) return wrapText(drawable(value), cells)
  const groups = joined.slice(2).match(/.{1,4}/g) ?? []
  const room = Math.max(1, Math.floor((cells - 2 + 1) / (GROUP + 1)))
  const perLine = groupsPerLine(groups.length, room)
  const lines: string[] = []
  for (let from = 0; from < groups.length; from += perLine) {
    lines.push(`${from === 0 ? '0x' : '  '}${groups.slice(from, from + perLine).join(' ')}`)
  }
  return lines
}

function groupsPerLine(groups: number, room: number): number {
  if (room < GROUP || groups <= room) return room
  const lines = Math.ceil(groups / (room - (room % GROUP)))
  return Math.ceil(groups / lines / GROUP) * GROUP
}

const GWEI_PER_TOKEN = 1_000_000_000n

/** Gwei as tokens with every digit that matters, thousands apart. */
export function stakeText(stakeGwei: bigint): string {
  const whole = (stakeGwei / GWEI_PER_TOKEN).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (stakeGwei % GWEI_PER_TOKEN).toString().padStart(9, '0').replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Returns what a picture says of each column, in sentences; what a column has not is left out. */
export function sentencesOf({ columns, rows }: PermissionTable): { name: string; sentences: string[] }[] {
  return columns.map((name, at) => ({
    name,
    sentences: rows.flatMap(({ label, cells }) => {
      const text = cells[at]?.text ?? ''
      return text === '' ? [] : [`${label}: ${text}`]
    }),
  }))
}
