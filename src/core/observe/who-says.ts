import type { AlarmId } from '../view/alarm-event.ts'
import type { Role } from './picture.ts'

/** Whose word an answer is, and what it may do where only an endpoint of somebody else gives it. */
type Word = {
  /** The role that is asked, best endpoint first; `each` where every endpoint is, `own` where nobody else ever is. */
  of: Role | 'each' | 'own'
  /**
   * What comes of an answer that only somebody else's endpoint gives. `judged`: believed within what time and the others
   * bear out. `tells`: it fires alarms, and ends none. `ignored`: nothing follows from it.
   */
  foreign: 'judged' | 'tells' | 'ignored'
  /** The alarms that end by such an answer of an own endpoint, and by nothing else. */
  ends: readonly AlarmId[]
}

/** Who may say what: one row for each question of a look. `drops-out` ends by a set that is held, as it judges itself. */
export const WHO_SAYS = {
  heads: { of: 'each', foreign: 'judged', ends: [] },
  count: { of: 'execution', foreign: 'ignored', ends: [] },
  arrivals: { of: 'execution', foreign: 'tells', ends: ['deposit-unexpected'] },
  operators: { of: 'execution', foreign: 'tells', ends: ['operator-change'] },
  records: {
    of: 'node',
    foreign: 'tells',
    ends: ['dropped-out', 'exit-begun', 'not-validating', 'deposit-unexpected'],
  },
  forks: { of: 'node', foreign: 'tells', ends: ['fork-unknown'] },
  set: { of: 'node', foreign: 'tells', ends: ['margin'] },
  signed: { of: 'engine', foreign: 'tells', ends: ['missed-blocks', 'key-elsewhere'] },
  peers: { of: 'own', foreign: 'ignored', ends: [] },
} as const satisfies Readonly<Record<string, Word>>

/** A question of a look. */
export type JudgedAnswer = keyof typeof WHO_SAYS

const WORDS: readonly Word[] = Object.values(WHO_SAYS)

/** Whether an alarm may end while the best endpoints of these roles are foreign. */
export function mayEnd(alarm: AlarmId, others: readonly Role[]): boolean {
  return !WORDS.some(({ of, ends }) => ends.includes(alarm) && others.some((role) => role === of))
}

/** Whether a reply counts while the best endpoints of these roles are foreign. */
export function isBelieved(answer: JudgedAnswer, others: readonly Role[]): boolean {
  const { of, foreign }: Word = WHO_SAYS[answer]
  return foreign !== 'ignored' || !others.some((role) => role === of)
}
