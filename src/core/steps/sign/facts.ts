import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Setup } from '../../chain/facts.ts'
import type { AccountKind } from '../../chain/identity/check-address.ts'
import { known, type Observations, SOURCES } from '../../view/observation.ts'
import { type FactTable, factIds } from '../../view/rows.ts'

/** What is typed, in order. A field with `Again` wants eight characters out of the middle of the address before it. */
export const SIGN_FIELDS = ['withdrawal', 'withdrawalAgain', 'operator', 'operatorAgain', 'amount'] as const
export type SignField = (typeof SIGN_FIELDS)[number]

/** What a verifier says of the signature. */
export type SignatureCheck = { accepts: boolean; words: string }
export type SignAnswers = Record<'library' | 'precompile' | 'tool' | 'toolValidate', SignatureCheck>

/** Whether the signature is made on another machine, and what was chosen before. */
export type AboutSign = { isElsewhere: boolean; setup: Setup }

const say = ({ words }: SignatureCheck) => words
const accepts = ({ accepts: isAccepted }: SignatureCheck) => isAccepted

const VERIFIER = {
  what: 'One signature check: does this verifier accept the signature? Two verifiers that share no code must accept it, and none may refuse.',
  later:
    'No. A deposit with a signature that the chain refuses is lost, so this is checked before anything is sent.',
}
const NO_TOOL = 'not installed'

/** The verifiers of the signature; which of them must agree is counted apart. */
export const SIGN_FACTS: FactTable<SignAnswers, AboutSign> = {
  library: {
    gate: 'told',
    source: () => 'this computer',
    judge: accepts,
    label: 'signature library',
    say,
    explain: {
      ...VERIFIER,
      who: 'This computer, with the signature library (BLS12-381) and the domain tag of this chain (NUL). First every byte is parsed strictly.',
    },
  },
  precompile: {
    gate: 'told',
    source: SOURCES.execution,
    judge: accepts,
    label: 'execution client',
    say,
    explain: {
      ...VERIFIER,
      who: 'Your execution client, with its built-in signature functions (precompiles). Other code than for the signature library computes the signed message.',
    },
  },
  tool: {
    gate: 'told',
    judge: accepts,
    label: 'node tool signs',
    say,
    unasked: ({ isElsewhere }) => (isElsewhere ? 'not here: the key is on another machine' : NO_TOOL),
    explain: ({ setup }) => ({
      ...VERIFIER,
      who: `The node tool (${setup.network.names.nodeTool}) signs the same message itself: its 96 bytes must be equal to these.`,
    }),
  },
  toolValidate: {
    gate: 'told',
    judge: accepts,
    label: 'node tool checks',
    say,
    unasked: () => NO_TOOL,
    explain: ({ setup }) => ({
      ...VERIFIER,
      who: `The node tool (${setup.network.names.nodeTool}) checks this signature.`,
    }),
  },
}

/** Which verifiers share code. */
const GROUPS: Readonly<Record<keyof SignAnswers, number>> = {
  library: 1,
  precompile: 2,
  tool: 3,
  toolValidate: 3,
}
const GROUPS_NEEDED = 2

/**
 * Whether at least two verifiers that share no code accept the signature and none refuses it. One that is still being asked
 * is waited for: it may refuse. One that could not be asked counts as nothing, never as a yes.
 */
export function verifiersAgree({ observed }: { observed: Observations<SignAnswers> }): boolean {
  const ids = factIds(SIGN_FACTS)
  const groups = ids.filter((id) => known(observed[id])?.accepts === true).map((id) => GROUPS[id])
  const isOpen = ids.some((id) => observed[id].status === 'asking' || known(observed[id])?.accepts === false)
  return !isOpen && new Set(groups).size >= GROUPS_NEEDED
}

/** What stands at each of the two addresses of a first deposit, by the word of each endpoint that was asked. */
export type AccountAnswers = Record<'withdrawal' | 'operator', readonly AccountKind[]>

/** The addresses as they are typed, or planned. */
export type Typed = {
  accepted: Partial<Record<keyof AccountAnswers, string>>
  plan: { withdrawalAddress: Hex; operator: Hex } | undefined
}

/** A contract or an address without a past may be right: only who typed it knows. */
function isSettled(kinds: readonly AccountKind[]): boolean | undefined {
  const kind = oneKind(kinds)
  return kind === 'sender' || kind === 'receiver' ? true : undefined
}

/** Returns the one kind that all endpoints name; undefined where they disagree. */
function oneKind(kinds: readonly AccountKind[]): AccountKind | undefined {
  const [kind, ...others] = new Set(kinds)
  return others.length === 0 ? kind : undefined
}

/** Short enough for one line beside where it comes from; what to check, and why, is under `?`. */
const KINDS: Readonly<Record<AccountKind, { is: string; todo?: string }>> = {
  sender: { is: 'an account in use' },
  receiver: { is: 'used, has never paid out' },
  delegated: { is: 'delegated', todo: 'check its code' },
  contract: { is: 'a contract', todo: 'check it' },
  unused: { is: 'never used', todo: 'check it' },
}

function kindText(kinds: readonly AccountKind[]): string {
  const kind = oneKind(kinds)
  if (kind === undefined) return `the endpoints disagree: ${kinds.map((each) => KINDS[each].is).join(' · ')}`
  const { is, todo } = KINDS[kind]
  return todo === undefined ? is : `${is}: ${todo}`
}

/** What stands at the addresses: a remark for who signs, which closes no gate. */
export const ACCOUNT_FACTS: FactTable<AccountAnswers, Typed> = {
  withdrawal: {
    gate: 'told',
    advice: true,
    hasRow: (typed) => addressesOf(typed).withdrawal !== undefined,
    judge: isSettled,
    label: 'at withdrawal',
    say: kindText,
    explain: {
      what: 'What kind of account the withdrawal address is now. The stake arrives there without a call, so a contract must be able to pass it on. Whoever may change the code of a delegated account can take the stake. An address that was never used may be a mistake. The address can never be changed.',
      who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
      later: 'The account: yes, with every transaction. The address: never.',
    },
  },
  operator: {
    gate: 'told',
    advice: true,
    hasRow: (typed) => addressesOf(typed).operator !== undefined,
    judge: isSettled,
    label: 'at operator',
    say: kindText,
    explain: {
      what: 'What kind of account the operator address is now. Only this account can change how the rewards are managed, so a contract must be one that you can act through. An address that was never used may be a mistake.',
      who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
      later: 'Yes, with every transaction.',
    },
  },
}

/** The addresses that are typed, or planned. */
export function addressesOf({ plan, accepted }: Typed): Partial<Record<keyof AccountAnswers, Hex>> {
  const withdrawal = plan?.withdrawalAddress ?? (accepted.withdrawal as Hex | undefined)
  const operator = plan?.operator ?? (accepted.operator as Hex | undefined)
  return {
    ...(withdrawal === undefined ? {} : { withdrawal }),
    ...(operator === undefined ? {} : { operator }),
  }
}

/** Whether the two addresses are one; undefined until both are typed. */
export function isOneAddress(typed: Typed): boolean | undefined {
  const { withdrawal, operator } = addressesOf(typed)
  return withdrawal && operator && sameHex(withdrawal, operator)
}

/** Whether the addresses are to be looked up: there is one, and it is new or all is asked again. */
export function asksAccounts(before: Typed, after: Typed, { isAgain }: { isAgain: boolean }): boolean {
  const [was, is] = [addressesOf(before), addressesOf(after)]
  const isNew = was.withdrawal !== is.withdrawal || was.operator !== is.operator
  return (isNew || isAgain) && (is.withdrawal ?? is.operator) !== undefined
}
