import { usePaste } from 'ink'
import { useState } from 'react'

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu
const MAX_CHARACTERS = 20_000

/** Text as a field takes it: one line, nothing invisible, no blanks around a paste. */
export function cleanFieldText(text: string): string {
  return text.replace(UNSEEN, '').slice(0, MAX_CHARACTERS)
}

/** The text of one field while it is typed. */
export type FieldText = {
  text: string
  /** Grows with every paste, so that the cursor can be put behind it. */
  pastes: number
  setText(text: string): void
}

/** Holds a field's text, beginning with `initial`; a paste replaces an untouched beginning, else it is appended. */
export function useFieldText(initial: string): FieldText {
  const [state, setState] = useState({ text: cleanFieldText(initial), pastes: 0, touched: false })
  usePaste((pasted) => {
    const clean = cleanFieldText(pasted.trim())
    setState(({ text, pastes, touched }) => ({
      text: cleanFieldText(touched ? text + clean : clean),
      pastes: pastes + 1,
      touched: true,
    }))
  })
  const setText = (text: string): void =>
    setState(({ pastes }) => ({ text: cleanFieldText(text), pastes, touched: true }))
  return { text: state.text, pastes: state.pastes, setText }
}
