import { useInput, usePaste } from 'ink'
import { useState } from 'react'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu
const MAX_CHARACTERS = 20_000

/** Text as a field takes it: one line, nothing invisible. */
function cleanFieldText(text: string): string {
  return text.replace(UNSEEN, '').slice(0, MAX_CHARACTERS)
}

/** The text of the field that has the cursor. */
export type FieldText = {
  text: string
  /** Grows with every paste, so that the cursor can be put behind it. */
  pastes: number
  setText(text: string): void
}

const EMPTIED = { text: '', touched: true }

type Draft = { fieldId: string | undefined; text: string; pastes: number; touched: boolean }

/**
 * Holds the text of the field `fieldId` while it has the cursor, beginning anew with `initial` whenever another
 * field gets it. A paste replaces an untouched beginning, else it is appended; Ctrl-U empties the field.
 */
export function useFieldText(fieldId: string | undefined, initial: string): FieldText {
  const fresh: Draft = { fieldId, text: cleanFieldText(initial), pastes: 0, touched: false }
  const [kept, setDraft] = useState(fresh)
  const draft = kept.fieldId === fieldId ? kept : fresh
  if (draft !== kept) setDraft(draft)
  usePaste(
    (pasted) => {
      const clean = cleanFieldText(pasted.trim())
      setDraft((before) => ({
        ...before,
        text: cleanFieldText(before.touched ? before.text + clean : clean),
        pastes: before.pastes + 1,
        touched: true,
      }))
    },
    { isActive: fieldId !== undefined },
  )
  useInput(
    (input, key) => {
      if (key.ctrl && input === 'u')
        setDraft((before) => ({ ...before, ...EMPTIED, pastes: before.pastes + 1 }))
    },
    { isActive: fieldId !== undefined },
  )
  // An input that was emptied or pasted into since it was drawn speaks of an old text.
  const setText = (text: string): void =>
    setDraft((before) =>
      before.pastes === draft.pastes ? { ...before, text: cleanFieldText(text), touched: true } : before,
    )
  return { text: draft.text, pastes: draft.pastes, setText }
}
