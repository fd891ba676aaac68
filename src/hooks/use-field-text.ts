import { type Key, useInput, usePaste } from 'ink'
import { useState } from 'react'
import { onlyDrawable } from '../core/format/drawable.ts'

const MAX_CHARACTERS = 20_000

/** The text of the field that has the cursor: one line of what every terminal draws alike. */
export type FieldText = {
  text: string
  /** How many characters stand in front of the cursor. */
  cursor: number
}

type Draft = FieldText & { fieldId: string | undefined; touched: boolean }

/** What a key or a paste does to a field's text. */
type Edit = { kind: 'insert' | 'paste'; text: string } | { kind: 'left' | 'right' | 'rub' | 'empty' }

/**
 * Holds the text of the field `fieldId` while it has the cursor, beginning anew with `initial` whenever another
 * field gets it. A paste replaces an untouched beginning, else it goes in at the cursor; Ctrl-U empties the field.
 */
export function useFieldText(fieldId: string | undefined, initial: string): FieldText {
  const [kept, setDraft] = useState(() => freshDraft(fieldId, initial))
  const draft = kept.fieldId === fieldId ? kept : freshDraft(fieldId, initial)
  if (draft !== kept) setDraft(draft)
  const isActive = fieldId !== undefined
  const change = (edit: Edit): void =>
    setDraft((before) => ({ ...before, ...edited(before, edit), touched: true }))
  usePaste((pasted) => change({ kind: 'paste', text: pasted.trim() }), { isActive })
  useInput(
    (input, key) => {
      const edit = editOf(input, key)
      if (edit !== undefined) change(edit)
    },
    { isActive },
  )
  return draft
}

function freshDraft(fieldId: string | undefined, initial: string): Draft {
  const text = onlyDrawable(initial).slice(0, MAX_CHARACTERS)
  return { fieldId, text, cursor: text.length, touched: false }
}

/** The text and the cursor after an edit. Every character is one unit, so that the cursor counts what is seen. */
function edited({ text, cursor, touched }: Draft, edit: Edit): FieldText {
  switch (edit.kind) {
    case 'left':
      return { text, cursor: Math.max(0, cursor - 1) }
    case 'right':
      return { text, cursor: Math.min(text.length, cursor + 1) }
    case 'rub':
      return {
        text: text.slice(0, Math.max(0, cursor - 1)) + text.slice(cursor),
        cursor: Math.max(0, cursor - 1),
      }
    case 'empty':
      return { text: '', cursor: 0 }
    case 'paste':
      return touched ? inserted({ text, cursor }, edit.text) : inserted({ text: '', cursor: 0 }, edit.text)
    case 'insert':
      return inserted({ text, cursor }, edit.text)
  }
}

function inserted({ text, cursor }: FieldText, more: string): FieldText {
  const added = onlyDrawable(more).slice(0, MAX_CHARACTERS - text.length)
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

function editOf(input: string, key: Key): Edit | undefined {
  if (key.leftArrow) return { kind: 'left' }
  if (key.rightArrow) return { kind: 'right' }
  if (key.backspace || key.delete) return { kind: 'rub' }
  if (key.ctrl) return input === 'u' ? { kind: 'empty' } : undefined
  if (key.return || key.tab || key.upArrow || key.downArrow || input === '') return undefined
  return { kind: 'insert', text: input }
}
