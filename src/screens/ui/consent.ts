import { sentLines } from '../../core/view/desk-words.ts'
import type { Consent } from '../../core/view/view.ts'
import { keyedRows, paragraph, type ScreenLine, type ScreenRow } from './line.ts'

/** Returns what stands above the word, whatever of the rows has room; the worst case stands in the money band. */
export function consentRows(consent: Consent, columns: number): ScreenRow[] {
  const { undo, stake } = consent
  const lines: ScreenLine[] = [
    ...paragraph(undo, { columns, tone: 'warn' }),
    ...paragraph(stake, { columns, tone: 'warn' }),
    ...sentLines(consent).flatMap((text) => paragraph(text, { columns })),
  ]
  return keyedRows('consent', lines)
}
