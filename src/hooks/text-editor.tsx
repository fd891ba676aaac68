import { Box, type Key, useInput, usePaste } from 'ink'
import TextInput from 'ink-text-input'
import { useRef, useState } from 'react'
import {
  type EditedText,
  editText,
  freshText,
  type TextEdit,
  wipedText,
} from '../core/base/format/edit-text.ts'

type TextEditorProps = {
  edited: Pick<EditedText, 'text' | 'cursor'>
  change: (edit: TextEdit) => void
}

/**
 * Edits a text by the keys of ink-text-input, one key a turn: what it makes of the text in front of the cursor is the
 * edit. Keys that it does not know or takes for others never change the text through it: the arrows, Home, End, Delete,
 * Ctrl-U, pastes, and keys with Ctrl or Alt. An input lives for one turn: it counts its own place, and that is right only
 * while the text is the one that it made. It draws nothing, since where its text ends on the terminal is not known.
 */
export function TextEditor({ edited: { text, cursor }, change }: TextEditorProps) {
  const [turn, setTurn] = useState(0)
  const isOurs = useRef(false)
  const before = text.slice(0, cursor)
  const hear = (ours: boolean, edit: TextEdit | undefined): void => {
    isOurs.current = ours
    setTurn((last) => last + 1)
    if (edit !== undefined) change(edit)
  }
  const typed = (next: string): void => {
    if (isOurs.current) return
    change(
      next.length < before.length ? { kind: 'rub' } : { kind: 'insert', text: next.slice(before.length) },
    )
  }
  return (
    <Box display="none">
      <OtherKeys hear={hear} />
      <TextInput key={`${turn} ${before}`} value={before} showCursor={false} onChange={typed} />
    </Box>
  )
}

/** Hears every key and paste before the input does: whether it is not for the input, and what it does then. */
function OtherKeys({ hear }: { hear: (ours: boolean, edit: TextEdit | undefined) => void }) {
  usePaste((pasted) => hear(true, { kind: 'paste', text: pasted.trim() }))
  useInput((input, key) => hear(!isForInput(input, key), otherEdit(input, key)))
  return undefined
}

/** Backspace and whatever has a text. */
function isForInput(input: string, key: Key): boolean {
  return key.backspace || !(key.delete || key.ctrl || key.meta || key.return || key.tab || input === '')
}

function otherEdit(input: string, key: Key): TextEdit | undefined {
  if (key.leftArrow) return { kind: 'left' }
  if (key.rightArrow) return { kind: 'right' }
  if (key.home) return { kind: 'home' }
  if (key.end) return { kind: 'end' }
  if (key.delete) return { kind: 'rubAhead' }
  return key.ctrl && input === 'u' ? { kind: 'empty' } : undefined
}

/** The text of the field that has the cursor: one line of what every terminal draws alike. */
export type FieldText = {
  text: string
  /** How many characters stand in front of the cursor. */
  cursor: number
  /** Not edited yet: what is typed takes its place. */
  fresh?: boolean
  /** What the field offers. */
  proposed?: string
  /** Why the text was wiped: it may have been a secret. */
  wiped?: string
}

type Draft = EditedText & { fieldId: string | undefined }

/** Keeps of what is typed the hex digits for which there is room. A paste stays as it is: what is wrong with it is said. */
function onlyHexDigits(edit: TextEdit, { text, fresh }: EditedText, most: number): TextEdit {
  if (edit.kind !== 'insert') return edit
  const room = most - (fresh ? 0 : text.length)
  return { ...edit, text: edit.text.replace(/[^0-9a-f]/gi, '').slice(0, Math.max(0, room)) }
}

/**
 * Holds the text of the field `fieldId` while it has the cursor, beginning anew with `initial` whenever another
 * field gets it. What is typed or pasted replaces an untouched beginning, else it goes in at the cursor; arrows, Home
 * and End move the cursor and keep the text; Ctrl-U empties the field, and brings `proposed` back into an empty one. Where
 * `hexDigits` are asked for nothing else can be typed. While nothing edits it its text is kept. `wipe` leaves nothing of a
 * text that may be a secret; a pasted one never comes in.
 */
export function useFieldText(
  fieldId: string | undefined,
  initial: string,
  { proposed, hexDigits }: { proposed: string; hexDigits: number | undefined },
): FieldText & { edit(edit: TextEdit): void; wipe(): void } {
  const [kept, setDraft] = useState<Draft>(() => ({ fieldId, ...freshText(initial, proposed) }))
  const draft = kept.fieldId === fieldId ? kept : { fieldId, ...freshText(initial, proposed) }
  if (draft !== kept) setDraft(draft)
  return {
    ...draft,
    edit: (edit) =>
      setDraft((before) => ({
        fieldId: before.fieldId,
        ...editText(before, hexDigits === undefined ? edit : onlyHexDigits(edit, before, hexDigits)),
      })),
    wipe: () => setDraft((before) => ({ fieldId: before.fieldId, ...(wipedText(before.text) ?? before) })),
  }
}
