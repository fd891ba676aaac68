import type { FactRow, Mark } from './view.ts'

/**
 * A step in one line, from the same rows and the same gate that decide whether it goes on; `next` is what to do where the
 * gate is shut.
 */
export type Verdict = { mark: Mark; text: string; next?: string }

const countOf = (rows: readonly FactRow[], ...marks: readonly Mark[]): readonly FactRow[] =>
  rows.filter(({ mark }) => marks.includes(mark))

function wordsOf({ label, value, reason }: FactRow): string {
  const words = reason ?? (value === '' ? label : `${label}: ${value}`)
  return words.replace(/\.$/, '')
}

/** What helps where no row says it. */
const ASK_AGAIN = 'r asks again'

/**
 * What the rows of a gate come to, the worst first: a refusal with its words, then what is not known, then what is still
 * being asked. Only an open gate is good. Advice closes nothing, and what need not be asked counts only while nothing else
 * keeps the gate shut. A shut gate names what to do, and an amount stands in it with every digit.
 */
export function verdictOf(all: readonly FactRow[], gate: { isOpen: boolean; good: string }): Verdict {
  if (gate.isOpen) return { mark: 'proven', text: gate.good }
  const rows = all.filter(({ advice }) => advice !== true)
  const decide = countOf(rows, 'proven', 'refused', 'unknown', 'asking').length
  const [refused, ...more] = countOf(rows, 'refused')
  if (refused !== undefined) {
    const how = more.length === 0 ? 'refuses' : 'refuse'
    return {
      mark: 'refused',
      text: `${more.length + 1} of ${decide} checks ${how}: ${wordsOf(refused)}.`,
      next: refused.next ?? ASK_AGAIN,
    }
  }
  const asking = countOf(rows, 'asking').length
  if (asking > 0) return { mark: 'asking', text: `${asking} of ${decide} checks not answered yet.` }
  const [unknown, ...others] = countOf(rows, 'unknown')
  if (unknown !== undefined) {
    const how = others.length === 0 ? 'is' : 'are'
    return {
      mark: 'unknown',
      text: `${others.length + 1} of ${decide} checks ${how} not known: ${wordsOf(unknown)}.`,
      next: unknown.next ?? ASK_AGAIN,
    }
  }
  return { mark: 'unasked', text: 'Not everything that this step needs has been asked yet.' }
}

/** How many rows are proven. */
export const provenCount = (rows: readonly FactRow[]): number => countOf(rows, 'proven').length
