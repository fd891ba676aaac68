import { expect, test } from 'vitest'
import type { Problem } from '../../../src/core/steps/view.ts'
import { problemLines } from '../../../src/screens/ui/problem.ts'

const titleOf = (title: string): string => {
  const problem: Problem = { title, money: 'untouched', values: [], lines: [], next: [] }
  return (problemLines(problem, 80)[0] ?? []).map(({ text }) => text).join('')
}

test.each([
  ['The place was lost.', ' Stop: The place was lost. '],
  ['Stop: this key is registered already.', ' Stop: this key is registered already. '],
  ['Closed: the registration is not proven.', ' Closed: the registration is not proven. '],
])('a problem says once that it stops: %s', (title, begins) => {
  expect(titleOf(title).startsWith(begins)).toBe(true)
})
