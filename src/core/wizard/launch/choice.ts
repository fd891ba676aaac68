import type { Hex } from '../../base/format/hex.ts'
import type { NetworkKind } from '../../chain/network/network.ts'
import type { ScenarioName } from '../../chain/network/scenario-names.ts'
import type { SetupField } from '../../view/early-view.ts'

/** A network whose addresses a form asks for. */
export type FormChoice = (
  | { kind: 'network'; id: 'rehearsal' | 'bepolia' | 'mainnet' }
  | { kind: 'file'; path: string }
  | { kind: 'files'; spec: string; genesis: string }
  /** A rehearsal whose addresses a form asks for, as on mainnet. `last`: the one that runs, or else a new one. */
  | { kind: 'as-on-mainnet'; which: 'new' | 'last' | { folder: string } }
) & {
  /** Present for a registered validator: its public key or index, empty where it is still to be typed. */
  validator?: string
}

/**
 * A rehearsal network. `new` is started; `last` is the one that was started last below the state directory, or a new
 * one where there was none; otherwise the one of a folder, or of a descriptor file.
 */
export type RehearsalChoice = {
  kind: 'rehearsal'
  which: 'new' | 'last' | { folder: string } | { descriptor: string }
  scenario?: ScenarioName
  /** Its node is given another key first. */
  newKey?: true
  validator?: string
}

/** What the user chose to work on. */
export type NetworkChoice = FormChoice | RehearsalChoice

/** What is read from paper: paths, addresses of endpoints and accounts, a password of play money. */
export type SheetLine = {
  id:
    | ('homePath' | 'execution' | 'node' | 'engine' | 'secondExecution')
    | ('keystore' | 'password' | 'payer' | 'withdrawal' | 'operator')
  value: string
}

/** What is read once before the fields: what to write down, or that the same can be rehearsed first. */
export type BeforeForm = { is: 'sheet'; lines: readonly SheetLine[] } | { is: 'offer' }

/** What must be known before a session on a network can begin. */
export type SetupDraft = {
  badge: { kind: NetworkKind; label: string }
  title: string
  intro: string
  fields: readonly SetupField[]
  /** What the form says of the places of the active set, where its network has one: whether somebody can be asked. */
  places?: 'asked' | 'unnamed'
  /** The choice by which this very network is chosen, where it was made for the form. */
  choice?: FormChoice
  before?: BeforeForm
  /** Every text is one that was accepted before. */
  remembered?: true
}

/** What an earlier run left in the state directory, as it is remembered there: no payment rests on it. */
export type UnderWay = {
  /** Path of its journal. */
  id: string
  badge: { kind: NetworkKind; label: string }
  /** Absent where the journal does not say it any more. */
  pubkey?: Hex
  /** Where it stands. */
  words: string
  /** Whether it can only be looked at: a network that ended, a journal that cannot be continued. */
  trouble: boolean
  /** Whether another window works on it. */
  isHeld?: true
  /** How it is continued. */
  choice: NetworkChoice
  /** The same from a shell: the words behind the name of the program. */
  command: readonly string[]
  /** Texts for every field of its form; without them the form is shown first. */
  values?: Readonly<Record<string, string>>
}

/** The lists of the first screen. */
export type List = 'begin' | 'scenario' | 'validator'

/** What is waited for before a session runs, in the words of the screen. */
export type OpeningWords =
  | 'list'
  | 'addresses'
  | 'endpoints'
  | 'rehearsal-start'
  | 'rehearsal-answer'
  | 'end'
  | 'steps'

/** Whether a rehearsal network is meant, without a form that asks which validator of it. */
export function isRehearsal(
  choice: NetworkChoice,
): choice is RehearsalChoice | (FormChoice & { kind: 'network' }) {
  if (choice.kind === 'rehearsal') return true
  return choice.kind === 'network' && choice.id === 'rehearsal' && choice.validator === undefined
}

/** Returns a rehearsal as a choice: the one that is chosen, or else the one that was started last. */
export const rehearsalOf = (choice: NetworkChoice): RehearsalChoice =>
  choice.kind === 'rehearsal' ? choice : { kind: 'rehearsal', which: 'last' }

/** Whether two choices name one network, whatever validator they name. */
export function isSame(one: NetworkChoice, other: NetworkChoice): boolean {
  if (one.kind === 'network' && other.kind === 'network') return one.id === other.id
  if (one.kind === 'file' && other.kind === 'file') return one.path === other.path
  if (one.kind === 'files' && other.kind === 'files')
    return one.spec === other.spec && one.genesis === other.genesis
  return false
}

/** Returns what is shown while a choice is being opened. */
export function openingWords(choice: NetworkChoice): OpeningWords {
  if (!isRehearsal(choice)) return 'endpoints'
  return typeof rehearsalOf(choice).which === 'string' ? 'rehearsal-start' : 'rehearsal-answer'
}
