import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { checkAddress } from '../../identity/check-address.ts'
import { typedAmount } from '../../network/deposit-amount.ts'
import { challengeOf, retypeError } from './check-field.ts'

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
  /** The last text that was not accepted, in which field and why. */
  error: { field: SignField; text: string; why: string } | undefined
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
  if (why !== undefined) return { ...state, error: { field, text, why } }
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
