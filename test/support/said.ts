import { type Next, nextText } from '../../src/core/base/format/next.ts'
import type { Problem, Verdict } from '../../src/core/view/view.ts'

/** What to do next as a screen says it. */
export const saidNext = (steps: readonly Next[]): string[] => steps.map((step) => nextText(step))

/** A problem with what to do next as a screen says it. */
export function saidProblem(
  problem: Problem | undefined,
): (Omit<Problem, 'next'> & { next: string[] }) | undefined {
  return problem && { ...problem, next: saidNext(problem.next) }
}

/** A verdict with what to do next as a screen says it. */
export function saidVerdict(
  verdict: Verdict | undefined,
): (Omit<Verdict, 'next'> & { next?: string }) | undefined {
  if (verdict === undefined) return undefined
  const { next, ...rest } = verdict
  return next === undefined ? rest : { ...rest, next: nextText(next) }
}
