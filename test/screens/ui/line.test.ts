import { expect, test } from 'vitest'
import { keyedRows, line, scrollWindow } from '../../../src/screens/ui/line.ts'

/** Parts of so many lines each, one of which is chosen. */
const content = (heights: readonly number[], chosen: number) =>
  heights.flatMap((height, part) =>
    keyedRows(
      `part.${part}`,
      Array.from({ length: height }, (_, at) => line(`${part}.${at}`)),
      { focused: part === chosen },
    ),
  )

test('a page that follows what is chosen begins at the beginning of a part', () => {
  const { rows, top } = scrollWindow(content([3, 3, 3, 2, 4], 3), 9, 'follow')
  expect(top).toBe(6)
  expect(rows.map(({ key }) => key)).toContain('part.3.1')
  expect(scrollWindow(content([3, 3, 3, 2, 4], 0), 9, 'follow').top).toBe(0)
})
