import type { Gwei } from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import type { GuardAgreed } from '../../pay/guard/guard-consent.ts'
import { GUARD_TEXT } from '../../pay/guard/text.ts'
import type { ErrorFacts } from '../../view/observation.ts'

/** The page on which a guard is armed, with what became of its word. */
export type GuardPage = {
  isOpen: boolean
  /** End of the day that was typed, Unix seconds. */
  untilSeconds: bigint | undefined
  untilText: string
  slots: number
  error: { field: 'until' | 'slots'; words: string } | undefined
  /** What is under way because of a word. */
  work: 'arming' | 'taking-back' | 'importing' | 'saving' | undefined
  /** The guard that is here already, by its journal alone; `unread` before the journals were looked at. */
  here: GuardStanding | 'none' | 'unread'
  /** The file of what an external signer is to sign. */
  path: string | undefined
  failure: ErrorFacts | undefined
}

export type GuardPageEvent =
  | { step: 'topup'; type: 'guardTurned'; open: boolean }
  | { step: 'topup'; type: 'guardUntilTyped'; text: string }
  | { step: 'topup'; type: 'guardSlotsTyped'; text: string }
  | { step: 'topup'; type: 'guardAgreed'; agreed: GuardAgreed }
  | { step: 'topup'; type: 'guardTakenBack' | 'guardSaveAsked' }
  | { step: 'topup'; type: 'guardImported'; text: string }
  /** `here` is undefined where that could not be read: what is known of it stays. */
  | {
      step: 'topup'
      type: 'guardTold'
      here: GuardStanding | 'none' | undefined
      isOver: boolean
      path?: string
      failure?: ErrorFacts
    }

/** What looks at the guards here, and what a word lets go; an error in it is told on the page. */
export type GuardPageCommand = { step: 'topup'; looks: true } & (
  | { type: 'findGuard'; scope: 'here' }
  | { type: 'readGuard'; scope: 'here' }
  | { type: 'armGuard'; scope: 'always'; agreed: GuardAgreed }
  | { type: 'takeGuardBack'; scope: 'always' }
  | { type: 'importGuard'; scope: 'always'; text: string }
  | { type: 'saveGuard'; scope: 'always' }
)

/** Proposed where nothing else is known: so many blocks are two minutes of a real network. */
const SLOTS_PROPOSED = 60
const MOST_SLOTS = 10_000
/** Steps of a cap that is proposed. */
const STEPS_PROPOSED = 5n

export const initialGuardPage: GuardPage = {
  isOpen: false,
  untilSeconds: undefined,
  untilText: '',
  slots: SLOTS_PROPOSED,
  error: undefined,
  work: undefined,
  here: 'unread',
  path: undefined,
  failure: undefined,
}

export const GUARD_READ: GuardPageCommand = { step: 'topup', type: 'readGuard', scope: 'here', looks: true }
/** Whether a guard lies here, for who comes back. */
export const GUARD_FIND: GuardPageCommand = { ...GUARD_READ, type: 'findGuard' }

/** Returns the cap that is proposed while none was typed, in gwei. */
export const capProposedGwei = ({ network }: Setup): Gwei =>
  STEPS_PROPOSED * network.spec.effectiveBalanceIncrementGwei

type Result = readonly [GuardPage, readonly GuardPageCommand[]]

/** The page after an event. A word lets one command go, and no second one while that is under way. */
export function guardPageTransition(page: GuardPage, event: GuardPageEvent): Result {
  switch (event.type) {
    case 'guardTurned':
      return [{ ...page, isOpen: event.open, error: undefined, failure: undefined }, []]
    case 'guardUntilTyped': {
      const untilSeconds = endOfDay(event.text)
      if (untilSeconds === undefined) return [withFault(page, 'until'), []]
      return [{ ...page, untilSeconds, untilText: event.text.trim(), error: undefined }, []]
    }
    case 'guardSlotsTyped': {
      const slots = Number(event.text.trim().replaceAll(',', ''))
      const fits = /^[\d,]+$/.test(event.text.trim()) && slots <= MOST_SLOTS
      return [fits ? { ...page, slots, error: undefined } : withFault(page, 'slots'), []]
    }
    case 'guardAgreed':
      return begin(page, 'arming', { ...COMMAND, type: 'armGuard', scope: 'always', agreed: event.agreed })
    case 'guardTakenBack':
      return begin(page, 'taking-back', { ...COMMAND, type: 'takeGuardBack', scope: 'always' })
    case 'guardImported':
      return begin(page, 'importing', { ...COMMAND, type: 'importGuard', scope: 'always', text: event.text })
    case 'guardSaveAsked':
      return begin(page, 'saving', { ...COMMAND, type: 'saveGuard', scope: 'always' })
    case 'guardTold': {
      const { here = page.here, isOver, path, failure } = event
      const work = isOver ? undefined : page.work
      const told = { ...page, here, work, path: path ?? page.path, failure }
      // The day of a guard is not proposed for the next one.
      const isDone = isOver && page.work !== undefined && failure === undefined
      return [isDone ? { ...told, untilSeconds: undefined, untilText: '' } : told, []]
    }
  }
}

const COMMAND = { step: 'topup', looks: true } as const

function begin(page: GuardPage, work: NonNullable<GuardPage['work']>, command: GuardPageCommand): Result {
  return page.work === undefined ? [{ ...page, work, failure: undefined }, [command]] : [page, []]
}

const withFault = (page: GuardPage, field: 'until' | 'slots'): GuardPage => ({
  ...page,
  error: { field, words: GUARD_TEXT.fields[field].fault },
})

/** The last second of a day in UTC; undefined for a text that is no day of the calendar. */
function endOfDay(text: string): bigint | undefined {
  const [whole] = /^\d{4}-\d{2}-\d{2}$/.exec(text.trim()) ?? []
  const atMs = whole === undefined ? Number.NaN : Date.parse(`${whole}T23:59:59Z`)
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== whole) return undefined
  return BigInt(atMs / 1000)
}

/** Returns a time of the chain as the day that was typed. */
export const dayOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString().slice(0, 10)
