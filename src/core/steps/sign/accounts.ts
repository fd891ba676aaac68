import { type Hex, sameHex } from '../../format/hex.ts'
import type { AccountKind } from '../../identity/account-kind.ts'
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

const WORDS: Readonly<Record<AddressField, Readonly<Record<AccountKind, string>>>> = {
  withdrawal: {
    sender: 'an account that has sent transactions',
    receiver: 'an account with a balance, no transaction yet',
    delegated: 'an account that runs a contract’s code: check that code',
    contract: 'a contract: check that it can pass the stake on',
    unused: 'never used: check the address again',
  },
  operator: {
    sender: 'an account that has sent transactions',
    receiver: 'an account with a balance, no transaction yet',
    delegated: 'an account that runs a contract’s code: check that code',
    contract: 'a contract: check that you can act through it',
    unused: 'never used: check the address again',
  },
}

const EXPLAIN: Readonly<Record<AddressField, Explain>> = {
  withdrawal: {
    what: 'What stands at the withdrawal address now. The stake arrives there without a call: a contract must be able to pass it on, and an address that was never used may be a mistake. It can never be changed.',
    who: 'Each execution endpoint: the code there, the transactions sent from it, its balance.',
    later: 'Yes, with every transaction. The address itself never.',
  },
  operator: {
    what: 'What stands at the operator address now. Only this account changes how the rewards are managed: a contract must be one that you can act through, and an address that was never used may be a mistake.',
    who: 'Each execution endpoint: the code there, the transactions sent from it, its balance.',
    later: 'Yes, with every transaction.',
  },
}

/** A row about one of the addresses. */
type AccountRow = FactRow & { field: AddressField }

/** What stands at each address that is typed: a remark for who signs, which closes no gate. */
export function accountRows(state: Typed & { accounts: Seen<AccountAnswers> }): AccountRow[] {
  const addresses = addressesOf(state)
  return ADDRESS_FIELDS.flatMap((field) =>
    addresses[field] === undefined
      ? []
      : [{ field, ...rowOf(field, state.accounts[field], sameWords(field, addresses)) }],
  )
}

function rowOf(field: AddressField, observation: Seen<AccountAnswers>[AddressField], same: string): FactRow {
  return factRow({
    id: `${field}Account`,
    label: `at ${field}`,
    observation,
    judge: isSettled,
    say: (kinds) => `${same}${wordsOf(field, kinds)}`,
    explain: EXPLAIN[field],
  })
}

/** A contract or an address without a past may be right: only who typed it knows. */
function isSettled(kinds: readonly AccountKind[]): boolean | undefined {
  const [kind] = agreed(kinds)
  return kind === 'sender' || kind === 'receiver' ? true : undefined
}

/** The one kind that all endpoints name; none where they disagree. */
function agreed(kinds: readonly AccountKind[]): readonly AccountKind[] {
  return new Set(kinds).size === 1 ? kinds : []
}

function wordsOf(field: AddressField, kinds: readonly AccountKind[]): string {
  const [kind] = agreed(kinds)
  return kind === undefined
    ? `the endpoints disagree: ${kinds.map((each) => KIND_WORDS[each]).join(' or ')}`
    : WORDS[field][kind]
}

const KIND_WORDS: Readonly<Record<AccountKind, string>> = {
  sender: 'in use',
  receiver: 'holds a balance',
  delegated: 'runs a contract’s code',
  contract: 'a contract',
  unused: 'never used',
}

function sameWords(field: AddressField, { withdrawal, operator }: Addresses): string {
  if (field === 'withdrawal' || withdrawal === undefined || operator === undefined) return ''
  return sameHex(withdrawal, operator) ? 'the withdrawal address too; ' : 'not the withdrawal address; '
}
