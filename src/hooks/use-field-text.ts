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

/**
 * Holds the text of the field `fieldId` while it has the cursor, beginning anew with `initial` whenever another
 * field gets it. What is typed or pasted replaces an untouched beginning, else it goes in at the cursor; arrows, Home
 * and End move the cursor and keep the text; Ctrl-U empties the field, and brings `proposed` back into an empty one. While nothing edits it its text is kept. `wipe`
 * leaves nothing of a text that may be a secret; a pasted one never comes in.
 */
export function useFieldText(
  fieldId: string | undefined,
  initial: string,
  proposed: string,
): FieldText & { edit(edit: TextEdit): void; wipe(): void } {
  const [kept, setDraft] = useState<Draft>(() => ({ fieldId, ...freshText(initial, proposed) }))
  const draft = kept.fieldId === fieldId ? kept : { fieldId, ...freshText(initial, proposed) }
  if (draft !== kept) setDraft(draft)
  return {
    ...draft,
    edit: (edit) => setDraft((before) => ({ fieldId: before.fieldId, ...editText(before, edit) })),
    wipe: () => setDraft((before) => ({ fieldId: before.fieldId, ...(wipedText(before.text) ?? before) })),
  }
}
