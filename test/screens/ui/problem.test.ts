import { expect, test } from 'vitest'
import type { Problem } from '../../../src/core/view/view.ts'
import { problemLines } from '../../../src/screens/ui/panels.ts'

const titleOf = (kind: Problem['kind'], title: string): string => {
  const problem: Problem = { id: 'x', kind, title, money: 'untouched', values: [], lines: [], next: [] }
  return (problemLines(problem, 80)[0] ?? []).map(({ text }) => text).join('')
}

test.each<[Problem['kind'], string, string]>([
  ['event', 'The place was lost.', ' Stop: The place was lost. '],
  ['stop', 'Stop: this key is registered already.', ' Stop: this key is registered already. '],
  ['closed', 'Closed: the registration is not proven.', ' Closed: the registration is not proven. '],
  ['warning', 'You drop out of the active set.', ' You drop out of the active set. '],
])('a problem says once that it stops: %s, %s', (kind, title, begins) => {
  expect(titleOf(kind, title).startsWith(begins)).toBe(true)
})

test('how a sentence begins does not say whether it stops', () => {
  const title = 'You may not read this folder.'
  expect(titleOf('event', title).startsWith(` Stop: ${title}`)).toBe(true)
  expect(titleOf('warning', '你将在纪元 12 离开活跃集。')).toMatch(/^ 你将在纪元/)
})
