import { STEP_TEXT } from './text.ts'
import type { FactRow, Mark, Verdict } from './view.ts'

const withMark = (rows: readonly FactRow[], ...marks: readonly Mark[]): readonly FactRow[] =>
  rows.filter(({ mark }) => marks.includes(mark))

function reasonOf({ label, value, reason }: FactRow): string {
  const text = reason ?? (value === '' ? label : `${label}: ${value}`)
  return text.replace(/[.。]$/, '')
}

/**
 * What the rows of a gate come to, the worst first: a refusal with its words, then what is not known, then what is still
 * being asked. Only an open gate is good. Advice closes nothing, and what need not be asked counts only while nothing else
 * keeps the gate shut. A shut gate names what to do, and an amount stands in it with every digit.
 */
export function rowsVerdict(all: readonly FactRow[], gate: { isOpen: boolean; good: string }): Verdict {
  if (gate.isOpen) return { mark: 'proven', text: gate.good }
  const rows = all.filter(({ advice }) => advice !== true)
  const decide = withMark(rows, 'proven', 'refused', 'unknown', 'asking').length
  const asking = withMark(rows, 'asking').length
  const worst = (mark: 'refused' | 'unknown'): Verdict | undefined => {
    const [first, ...others] = withMark(rows, mark)
    if (first === undefined) return undefined
    const text = STEP_TEXT.verdict[mark](others.length + 1, decide, reasonOf(first))
    return { mark, text, next: first.next ?? STEP_TEXT.verdict.askAgain }
  }
  return (
    worst('refused') ??
    (asking > 0 ? { mark: 'asking', text: STEP_TEXT.verdict.asking(asking, decide) } : undefined) ??
    worst('unknown') ?? { mark: 'unasked', text: STEP_TEXT.verdict.unasked }
  )
}

/** How many rows are proven. */
export const provenCount = (rows: readonly FactRow[]): number => withMark(rows, 'proven').length
