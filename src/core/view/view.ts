import type { MoneyState } from '../base/errors/base.ts'
import type { Gwei } from '../base/format/amount.ts'
import type { Hex } from '../base/format/hex.ts'
import type { Next } from '../base/format/next.ts'
import type { SafeText } from '../base/format/text.ts'

/** The seven steps, in order, under these ids everywhere. */
export const STEP_IDS = ['genesis', 'identity', 'sign', 'deposit', 'confirm', 'topup', 'status'] as const
export type StepId = (typeof STEP_IDS)[number]

/** Leads to another step: what a view of any step may do beside the events of its own. */
export type WentEvent = { step: 'session'; type: 'went'; to: StepId }

/**
 * What is known of a fact. Unknown blocks like a refusal. `given` is what the user chose, or must compare: nobody has
 * checked it, so it neither opens a gate nor shuts one.
 */
export type Mark = 'proven' | 'given' | 'refused' | 'unknown' | 'asking' | 'unasked'

const SHUT: readonly Mark[] = ['refused', 'unknown', 'asking']

/** Whether a row keeps the gate behind it shut, whatever the other rows say. */
export const keepsShut = ({ mark }: { mark: Mark }): boolean => SHUT.includes(mark)

/** The answer to `?` on a value. */
export type Explain = {
  what: string
  /** Who said it. */
  who: string
  /** Whether it can be changed later. */
  later: string
}

/** One row of facts: mark · what · value · who said it · how old. */
/**
 * Numbers of a fact by names that say their unit, as `--json` has them: `...Gwei`, `...Slot`, `...Block`, `...Epoch`,
 * `...Index`, `...Height` and `...Ms`, and `...Count`, `...Id`, `rank`, `places`; `...At` is a time, ISO 8601.
 */
export type Numbers = Readonly<Record<string, bigint | number | string>>

export type FactRow = {
  id: string
  mark: Mark
  label: string
  value: SafeText | string
  /** A value too long for a row, shown whole below it. Hex is drawn in groups of four. */
  long?: string | undefined
  source: SafeText | string
  /** What of the value is a number, for programs. */
  numbers?: Numbers | undefined
  /** Monotonic milliseconds at which it was learnt; absent when it was not. */
  learntAtMs?: number | undefined
  /** Present where the row is advice: whatever it says, it closes nothing. */
  advice?: true
  /** Present where nobody was asked yet, and nothing speaks against it: the answer comes with time. */
  isAhead?: true
  /** Present where the row says how a payment waits for the chain: it comes with time, and asking anew changes nothing. */
  waits?: true
  /** Present where the row is of another choice than the one that is agreed to, for comparison. */
  alternative?: true
  /** Present where the consent above a word says the same: beside it the row has no room. */
  consented?: true
  /** Why it closes the gate, in fewer words than label and value. */
  reason?: string
  /** What to do about a row that closes the gate. */
  next?: Next
  explain: Explain
}

/** The row of a report: a row of facts, with the step that it belongs to, less what only a screen asks for. */
export type ReportRow = Pick<
  FactRow,
  'id' | 'mark' | 'label' | 'value' | 'long' | 'source' | 'numbers' | 'next'
> & {
  step: StepId
}

/**
 * A step in one line, from the same rows and the same gate that decide whether it goes on; `next` is what to do where the
 * gate is shut.
 */
export type Verdict = {
  mark: Mark
  text: string
  /** The same without the key that goes on, for where that key does something else: a text is typed, or there is no room. */
  bare?: string
  next?: Next
}

/** The money band: never empty, never a guess. One short line each. */
export type MoneyBand = {
  /** What has left the wallet, and what the next key may send. */
  line: string
  /** The worst outcome of the next key. */
  worst: string
  /** Nothing has left the wallet: no news for whoever was told that nothing is sent. */
  isUntouched?: true
  /** What has left the wallet is not read yet. */
  isUnread?: true
}

/** What has left the wallet, as far as it is known: paid, perhaps out, lost by the user or by a stranger; and in words. */
export type LeftWallet = { is: 'paid' | 'perhaps' | 'lost' | 'strangers' | 'unknown'; text: string }

/**
 * What stands whole on every screen that asks for a word before money moves, whatever else gives way. Sentences, and
 * amounts with their token.
 */
export type Consent = {
  /** What cannot be undone. */
  undo: string
  /** What is at stake. */
  stake: string
  /** The worst outcome of the word. */
  worst: string
  /** Who receives it. */
  to: { name: string; address: Hex }
  amount: string
  /** The fee limit. */
  fee: string
}

/** A value the user types. The screen keeps the text being typed; the machine holds what was accepted. */
export type FieldView = {
  id: string
  label: string
  /** What was accepted so far. */
  value: string
  hint: string
  /** Text that the field starts with, to be kept or replaced. */
  suggestion?: string | undefined
  /** Where so many hex digits are asked for: nothing else can be typed. */
  hexDigits?: number
  /** Why the last text was not accepted. */
  error?: string | undefined
  explain: Explain
}

/** A row of the rank table around the user's place. */
export type RankRow = {
  rank: number
  stakeGwei: Gwei
  mine: boolean
  /** Whether the rank is within the places of the active set. */
  hasPlace: boolean
  note: string
}

/** A row of the path to the active set. */
export type TimelineRow = {
  id: string
  state: 'done' | 'now' | 'ahead'
  label: string
  when: string
  detail: string
}

/** A row of a small chart: what it is of, values that are drawn beside one another, and the same in words. */
export type ChartRow = { label: string; values: readonly number[]; text: string }

/**
 * What kind of end a problem is. `stop`, `closed`: its title begins with that word. `warning`: its title says what will
 * happen. `event`: its title says what happened, and not that anything stops.
 */
type ProblemKind = 'stop' | 'closed' | 'warning' | 'event'

/** Something that stops the step: what, why, money, next. */
export type Problem = {
  /** Which one it is, whatever is said of it: `step.what`, or the code of an error. */
  id: string
  kind: ProblemKind
  title: string
  money: MoneyState
  /** What deposits before this program have lost, with the token: then that is said of the money. */
  lost?: string
  /** Labelled long values, e.g. found and expected. */
  values: readonly { label: string; value: string }[]
  lines: readonly string[]
  next: readonly Next[]
}

/** What the step waits for, so that waiting has a size. `sinceMs`: when it began; undefined where it begins just now. */
export type Waiting = { label: string; sinceMs: number | undefined }

/**
 * A table of who can do what. Its cells have a word or two; the same in sentences, who by who, is for where a table has
 * no room or nobody sees it.
 */
export type PermissionTable = {
  /** The key that opens it, and what it is called there. */
  key: string
  label: string
  title: string
  /** Who: one column each. */
  columns: readonly string[]
  /** What: a cell for each column. A cell without a sentence says no. */
  rows: readonly { label: string; cells: readonly { short: string; text: string }[] }[]
  note: string
}
