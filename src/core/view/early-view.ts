import type { EditedText } from '../base/format/edit-text.ts'
import type { NetworkKind } from '../chain/network/network.ts'
import type { AlarmView, Detail } from './alarm-view.ts'
import type { Explain, FactRow, FieldView, MoneyBand, Problem, StepId, Waiting } from './view.ts'

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

/** A key of a screen before the steps, with the event `E` that it gives. */
export type EarlyKey<E> = {
  /** As Ink names it: a letter, `return`, `up` … */
  key: string
  /** Words in the help line; none where the key is not named there. */
  label?: string
  /** Works although a text field has the cursor. */
  whileTyping?: true
  /** Works on screens alone: lines have no place that moves, and no function keys. */
  onScreen?: true
  /** How a function key is typed in lines, also where a field is asked for. */
  inLines?: string
  does: E
}

/** Something that `?` explains: an entry, a field. */
export type Subject = { id: string; label: string; value: string; explain: Explain }

/** An entry that can be chosen, by its number or with the arrows. */
export type EarlyOffer<E> = Subject & {
  /** The kind of money of its network, where it is one network. */
  kind?: NetworkKind
  /** A few words beside the name, where there is room for them; `keeps` where they take room of their own. */
  short: string
  keepsShort?: true
  /** The same from a shell: the words behind the name of the program. */
  command: readonly string[]
  does: E
}

/** Entries under one heading. */
export type OfferSection<E> = { title: string | undefined; note?: string; offers: readonly EarlyOffer<E>[] }

/** A field of a form with what stands in it. */
export type EarlyField = { field: SetupField; state: FieldState }

/** How much somebody is needed. */
export type Urgency = AlarmView['severity'] | 'well' | 'unknown'

type TableRow<E> = { id: string; cells: readonly string[]; needs?: Urgency; does: E }

/** A part between title and money band. Empty ones take no room. */
export type EarlyPart<E> =
  | { is: 'sentences'; id: string; sentences: readonly string[]; tone?: 'strong' | 'warn' }
  | { is: 'offers'; sections: readonly OfferSection<E>[]; chosen: number }
  | { is: 'fields'; fields: readonly EarlyField[] }
  | { is: 'facts'; rows: readonly FactRow[] }
  | { is: 'problem'; problem: Problem }
  | { is: 'verdict'; text: string; level: Urgency }
  /** Rows of a table of which one may be opened, `needs` where somebody is needed there. */
  | { is: 'table'; head: readonly string[]; rows: readonly TableRow<E>[]; chosen: number }
  /** An alarm that stands; without its title where another part says it. */
  | { is: 'alarm'; alarm: AlarmView; isTitled: boolean; when: string }
  | { is: 'details'; details: readonly Detail[] }
  /** What `?` or `c` opens in the place of the rest. */
  | { is: 'explanation'; of: Subject }
  | { is: 'command'; words: readonly string[] }

/** The field that has the cursor. */
export type Typing<E> = EarlyField & {
  /** What its text does once it is entered, and what leads one back from it. */
  entered: E
  left: E
}

/** Everything that a screen outside the seven steps draws, and what its keys do: plain data for both desks. */
export type EarlyView<E> = {
  /** Another one is another page. */
  id: string
  title: string
  /** The title is the code of an error. */
  isCode?: true
  /** The network, where the screen is of one. */
  badge?: { kind: NetworkKind; label: string }
  step?: StepId
  /** Why the last choice was not possible, and the number of that choice. */
  error?: { text: string; of: number }
  /** What it is about; `isNews` where it says that everything is ready now. */
  intro?: { text: string; isNews?: true }
  parts: readonly EarlyPart<E>[]
  typing?: Typing<E>
  /** Something of it is still being found out. */
  isPending?: true
  waiting?: Waiting
  money: MoneyBand
  keys: readonly EarlyKey<E>[]
}
