import { describe, expect, test } from 'vitest'
import { cellsOf } from '../../../src/core/base/format/drawable.ts'
import { shellLines } from '../../../src/core/base/format/shell-lines.ts'
import type { Problem } from '../../../src/core/view/view.ts'
import { makeTheme } from '../../../src/screens/theme.tsx'
import { verdictLines } from '../../../src/screens/ui/Frame.tsx'
import { lineCells, type ScreenLine } from '../../../src/screens/ui/line.ts'
import { problemLines } from '../../../src/screens/ui/panels.ts'

const theme = makeTheme({ ascii: false, colours: false })
const textOf = (line: ScreenLine | undefined) => (line ?? []).map(({ text }) => text).join('')

describe('letters of two cells', () => {
  test('count as two where a command is cut into lines', () => {
    const lines = shellLines('追加质押可扩大余量： bearings --validator 0x00 --network mainnet', 40)
    expect(lines.every((line) => cellsOf(line) <= 40)).toBe(true)
    expect(lines.length).toBeGreaterThan(1)
  })

  test('count as two where a verdict is cut', () => {
    const lines = verdictLines({ mark: 'unknown', text: '未知'.repeat(60) }, 40, theme)
    expect(lines.map(lineCells).every((cells) => cells <= 40)).toBe(true)
    expect(textOf(lines.at(-1))).toMatch(/ …$/)
  })
})

describe('the title of what stops', () => {
  const shape = { id: 'x', money: 'untouched', values: [], lines: [], next: [] } as const
  test.each<[Problem['kind'], string, string]>([
    ['stop', 'Stop: these two roots are different.', 'Stop: these two roots are different.'],
    ['closed', 'Closed: the registration is not proven.', 'Closed: the registration is not proven.'],
    ['warning', 'You drop out of the active set.', 'You drop out of the active set.'],
    ['event', 'Your node does not answer.', 'Stop: Your node does not answer.'],
  ])('%s: %s', (kind, title, shown) => {
    expect(textOf(problemLines({ ...shape, kind, title }, 80)[0])).toContain(` ${shown} `)
  })
})
