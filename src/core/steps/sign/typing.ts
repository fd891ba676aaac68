import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { checkAddress } from '../../identity/check-address.ts'
import { typedAmount } from '../../network/network.ts'

/** What is typed, in order. A `retype` field wants eight characters out of the middle of the address before it. */
export type SignField = 'withdrawal' | 'withdrawalAgain' | 'operator' | 'operatorAgain' | 'amount'
export const SIGN_FIELDS: readonly SignField[] = [
  'withdrawal',
  'withdrawalAgain',
  'operator',
  'operatorAgain',
  'amount',
]

/** The form of the plan. */
export type Typing = {
  /** Accepted values, by field. */
  accepted: Partial<Record<SignField, string>>
  /** Why the last text of a field was not accepted. */
  error: { field: SignField; why: string } | undefined
  /** Index of the first of the eight characters asked for again, counted behind the 0x. */
  challengeOffset: number
  /** The operator that a rescue keeps; then it is not asked for. */
  rescueOperator: Hex | undefined
}

/** The form after a text for a field: the one that is asked for, or one that was accepted before. */
export function submitted<T extends Typing>(
  state: T,
  event: { field: SignField; text: string },
  setup: Setup,
): T {
  const { field } = event
  const text = event.text.trim()
  const isOpen = field === nextField(state) || state.accepted[field] !== undefined
  if (!isOpen) return state
  if (field === 'operator' && state.rescueOperator !== undefined) return state
  const why = fieldError(state, field, text, setup)
  if (why !== undefined) return { ...state, error: { field, why } }
  return { ...state, accepted: withText(state, field, text), error: undefined }
}

const AGAIN = { withdrawal: 'withdrawalAgain', operator: 'operatorAgain' } as const

/**
 * The accepted texts with one more. Of an address that is another one now a part is typed again; of one that was typed
 * again already, as the other of the two, it is not asked twice.
 */
function withText({ accepted }: Typing, field: SignField, text: string): Typing['accepted'] {
  if (field !== 'withdrawal' && field !== 'operator') return { ...accepted, [field]: text }
  if (sameHex(accepted[field] ?? '', text)) return { ...accepted, [field]: text }
  const { [AGAIN[field]]: _, ...others } = accepted
  const other = field === 'withdrawal' ? 'operator' : 'withdrawal'
  const isTyped = accepted[AGAIN[other]] !== undefined && sameHex(accepted[other] ?? '', text)
  const again = isTyped ? { [AGAIN[field]]: accepted[AGAIN[other]] } : {}
  return { ...others, ...again, [field]: text }
}

/** The field that is waited for, or undefined when all are accepted. */
export function nextField(state: Pick<Typing, 'accepted'>): SignField | undefined {
  return SIGN_FIELDS.find((field) => state.accepted[field] === undefined)
}

function fieldError(state: Typing, field: SignField, text: string, setup: Setup): string | undefined {
  switch (field) {
    case 'withdrawal':
      return checkAddress(text)
    case 'operator':
      return checkAddress(text)
    case 'withdrawalAgain':
      return retypeError(state.accepted.withdrawal, text, state.challengeOffset)
    case 'operatorAgain':
      return retypeError(state.accepted.operator, text, state.challengeOffset)
    case 'amount':
      return amountFault(text, setup)
  }
}

function amountFault(text: string, { network }: Setup): string | undefined {
  const typed = typedAmount(text, network)
  return 'error' in typed ? typed.error : undefined
}

/** What was typed for a plan that is dropped: it stands in the fields, to be corrected. */
export function typedFor(
  plan: { withdrawalAddress: Hex; operator: Hex; amountGwei: bigint },
  challengeOffset: number,
): Typing['accepted'] {
  const { withdrawalAddress: withdrawal, operator, amountGwei } = plan
  return {
    withdrawal,
    withdrawalAgain: challengeOf(withdrawal, challengeOffset),
    operator,
    operatorAgain: challengeOf(operator, challengeOffset),
    amount: formatGwei(amountGwei),
  }
}

/** The eight characters that must be typed again, of the address typed before. */
export function challengeOf(address: string, offset: number): string {
  return address.slice(2 + offset, 2 + offset + 8)
}

/** Why the characters typed again are not those at that place of the address, or undefined when they are. */
function retypeError(address: string | undefined, text: string, offset: number): string | undefined {
  const expected = challengeOf(address ?? '', offset).toLowerCase()
  const typed = text.replace(/\s/g, '').toLowerCase()
  if (typed === expected) return undefined
  const { first, second } = groupsAt(offset)
  const groups = `groups ${first} and ${second}`
  if (typed.length !== expected.length)
    return `Type the ${expected.length} characters of ${groups}, between [ and ]; ${typed.length} were typed.`
  const wrong = [...typed].findIndex((digit, at) => digit !== expected[at])
  return `Not ${groups}: character ${wrong + 1} of ${expected.length} is different. Look it up in your own record.`
}

/** Which of the ten groups of four digits stand at an offset, counted from one. */
export function groupsAt(offset: number): { first: number; second: number } {
  return { first: offset / 4 + 1, second: offset / 4 + 2 }
}
