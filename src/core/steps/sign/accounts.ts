import { type Hex, sameHex } from '../../format/hex.ts'
import type { AccountKind } from '../../identity/check-address.ts'
import { nothingSeen, type Seen } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { ACCOUNT_EXPLAIN, ACCOUNT_WORDS, SIGN_TEXT } from './text.ts'

/** What stands at each of the two addresses of a first deposit, by the word of each endpoint that was asked. */
export type AccountAnswers = Record<AddressField, readonly AccountKind[]>
type AddressField = 'withdrawal' | 'operator'
const ADDRESS_FIELDS = ['withdrawal', 'operator'] as const

/** Nothing was looked up yet. */
export const noAccounts: Seen<AccountAnswers> = nothingSeen<AccountAnswers>(ADDRESS_FIELDS)

type Addresses = Partial<Record<AddressField, Hex>>

/** The addresses that are typed, or planned. */
export function addressesOf({ plan, accepted }: Typed): Addresses {
  const withdrawal = plan?.withdrawalAddress ?? (accepted.withdrawal as Hex | undefined)
  const operator = plan?.operator ?? (accepted.operator as Hex | undefined)
  return {
    ...(withdrawal === undefined ? {} : { withdrawal }),
    ...(operator === undefined ? {} : { operator }),
  }
}

/** Whether the addresses are to be looked up: there is one, and it is new or all is asked again. */
export function looksAtAccounts(before: Typed, after: Typed, { isAgain }: { isAgain: boolean }): boolean {
  const [was, is] = [addressesOf(before), addressesOf(after)]
  const isNew = was.withdrawal !== is.withdrawal || was.operator !== is.operator
  return (isNew || isAgain) && (is.withdrawal ?? is.operator) !== undefined
}

type Typed = {
  accepted: Partial<Record<AddressField, string>>
  plan: { withdrawalAddress: Hex; operator: Hex } | undefined
}

/** A row about one of the addresses. */
type AccountRow = FactRow & { field: AddressField }

/** What stands at each address that is typed: a remark for who signs, which closes no gate. */
export function accountRows(state: Typed & { accounts: Seen<AccountAnswers> }): AccountRow[] {
  const addresses = addressesOf(state)
  return ADDRESS_FIELDS.flatMap((field) =>
    addresses[field] === undefined ? [] : [{ field, ...rowOf(field, state.accounts[field]) }],
  )
}

function rowOf(field: AddressField, observation: Seen<AccountAnswers>[AddressField]): FactRow {
  return factRow({
    id: `${field}Account`,
    advice: true,
    label: `at ${field}`,
    observation,
    judge: isSettled,
    say: wordsOf,
    explain: ACCOUNT_EXPLAIN[field],
  })
}

/** A contract or an address without a past may be right: only who typed it knows. */
function isSettled(kinds: readonly AccountKind[]): boolean | undefined {
  const kind = agreed(kinds)
  return kind === 'sender' || kind === 'receiver' ? true : undefined
}

function wordsOf(kinds: readonly AccountKind[]): string {
  const kind = agreed(kinds)
  if (kind !== undefined) return ACCOUNT_WORDS[kind]
  return `the endpoints disagree: ${kinds.map((each) => ACCOUNT_WORDS[each].replace(/:.*$/, '')).join(' · ')}`
}

/** The one kind that all endpoints name; undefined where they disagree. */
function agreed(kinds: readonly AccountKind[]): AccountKind | undefined {
  const [kind, ...others] = new Set(kinds)
  return others.length === 0 ? kind : undefined
}

/** Whether the two addresses are one, in words, once both are typed. */
export function sameAddressNotes(typed: Typed): string[] {
  const { withdrawal, operator } = addressesOf(typed)
  if (withdrawal === undefined || operator === undefined) return []
  return sameHex(withdrawal, operator) ? [SIGN_TEXT.sameAddress] : [SIGN_TEXT.twoAddresses]
}
