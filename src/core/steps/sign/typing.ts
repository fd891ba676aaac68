import type { Gwei } from '../../base/format/amount.ts'
import { formatGwei, parseTokens, typedGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex, ungroupHex } from '../../base/format/hex.ts'
import { floorEffectiveBalance } from '../../chain/consensus/state.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { checkAddress } from '../../chain/identity/check-address.ts'
import { tokensOf, typedAmount } from '../../chain/network/network.ts'
import { contractAddressFault } from '../../chain/network/pools.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import type { FieldView } from '../../view/view.ts'
import { SIGN_FIELDS, type SignField } from './facts.ts'
import { SIGN_TEXT } from './text.ts'

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

/** Returns the form after a text for a field: the one that is asked for, or one that was accepted before. */
export function submitted<T extends Typing>(
  state: T,
  event: { field: SignField; text: string },
  setup: Setup,
): T {
  const { field } = event
  const text = ungroupHex(event.text)
  const isOpen = field === nextField(state) || state.accepted[field] !== undefined
  if (!isOpen) return state
  if (field === 'operator' && state.rescueOperator !== undefined) return state
  const why = fieldError(state, field, text, setup) ?? restError(state, field, text, setup)
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
    case 'operator':
      return contractAddressFault(text, setup.network) ?? checkAddress(text)
    case 'withdrawalAgain':
      return retypeError(state, 'withdrawal', text)
    case 'operatorAgain':
      return retypeError(state, 'operator', text)
    case 'amount': {
      const typed = typedAmount(text, setup.network)
      return 'error' in typed ? typed.error : undefined
    }
  }
}

/** Says once of an amount what of it counts as nothing, before it is signed; the same amount is taken then. */
function restError({ error }: Typing, field: SignField, text: string, setup: Setup): string | undefined {
  const gwei = field === 'amount' ? parseTokens(text) : undefined
  if (gwei === undefined) return undefined
  const { spec } = setup.network
  const restGwei = gwei - floorEffectiveBalance(gwei, spec)
  if (restGwei === 0n) return undefined
  const step = tokensOf(spec.effectiveBalanceIncrementGwei, setup)
  const why = SIGN_TEXT.restOfAmount(tokensOf(restGwei, setup), step)
  return error?.why === why ? undefined : why
}

/** Returns what was typed for a plan that is dropped: it stands in the fields, to be corrected. */
export function typedFor(
  plan: { withdrawalAddress: Hex; operator: Hex; amountGwei: Gwei },
  challengeOffset: number,
): Typing['accepted'] {
  const { withdrawalAddress: withdrawal, operator, amountGwei } = plan
  return {
    withdrawal,
    withdrawalAgain: challengeOf(withdrawal, challengeOffset),
    operator,
    operatorAgain: challengeOf(operator, challengeOffset),
    amount: typedGwei(amountGwei),
  }
}

const ASKED_DIGITS = 8

/** The eight characters that must be typed again, of the address typed before. */
export function challengeOf(address: string, offset: number): string {
  return address.slice(2 + offset, 2 + offset + ASKED_DIGITS)
}

/** Why the characters typed again are not those at that place of the address, or undefined when they are. */
function retypeError(state: Typing, of: keyof typeof AGAIN, text: string): string | undefined {
  const expected = challengeOf(state.accepted[of] ?? '', state.challengeOffset).toLowerCase()
  const typed = text.replace(/\s/g, '').toLowerCase()
  if (typed === expected) return undefined
  const which = askedFor(state, of)
  if (typed.length !== expected.length) return SIGN_TEXT.retype.length(which, expected.length, typed.length)
  return SIGN_TEXT.retype.differs(which)
}

/** The characters that are asked for, with the address that they are of. */
function askedFor({ challengeOffset }: Typing, of: keyof typeof AGAIN): string {
  const { first, last } = charactersAt(challengeOffset)
  const { which, of: address } = SIGN_TEXT.again
  return which(first, last, address[of])
}

/** Which of the 40 characters behind `0x` are the eight at an offset, counted from one. */
function charactersAt(offset: number): { first: number; last: number } {
  return { first: offset + 1, last: offset + ASKED_DIGITS }
}

/** A field of this step, with the event that its text makes. */
type Field<Event> = FieldView & { takes: { step: 'sign' } & Event }

/** The field for what comes from the key machine. */
export function importedField({ failure }: { failure: ErrorFacts | undefined }): Field<{ type: 'imported' }> {
  const refused = failure && [failure.shortMessage, failure.details.at(-1) ?? ''].join(' ').trim()
  return {
    id: 'signature',
    takes: { step: 'sign', type: 'imported' },
    ...SIGN_TEXT.imported,
    value: '',
    error: refused,
  }
}

/** Returns the fields of the plan, with the hint or the error of the one that is asked for. */
export function fieldViews(state: Typing, setup: Setup): Field<{ type: 'submitted'; field: SignField }>[] {
  const active = nextField(state)
  return SIGN_FIELDS.map((id) => {
    const text = SIGN_TEXT.fields[id]
    return {
      id,
      takes: { step: 'sign', type: 'submitted', field: id },
      label: id.endsWith('Again') ? againLabel(state, id) : text.label,
      value: isAskedAgain(id, active) ? withoutMiddle(state, id, setup) : shownText(state, id),
      hint: id.endsWith('Again') ? hintAgain(state, id, setup) : text.hint,
      explain: text.explain,
      suggestion: beginsWith(state, id, setup),
      ...(id.endsWith('Again') ? { hexDigits: ASKED_DIGITS } : {}),
      error: id === state.error?.field ? state.error.why : undefined,
    }
  })
}

/** What was accepted as it is shown, however it was typed: an address with its capitals, an amount with its commas. */
function shownText({ accepted, challengeOffset }: Typing, id: SignField): string {
  const text = accepted[id]
  if (text === undefined) return ''
  switch (id) {
    case 'withdrawal':
    case 'operator':
      return withChecksum(text as Hex)
    case 'withdrawalAgain':
    case 'operatorAgain': {
      const address = accepted[id === 'withdrawalAgain' ? 'withdrawal' : 'operator']
      return address === undefined ? text : challengeOf(withChecksum(address as Hex), challengeOffset)
    }
    case 'amount':
      return formatGwei(parseTokens(text) ?? 0n)
  }
}

function isAskedAgain(id: SignField, active: SignField | undefined): boolean {
  return active === `${id}Again`
}

/** Of the address that a rehearsal proposes nobody has a record but the screen. */
function isProposed({ accepted }: Typing, id: string, { suggestedAddress }: Setup): boolean {
  const address = accepted[id === 'withdrawal' ? 'withdrawal' : 'operator']
  return suggestedAddress !== undefined && address !== undefined && sameHex(address, suggestedAddress)
}

/**
 * An address has 40 characters, drawn in groups of four; eight in a row are asked for. Around those that were typed the address has no
 * brackets any more.
 */
function hintAgain(state: Typing, id: SignField, setup: Setup): string {
  const { again } = SIGN_TEXT
  const of = id === 'withdrawalAgain' ? 'withdrawal' : 'operator'
  if (state.accepted[id] !== undefined) return askedFor(state, of)
  return isProposed(state, of, setup) ? again.proposed(again.of[of]) : again.own(again.of[of])
}

function againLabel({ challengeOffset }: Typing, id: SignField): string {
  const { first, last } = charactersAt(challengeOffset)
  const { withdrawal, operator } = SIGN_TEXT.fields
  return SIGN_TEXT.again.label((id === 'withdrawalAgain' ? withdrawal : operator).label, first, last)
}

/** While a part of an address is asked for again, that part is not shown, unless it stands nowhere else. */
function withoutMiddle(state: Typing, id: SignField, setup: Setup): string {
  const value = state.accepted[id] ?? ''
  const at = 2 + state.challengeOffset
  const [before, asked, behind] = [
    value.slice(0, at),
    value.slice(at, at + ASKED_DIGITS),
    value.slice(at + ASKED_DIGITS),
  ]
  const shown = isProposed(state, id, setup) ? asked : '········'
  const groups = (digits: string) => digits.match(/.{1,4}/g)?.join(' ') ?? ''
  return `0x${groups(before.slice(2))}[${groups(shown)}]${groups(behind)}`
}

/**
 * What a field begins with: what was accepted in it, so that it can be corrected, else what is proposed. An address of
 * which a part is asked for again begins empty, or that part could be read there.
 */
function beginsWith(state: Typing, id: SignField, setup: Setup): string | undefined {
  const active = nextField(state)
  if (isAskedAgain(id, active) && !isProposed(state, id, setup)) return ''
  return state.accepted[id] ?? (id === active ? suggestionFor(id, setup) : undefined)
}

function suggestionFor(field: SignField, { network, suggestedAddress }: Setup): string | undefined {
  if (field === 'amount') return typedGwei(network.minimumDepositGwei)
  if (field === 'withdrawal' || field === 'operator') return suggestedAddress
  return undefined
}
