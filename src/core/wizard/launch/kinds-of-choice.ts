import type { FormChoice, NetworkChoice, RehearsalChoice } from './choice.ts'

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
