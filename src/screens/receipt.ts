import { drawable, longValueLines, padRight } from './ui/text.ts'

/** What stays in the terminal's history when the screens are gone. */
export type ReceiptView = {
  /** One sentence: how far it came. */
  title: string
  rows: readonly { label: string; value: string }[]
  /** What the user can do next, e.g. how to come back. */
  next: readonly string[]
}

const LABEL = 14
const COLUMNS = 78

/** The summary as plain lines of at most 78 cells; values are whole, hex in groups of four. */
export function receiptLines(receipt: ReceiptView, plain: (text: string) => string): string[] {
  const rows = receipt.rows.flatMap(({ label, value }) =>
    longValueLines(value, COLUMNS - LABEL - 3).map(
      (text, index) => `  ${padRight(index === 0 ? drawable(label) : '', LABEL)} ${text}`,
    ),
  )
  const next = receipt.next.map((text) => `  ${drawable(text)}`)
  return [drawable(receipt.title), ...rows, ...(next.length > 0 ? ['', ...next] : [])].map(plain)
}
