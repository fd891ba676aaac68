import { Text } from 'ink'
import { render } from 'ink-testing-library'
import { expect, test } from 'vitest'
import type { TextEdit } from '../../src/core/base/format/edit-text.ts'
import { useFieldText } from '../../src/hooks/text-editor.tsx'

/** The text of a field that asks for so many hex digits, after these edits. */
async function textAfter(hexDigits: number | undefined, ...edits: TextEdit[]): Promise<string | undefined> {
  let edit: (edit: TextEdit) => void = () => undefined
  const Field = () => {
    const field = useFieldText('again', '', { proposed: '', hexDigits })
    edit = field.edit
    return <Text>[{field.text}]</Text>
  }
  const { lastFrame, unmount } = render(<Field />)
  for (const each of edits) {
    edit(each)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const shown = lastFrame()
  unmount()
  return shown
}
const typed = (text: string): TextEdit[] => [...text].map((letter) => ({ kind: 'insert', text: letter }))

test('a field for eight hex digits takes them and nothing else', async () => {
  expect(await textAfter(8, ...typed('9a9b xyz! cc3D0123456789'))).toBe('[9a9bcc3D]')
  expect(await textAfter(8, ...typed('9a9b cc3d'))).toBe('[9a9bcc3d]')
})

test('it keeps a paste as it is, so that what is wrong with it is said', async () => {
  expect(await textAfter(8, { kind: 'paste', text: '0x78CDeB3AFc' })).toBe('[0x78CDeB3AFc]')
})

test('other fields take every letter', async () => {
  expect(await textAfter(undefined, ...typed('xyz 0123456789'))).toBe('[xyz 0123456789]')
})
