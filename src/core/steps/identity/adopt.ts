import { failureWords } from '../../base/errors/base.ts'
import { type Hex, sameHex, ungroupHex } from '../../base/format/hex.ts'
import { addressOf, withChecksum } from '../../chain/deposit/credentials.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { checkAddress } from '../../chain/identity/check-address.ts'
import { known, type Observation } from '../../view/observation.ts'
import type { Adoption, IdentityState, OperatorAnswer } from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

/** A registered validator as the endpoints show it. */
export type Registered = { index: number; withdrawalCredentials: Hex; operator: Hex }

/**
 * Puts the operator that is proven at a signed block in the place of an answer that contradicts it or didn't come; an
 * endpoint that shows a newer block is still heard.
 */
export function settleOperators(observed: IdentityState['observed']): IdentityState['observed'] {
  const signed = known(observed.beacon)?.signedOperator
  if (signed === undefined) return observed
  const { operator, secondOperator } = observed
  return {
    ...observed,
    operator: settled(operator, signed),
    secondOperator: settled(secondOperator, signed),
  }
}

function settled(answer: Observation<OperatorAnswer>, signed: OperatorAnswer): Observation<OperatorAnswer> {
  if (answer.status === 'failed') {
    const { source, atMs, error } = answer
    return { status: 'known', value: { ...signed, leftOut: failureWords(error) }, source, atMs }
  }
  if (answer.status !== 'known') return answer
  const { operator, blockNumber } = answer.value
  if (blockNumber > signed.blockNumber || sameHex(operator, signed.operator)) return answer
  return { ...answer, value: { ...signed, leftOut: `${answer.source} names ${withChecksum(operator)}` } }
}

/** Whether the endpoints name different operators for the key. */
export function operatorsDiffer({ observed }: Pick<IdentityState, 'observed'>): boolean {
  const first = known(observed.operator)
  const second = known(observed.secondOperator)
  return first !== undefined && second !== undefined && !sameHex(first.operator, second.operator)
}

/**
 * The registered validator of the key as it is proven, staying in the set, with the operator that all endpoints show;
 * undefined while one has not answered, or where they do not agree.
 */
function registeredAs(
  state: Pick<IdentityState, 'observed'>,
  setup: Pick<Setup, 'endpoints'>,
): Registered | undefined {
  const { observed } = state
  const beacon = known(observed.beacon)
  const operator = known(observed.operator)
  if (beacon?.index === undefined || beacon.withdrawalCredentials === undefined || beacon.exiting)
    return undefined
  if (operator === undefined || operatorsDiffer(state)) return undefined
  if (setup.endpoints.secondExecution !== undefined && known(observed.secondOperator) === undefined)
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
  state: Pick<IdentityState, 'observed' | 'own' | 'adopted'>,
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

/** Whether an adoption names exactly this validator. */
export function adopts(adoption: Adoption, found: Registered): boolean {
  const address = payoutAddress(found)
  return (
    adoption.index === found.index &&
    isAs(found, adoption) &&
    address !== undefined &&
    sameHex(adoption.withdrawalAddress, address)
  )
}

/** Returns the adoption that a typed withdrawal address confirms, or the reason why it confirms none. */
export function adoptionOf(typed: string, found: Registered): Adoption | { error: string } {
  const text = ungroupHex(typed)
  const error = checkAddress(text)
  if (error !== undefined) return { error }
  const address = payoutAddress(found)
  // Which of its digits differ is not said: the address must come from the user's own record.
  if (address === undefined || !sameHex(text, address)) return { error: IDENTITY_TEXT.errors.otherPayout }
  return { withdrawalAddress: text as Hex, ...found }
}

/** Returns the address that withdrawals go to; undefined for credentials without an address. */
export function payoutAddress({ withdrawalCredentials }: Pick<Registered, 'withdrawalCredentials'>) {
  try {
    return addressOf(withdrawalCredentials)
  } catch {
    return undefined
  }
}

/** Whether the validator was signed and first paid for outside this journal. */
export function isDoneElsewhere({ validator, deposit }: Facts): boolean {
  return validator?.origin === 'adopted' && deposit === undefined
}
