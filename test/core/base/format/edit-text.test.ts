import { describe, expect, test } from 'vitest'
import { editText, freshText, type TextEdit } from '../../../../src/core/base/format/edit-text.ts'

const typed = (text: string): TextEdit[] => [...text].map((letter) => ({ kind: 'insert', text: letter }))
const EMPTY: TextEdit = { kind: 'empty' }
const edited = (edits: readonly TextEdit[], initial = '0xab', proposed?: string) =>
  edits.reduce(editText, freshText(initial, proposed))

describe('emptying a text', () => {
  test('leaves nothing, and in an empty one brings back what was proposed', () => {
    expect(edited([EMPTY])).toMatchObject({ text: '', cursor: 0 })
    expect(edited([EMPTY, EMPTY])).toMatchObject({ text: '0xab', cursor: 4, fresh: true })
    expect(edited([...typed('0xcd'), { kind: 'left' }, EMPTY, EMPTY])).toMatchObject({ text: '0xab' })
  })

  test('brings back the proposed one, where the text began with another one', () => {
    expect(edited([EMPTY], '', '0xab')).toMatchObject({ text: '0xab', fresh: true })
  })

  test('that was pasted into brings it back, too', () => {
    expect(edited([{ kind: 'paste', text: 'x' }, EMPTY, EMPTY])).toMatchObject({ text: '0xab' })
  })

  test('leaves an empty text where nothing was proposed', () => {
    expect(edited([EMPTY, EMPTY], '')).toMatchObject({ text: '', fresh: false })
  })
})
