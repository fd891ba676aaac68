import type { MoneyBand } from '../../core/steps/view.ts'
import type { KeyHelp } from '../../hooks/keymap.ts'
import { type Line, lineCells, type Run, run } from './line.ts'
import { drawable, wrapText } from './text.ts'

const MONEY = ' Money   '

/** The money band: never cut, never empty. In a low window only what has left the wallet, and what the next key may send. */
export function moneyLines(money: MoneyBand, columns: number, { both }: { both: boolean }): Line[] {
  const room = Math.max(1, columns - MONEY.length - 1)
  const lines = (both ? [money.line, money.worst] : [money.line]).flatMap((text) =>
    wrapText(drawable(text), room),
  )
  return lines.map(
    (text, index): Line => [run(index === 0 ? MONEY : ' '.repeat(MONEY.length), 'strong'), run(text)],
  )
}

/** The line of keys: closer together when that saves a row, else over as many rows as it takes. */
export function keyLines(keys: readonly KeyHelp[], columns: number): Line[] {
  const wide = keyLinesWith('   ', keys, columns)
  const close = keyLinesWith('  ', keys, columns)
  return close.length < wide.length ? close : wide
}

function keyLinesWith(gap: string, keys: readonly KeyHelp[], columns: number): Line[] {
  const lines: Run[][] = [[]]
  for (const { keys: names, label } of keys) {
    const entry = [run(names, 'accent'), run(label === '' ? '' : ` ${label}`)]
    const current = lines.at(-1) ?? []
    const lead = run(current.length === 0 ? ' ' : gap)
    if (current.length > 0 && lineCells(current) + lineCells([lead, ...entry]) > columns) {
      lines.push([run(' '), ...entry])
      continue
    }
    current.push(lead, ...entry)
  }
  return lines
}
