import { STEP_TEXT } from './text.ts'
import {
  type ChartRow,
  type Consent,
  type FactRow,
  type FieldView,
  type MoneyBand,
  type PermissionTable,
  type Problem,
  type RankRow,
  STEP_IDS,
  type StepId,
  type TimelineRow,
  type Verdict,
  type Waiting,
  type WentEvent,
} from './view.ts'

/** An event that lacks nothing but the text that is typed. */
type WithoutText<E> = E extends { text: string } ? Omit<E, 'text'> : never

/** A field of a step, with the event that its text makes. `E`: the events of the step. */
export type StepField<E> = FieldView & { takes: WithoutText<E> }

/** What a key does: the events of this very frame, a field that it opens, the end of the program, or another key for the node of a rehearsal. */
export type Does<E> = readonly (E | WentEvent)[] | { edit: string } | 'quit' | 'newKey'

/**
 * A key of a step, with the events `E` of the step. `O`: what a typed word agrees to, in a step that asks for one. What it does is decided with what is drawn, so that a key does what the frame said that was read. */
export type ActionView<E, O = never> = {
  /** As Ink names it: a letter, `return`, `left` … One action a key. */
  key: string
  label: string
  /** Enter never suffices where money leaves: the word that must be typed. */
  typed?: string
  /** The token that the amounts of its offer are in. */
  token?: string
  /** What the word agrees to, by ids: it counts only while this is still what is offered. */
  offer?: O
  /** What makes the proposal anew, once it is known to be another one. */
  anew?: readonly E[]
  /** What stands above that word. */
  consent?: Consent
  does: Does<E>
}

/** A part of what a step draws between its title and the money band. Empty ones take no room. */
export type Section =
  | 'intro'
  | 'facts'
  | 'checks'
  | 'fields'
  | 'ranks'
  | 'timeline'
  | 'chart'
  | 'notes'
  | 'picture'

/** Everything a step's screen draws, and what its keys and fields do; plain data, made by the step's view.ts. */
export type StepView<E, O = never> = {
  step: StepId
  /** A page in place of the step's own one: each is read from its top. */
  page?: 'checklist' | 'leave' | 'story'
  title: string
  /** Where the step stands, in one line. */
  verdict?: Verdict | undefined
  /** The parts that this step draws, in their order. */
  sections: readonly Section[]
  /** Sections whose good rows of one source may share a line where there is no room; a key opens them. */
  folds?: readonly Section[]
  /** One sentence in plain words: what this step is about. */
  intro: string
  facts: readonly FactRow[]
  /** Heading above the facts, e.g. a question they answer. */
  factsTitle?: string | undefined
  /** What must hold in the moment before money moves; nothing on steps that send nothing. */
  checks: readonly FactRow[]
  fields: readonly StepField<E>[]
  /** The field that has the cursor, if any. */
  activeField?: string | undefined
  ranks: readonly RankRow[]
  timeline: readonly TimelineRow[]
  /** What was seen over time; it goes first where there is no room. */
  chart?: readonly ChartRow[]
  notes: readonly string[]
  /** What a key opens, and what is drawn at once where there is room for all of it. */
  picture?: PermissionTable | undefined
  money: MoneyBand
  problem?: Problem | undefined
  waiting?: Waiting | undefined
  actions: readonly ActionView<E, O>[]
  /** The equivalent shell commands, one a line. */
  commands: readonly string[]
  /** What the page of the commands says above them. */
  commandHint?: string | undefined
  /** The step is complete and the next one may be entered. */
  done: boolean
}

const NOTHING_MORE = { facts: [], checks: [], fields: [], ranks: [], timeline: [], notes: [] }

/** Completes a view: the parts that are not given are empty. */
export function stepView<E, O = never>(
  view: Omit<StepView<E, O>, keyof typeof NOTHING_MORE> &
    Partial<Pick<StepView<E, O>, keyof typeof NOTHING_MORE>>,
): StepView<E, O> {
  return { ...NOTHING_MORE, ...view }
}

/** Whether Enter does something: the gate of the step is open. */
export const hasEnter = (actions: readonly ActionView<unknown, unknown>[]): boolean =>
  actions.some(({ key }) => key === 'return')

/** Leads to a step. */
export const goTo = (to: StepId): WentEvent => ({ step: 'session', type: 'went', to })

/** Enter on a step that is complete. */
export function goOn(step: StepId): ActionView<never> {
  const next = STEP_IDS[STEP_IDS.indexOf(step) + 1] ?? step
  return { key: 'return', label: STEP_TEXT.goOn, does: [goTo(next)] }
}
