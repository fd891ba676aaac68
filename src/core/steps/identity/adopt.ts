import { addressOf, withChecksum } from '../../deposit/credentials.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../format/hex.ts'
import { shellCommand } from '../../format/text.ts'
import { checkAddress } from '../../identity/check-address.ts'
import { known, markOf } from '../observation.ts'
import { factRow, moneyUntouched } from '../rows.ts'
import { goOn, type StepView, stepView } from '../step-view.ts'
import type { FactRow } from '../view.ts'
import type { Adoption, IdentityState } from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

/** A registered validator as the endpoints show it. */
export type Registered = { index: number; withdrawalCredentials: Hex; operator: Hex }

/** Whether the endpoints name different operators for the key. */
export function operatorsDiffer({ seen }: Pick<IdentityState, 'seen'>): boolean {
  const first = known(seen.operator)
  const second = known(seen.secondOperator)
  return first !== undefined && second !== undefined && !sameHex(first.operator, second.operator)
}

/**
 * The registered validator of the key as it is proven, staying in the set, with the operator that all endpoints show;
 * undefined while one has not answered, or where they do not agree.
 */
function registeredAs(
  state: Pick<IdentityState, 'seen'>,
  setup: Pick<Setup, 'endpoints'>,
): Registered | undefined {
  const { seen } = state
  const beacon = known(seen.beacon)
  const operator = known(seen.operator)
  if (beacon?.index === undefined || beacon.withdrawalCredentials === undefined || beacon.exiting)
    return undefined
  if (operator === undefined || operatorsDiffer(state)) return undefined
  if (setup.endpoints.secondExecution !== undefined && known(seen.secondOperator) === undefined)
    return undefined
  if (beacon.provenSlot === undefined) return undefined
  const { index, withdrawalCredentials } = beacon
  return { index, withdrawalCredentials, operator: operator.operator }
}

/**
 * The registered validator that may be adopted: one that is neither this journal's own registration nor adopted as it is
 * now, and pays out to an address.
 */
export function adoptable(
  state: Pick<IdentityState, 'seen' | 'own' | 'adopted'>,
  setup: Pick<Setup, 'endpoints'>,
): Registered | undefined {
  const found = registeredAs(state, setup)
  if (found === undefined || payoutAddress(found) === undefined) return undefined
  const terms = state.adopted ?? state.own
  return terms !== undefined && isAs(found, terms) ? undefined : found
}

/** Whether a registered validator pays out to, and is managed by, whom it should. */
function isAs(found: Registered, terms: Pick<Registered, 'withdrawalCredentials' | 'operator'>): boolean {
  return (
    sameHex(found.withdrawalCredentials, terms.withdrawalCredentials) &&
    sameHex(found.operator, terms.operator)
  )
}

/** Whether an adoption is of exactly this validator. */
export function adopts(adoption: Adoption, found: Registered): boolean {
  const address = payoutAddress(found)
  return (
    adoption.index === found.index &&
    isAs(found, adoption) &&
    address !== undefined &&
    sameHex(adoption.withdrawalAddress, address)
  )
}

/** The adoption that a typed withdrawal address makes, or why it makes none. */
export function adoptionOf(text: string, found: Registered): Adoption | { error: string } {
  const error = checkAddress(text)
  if (error !== undefined) return { error }
  const address = payoutAddress(found)
  // Which of its digits differ is not said: the address must come from the user's own record.
  if (address === undefined || !sameHex(text, address)) return { error: IDENTITY_TEXT.errors.otherPayout }
  return { withdrawalAddress: text as Hex, ...found }
}

/** The address that is paid out to; undefined for credentials that name none, which are never paid out. */
export function payoutAddress({ withdrawalCredentials }: Pick<Registered, 'withdrawalCredentials'>) {
  try {
    return addressOf(withdrawalCredentials)
  } catch {
    return undefined
  }
}

/** Whether signing and the first deposit of the validator were done without this journal. */
export function isDoneElsewhere({ validator, deposit }: Facts): boolean {
  return validator?.origin === 'adopted' && deposit === undefined
}

const TEXT = IDENTITY_TEXT.elsewhere
type DoneStep = keyof typeof TEXT.titles

/** A step of an adopted validator that was done elsewhere: what the chain still says of it. */
export function elsewhereView(step: DoneStep, state: IdentityState, { network }: Setup): StepView {
  const { names, spec } = network
  const { adopted } = state
  return stepView({
    step,
    title: TEXT.titles[step],
    sections: ['intro', 'facts', 'notes'],
    intro: TEXT.intro(adopted?.index),
    factsTitle: TEXT.factsTitle,
    facts: adopted === undefined ? [] : rowsOf(step, state, adopted, names.token),
    notes: TEXT.notes,
    money: moneyUntouched(TEXT.worst, names.token),
    actions: [goOn(step)],
    commands: [
      shellCommand('cast', 'logs', '--address', spec.depositContract, '--from-block', '0', OPERATOR_EVENT),
    ],
    done: true,
  })
}

const OPERATOR_EVENT = 'OperatorUpdated(bytes indexed pubkey,address newOperator,address previousOperator)'

/** What was typed and told when the validator was adopted, or how it came to be. */
function rowsOf(step: DoneStep, state: IdentityState, adopted: Adoption, token: string): FactRow[] {
  const { withdrawalAddress, operator } = adopted
  if (step === 'deposit') return [originRow(state, adopted), depositsRow(state, token)]
  return [
    { id: 'withdrawal', mark: 'given', long: withdrawalAddress, ...TEXT.withdrawal },
    {
      id: 'operator',
      mark: 'given',
      ...TEXT.operator(operator),
      ...(sameHex(operator, ZERO_ADDRESS) ? {} : { long: withChecksum(operator) }),
    },
  ]
}

function originRow({ seen }: IdentityState, { operator }: Adoption): FactRow {
  const { label, inBlock, noEvent, explain } = TEXT.setBy
  return factRow({
    id: 'setBy',
    label,
    observation: seen.history,
    judge: ({ setBy }) => (setBy === undefined && !sameHex(operator, ZERO_ADDRESS) ? undefined : true),
    say: ({ setBy }) => (setBy === undefined ? noEvent(operator) : inBlock(setBy.blockNumber)),
    long: ({ setBy }) => setBy?.transactionHash,
    explain,
  })
}

function depositsRow({ seen }: IdentityState, token: string): FactRow {
  const { label, source, asking, total, explain } = TEXT.deposits
  const deposits = known(seen.history)?.deposits
  const sumGwei = deposits?.reduce((sum, { amountGwei }) => sum + amountGwei, 0n) ?? 0n
  return {
    id: 'deposits',
    mark: markOf(seen.history, () => true),
    label,
    value: deposits === undefined ? asking : total(deposits.length, `${formatGwei(sumGwei)} ${token}`),
    source,
    explain,
  }
}
