import { type Key, useInput, usePaste } from 'ink'
import { useState } from 'react'
import { type EditedText, editText, freshText, type TextEdit, wipedText } from '../core/format/edit-text.ts'

/** The text of the field that has the cursor: one line of what every terminal draws alike. */
export type FieldText = {
  text: string
  /** How many characters stand in front of the cursor. */
  cursor: number
  /** Not edited yet: what is typed takes its place. */
  fresh?: boolean
  /** Why the text was wiped: it may have been a secret. */
  wiped?: string
}

type Draft = EditedText & { fieldId: string | undefined }

/**
 * Holds the text of the field `fieldId` while it has the cursor, beginning anew with `initial` whenever another
 * field gets it. What is typed or pasted replaces an untouched beginning, else it goes in at the cursor; arrows, Home
 * and End move the cursor and keep the text; Ctrl-U empties the field. While it is not active its text is kept. `wipe`
 * leaves nothing of a text that may be a secret; a pasted one never comes in.
 */
export function useFieldText(
  fieldId: string | undefined,
  initial: string,
  { isActive = true }: { isActive?: boolean } = {},
): FieldText & { wipe(): void } {
  const [kept, setDraft] = useState<Draft>(() => ({ fieldId, ...freshText(initial) }))
  const draft = kept.fieldId === fieldId ? kept : { fieldId, ...freshText(initial) }
  if (draft !== kept) setDraft(draft)
  useTextEdits((edit) => setDraft((before) => ({ fieldId: before.fieldId, ...editText(before, edit) })), {
    isActive: isActive && fieldId !== undefined,
  })
  return {
    ...draft,
    wipe: () => setDraft((before) => ({ fieldId: before.fieldId, ...(wipedText(before.text) ?? before) })),
  }
}

/** Listens to the keys and pastes that edit a text. */
export function useTextEdits(change: (edit: TextEdit) => void, options: { isActive: boolean }): void {
  usePaste((pasted) => change({ kind: 'paste', text: pasted.trim() }), options)
  useInput((input, key) => {
    const edit = editOf(input, key)
    if (edit !== undefined) change(edit)
  }, options)
}

function editOf(input: string, key: Key): TextEdit | undefined {
  if (key.leftArrow) return { kind: 'left' }
  if (key.rightArrow) return { kind: 'right' }
  if (key.home) return { kind: 'home' }
  if (key.end) return { kind: 'end' }
  if (key.backspace) return { kind: 'rub' }
  if (key.delete) return { kind: 'rubAhead' }
  if (key.ctrl) return input === 'u' ? { kind: 'empty' } : undefined
  if (key.meta || key.return || key.tab || key.upArrow || key.downArrow || input === '') return undefined
  return { kind: 'insert', text: input }
}
