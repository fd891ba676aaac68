import { type Hex, sameHex } from '../../format/hex.ts'
import type { AccountKind } from '../../identity/check-address.ts'
import { nothingSeen, type Seen } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { Explain, FactRow } from '../view.ts'

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

/** Short enough for one line beside where it comes from; what to check, and why, is under `?`. */
const WORDS: Readonly<Record<AccountKind, string>> = {
  sender: 'an account in use',
  receiver: 'has received, never sent',
  delegated: 'delegated: check its code',
  contract: 'a contract: check it',
  unused: 'never used: check it',
}

const EXPLAIN: Readonly<Record<AddressField, Explain>> = {
  withdrawal: {
    what: 'What kind of account the withdrawal address is now. The stake arrives there without a call, so a contract must be able to pass it on. Whoever may change the code of a delegated account can take the stake. An address that was never used may be a mistake. The address can never be changed.',
    who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
    later: 'The account: yes, with every transaction. The address: never.',
  },
  operator: {
    what: 'What kind of account the operator address is now. Only this account can change how the rewards are managed, so a contract must be one that you can act through. An address that was never used may be a mistake.',
    who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
    later: 'Yes, with every transaction.',
  },
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
    explain: EXPLAIN[field],
  })
}

/** A contract or an address without a past may be right: only who typed it knows. */
function isSettled(kinds: readonly AccountKind[]): boolean | undefined {
  const kind = agreed(kinds)
  return kind === 'sender' || kind === 'receiver' ? true : undefined
}

function wordsOf(kinds: readonly AccountKind[]): string {
  const kind = agreed(kinds)
  if (kind !== undefined) return WORDS[kind]
  return `the endpoints disagree: ${kinds.map((each) => WORDS[each].replace(/:.*$/, '')).join(' · ')}`
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
  return sameHex(withdrawal, operator)
    ? ['Both are the same address: whoever holds its key gets the stake and manages the rewards.']
    : ['Two addresses: the stake goes to the first, the second manages the rewards.']
}
