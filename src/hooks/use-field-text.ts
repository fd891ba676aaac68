import { useState } from 'react'
import {
  type EditedText,
  editText,
  freshText,
  type TextEdit,
  wipedText,
} from '../core/base/format/edit-text.ts'

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
