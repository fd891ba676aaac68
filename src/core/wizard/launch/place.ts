import { freshText, type TextEdit, wipedText } from '../../base/format/edit-text.ts'
import type { FieldState } from '../../view/setup-field.ts'
import type { FormChoice, List } from './choice.ts'
import { editField } from './form-fields.ts'
import { LAUNCH_TEXT } from './text.ts'

/** Where somebody is on the screens before the steps: what is chosen, typed and read there. */
export type LaunchPosition = {
  list: List
  /** The entry that has the cursor: the first one until another one is chosen, since entries may come before it. */
  chosen?: string
  /** The path of a network file, while it is asked for. */
  file?: FieldState
  /** What is read in the place of the screen, until a key closes it. */
  panel?: 'explain' | 'command'
}

export type PlaceEvent =
  | { type: 'list'; list: List }
  | { type: 'choose'; id: string }
  | { type: 'askFile' }
  | { type: 'leaveFile' }
  | { type: 'read'; panel: 'explain' | 'command' }
  | { type: 'close' }

/** Returns where the first screen begins: for a named validator, at the choice of its network. */
export const placeAtFirst = (validator: string | undefined): LaunchPosition => ({
  list: validator === undefined ? 'begin' : 'validator',
})

/** Returns the position after an event. */
export function placeAfter(place: LaunchPosition, event: PlaceEvent): LaunchPosition {
  switch (event.type) {
    case 'list':
      return { list: event.list }
    case 'choose':
      return { list: place.list, chosen: event.id }
    case 'askFile':
      return { ...withChosen(place), file: { ...freshText(''), accepted: false } }
    case 'leaveFile':
      return withChosen(place)
    case 'read':
      return { ...place, panel: event.panel }
    case 'close':
      return { ...withChosen(place), ...(place.file === undefined ? {} : { file: place.file }) }
  }
}

const withChosen = ({ list, chosen }: LaunchPosition): LaunchPosition => ({
  list,
  ...(chosen === undefined ? {} : { chosen }),
})

/** Returns the position after an edit of the typed path. */
export function editPath(place: LaunchPosition, edit: TextEdit): LaunchPosition {
  return place.file === undefined ? place : { ...place, file: editField(place.file, edit) }
}

/**
 * Returns the network of the typed path, or the position with the reason why the path is not accepted: it is empty, or
 * may be a secret and is wiped. `validator`: one that was named before its network.
 */
export function enterPath(
  place: LaunchPosition,
  { validator = '' }: { validator: string | undefined },
): { choice: FormChoice } | { place: LaunchPosition } {
  const text = place.file?.text.trim() ?? ''
  const { wiped = LAUNCH_TEXT.file.empty, ...empty } = wipedText(text) ?? freshText('')
  if (text === '' || wipedText(text) !== undefined)
    return { place: { ...place, file: { ...empty, accepted: false, fault: { text: '', words: wiped } } } }
  return { choice: { kind: 'file', path: text, ...whose(place, validator) } }
}

/** Returns the validator that a choice of network is for, if the list is of one. */
export const whose = ({ list }: LaunchPosition, validator = ''): { validator?: string } =>
  list === 'validator' ? { validator } : {}
