import type { EditedText } from '../base/format/edit-text.ts'
import type { FieldView } from './view.ts'

/** A field of the form, and how it is looked at when it is left. */
export type SetupField = FieldView & {
  /** The text is a path that can be completed and looked at. */
  path?: 'folder' | 'file'
  /** Paths that were found on this computer, to choose from. */
  found?: readonly string[]
}

/** What was found out about a text; it counts for no other one. */
type Remark = { text: string; words: string; doubt?: boolean }

/** Why a text is refused; `looked` where a look at what is there said so. */
type Fault = Remark & { looked?: true }

/** A field while the form is shown. */
export type FieldState = EditedText & {
  /** The text counts: it was typed, or proposed and not objected to. */
  accepted: boolean
  fault?: Fault
  /** What the look at a path found. */
  note?: Remark
  /** How a path may go on. */
  choices?: { text: string; names: readonly string[] }
}
