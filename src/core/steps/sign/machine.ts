import { type Gwei, parseTokens, type Wei, weiToGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import { addressOf } from '../../chain/deposit/credentials.ts'
import type { Facts, IdentityFact, Setup, SignatureFact } from '../../chain/facts.ts'
import { type ErrorFacts, type Observations, type Observed, withObservation } from '../../view/observation.ts'
import { nothingAsked } from '../../view/rows.ts'
import {
  ACCOUNT_FACTS,
  type AccountAnswers,
  addressesOf,
  asksAccounts,
  SIGN_FACTS,
  type SignAnswers,
  type SignField,
} from './facts.ts'
import { FUNDS_FACTS, type FundsAnswers, firstAmount } from './funds.ts'
import { nextField, submitted, type Typing, typedFor } from './typing.ts'

/** The message to be signed, as the user chose it. */
export type SignPlan = {
  withdrawalAddress: Hex
  operator: Hex
  amountGwei: Gwei
  /** For a key whose operator is set already: the deposit will name none. */
  rescue: boolean
  /** The signature is made on another machine and imported here. */
  elsewhere?: true
}

export type SignState = Typing & {
  /** The key is on another machine: nothing can be signed here. */
  keyElsewhere: boolean
  /** The key that signs, for the words about it. */
  pubkey: Hex | undefined
  /** What was imported from the key machine: a signature, a deposit file's text, or its path. */
  imported: string | undefined
  plan: SignPlan | undefined
  signature: SignatureFact | undefined
  signing: boolean
  failure: ErrorFacts | undefined
  observed: Observations<SignAnswers>
  filePath: string | undefined
  /** What stands at the two addresses. */
  accounts: Observations<AccountAnswers>
  /** What the whole way costs, and what there is to pay it. */
  funds: Observations<FundsAnswers>
}

export type SignEvent =
  | { step: 'sign'; type: 'entered' | 'retried' | 'saveAsked' }
  | { step: 'sign'; type: 'dropped' }
  | { step: 'sign'; type: 'challenged'; offset: number }
  | { step: 'sign'; type: 'submitted'; field: SignField; text: string }
  | { step: 'sign'; type: 'planned'; plan: SignPlan }
  | { step: 'sign'; type: 'imported'; text: string }
  | { step: 'sign'; type: 'signed'; signature: SignatureFact }
  | ({ step: 'sign'; type: 'observed' } & Observed<SignAnswers>)
  | ({ step: 'sign'; type: 'accountSeen'; address: Hex } & Observed<AccountAnswers>)
  | ({ step: 'sign'; type: 'fundsSeen'; amountGwei: Gwei } & Observed<FundsAnswers>)
  | { step: 'sign'; type: 'saved'; path: string }
  | { step: 'sign'; type: 'failed'; error: ErrorFacts }

/** Decisions and results that outlive the process. */
export type DurableSignEvent = Extract<SignEvent, { type: 'planned' | 'signed' | 'dropped' }>

export const SIGN_DURABLE: readonly SignEvent['type'][] = ['planned', 'signed', 'dropped']

export type SignCommand = {
  step: 'sign'
  type: 'challenge' | 'sign' | 'take' | 'ask' | 'save' | 'accounts' | 'funds'
  scope: 'here'
}

export const initialSign: SignState = {
  accepted: {},
  error: undefined,
  challengeOffset: 12,
  rescueOperator: undefined,
  keyElsewhere: false,
  pubkey: undefined,
  imported: undefined,
  plan: undefined,
  signature: undefined,
  signing: false,
  failure: undefined,
  observed: nothingAsked(SIGN_FACTS),
  filePath: undefined,
  accounts: nothingAsked(ACCOUNT_FACTS),
  funds: nothingAsked(FUNDS_FACTS),
}

type Result = readonly [SignState, readonly SignCommand[]]

/**
 * The third step: choose what is signed, sign it, and ask verifiers that share no code. Whatever stands at the addresses is
 * looked up as soon as they are typed, and each time the step is entered; so is the money for the whole way, for each
 * amount that is typed.
 */
export function signTransition(
  state: SignState,
  event: SignEvent,
  setup: Setup,
  facts: Pick<Facts, 'identity'>,
): Result {
  const [next, commands] = changed(state, event, setup, facts)
  const isAgain = event.type === 'entered' || event.type === 'retried' || event.type === 'dropped'
  const accounts = asksAccounts(state, next, { isAgain }) ? [command('accounts')] : []
  const isOther = firstAmount(next, setup) !== firstAmount(state, setup)
  if (!isOther && !isAgain) return [next, [...commands, ...accounts]]
  const funds = isOther ? initialSign.funds : next.funds
  return [{ ...next, funds }, [...commands, ...accounts, command('funds')]]
}

function changed(state: SignState, event: SignEvent, setup: Setup, facts: Pick<Facts, 'identity'>): Result {
  switch (event.type) {
    case 'entered':
      return enter(withKey(state, facts.identity))
    case 'challenged':
      return [{ ...state, challengeOffset: event.offset }, []]
    case 'submitted':
      return [state.plan === undefined ? submitted(state, event, setup) : state, []]
    case 'planned':
      return signHere({ ...state, plan: event.plan })
    case 'imported':
      return bring(state, event.text.trim())
    case 'signed':
      return [
        { ...state, signature: event.signature, signing: false, imported: undefined, failure: undefined },
        [command('ask')],
      ]
    case 'dropped': {
      const { challengeOffset, keyElsewhere, pubkey } = state
      const accepted = state.plan === undefined ? {} : typedFor(state.plan, challengeOffset)
      return [
        keepOperator(
          { ...initialSign, challengeOffset, keyElsewhere, pubkey, accepted },
          state.rescueOperator,
        ),
        state.plan === undefined ? [command('challenge')] : [],
      ]
    }
    case 'retried':
      return retry(state)
    case 'observed':
      return [{ ...state, observed: withObservation(state.observed, event) }, []]
    case 'accountSeen':
      return sameHex(addressesOf(state)[event.key] ?? '', event.address)
        ? [{ ...state, accounts: withObservation(state.accounts, event) }, []]
        : [state, []]
    case 'fundsSeen':
      return firstAmount(state, setup) === event.amountGwei
        ? [{ ...state, funds: withObservation(state.funds, event) }, []]
        : [state, []]
    case 'saveAsked':
      return [state, state.signature === undefined ? [] : [command('save')]]
    case 'saved':
      return [{ ...state, filePath: event.path }, []]
    case 'failed':
      return [{ ...state, signing: false, failure: event.error }, []]
  }
}

const command = (type: SignCommand['type']): SignCommand => ({ step: 'sign', type, scope: 'here' })

function withKey(state: SignState, identity: IdentityFact | undefined): SignState {
  const keyElsewhere = identity?.key.kind === 'elsewhere'
  return keepOperator({ ...state, keyElsewhere, pubkey: identity?.pubkey }, identity?.rescueOperator)
}

/** In a rescue the operator is what it is: it counts as typed, because it was, in the step before. */
function keepOperator(state: SignState, rescueOperator: Hex | undefined): SignState {
  if (rescueOperator === undefined || state.plan !== undefined) return { ...state, rescueOperator }
  const accepted = { ...state.accepted, operator: rescueOperator, operatorAgain: rescueOperator }
  return { ...state, rescueOperator, accepted }
}

function enter(state: SignState): Result {
  if (state.signature !== undefined) return [state, [command('ask')]]
  if (state.plan !== undefined) return signHere(state)
  // Other groups on each return would show the whole address bit by bit.
  return [state, state.accepted.withdrawal === undefined ? [command('challenge')] : []]
}

/** Has the plan signed, unless that is done on another machine. */
function signHere(state: SignState): Result {
  const next = { ...state, failure: undefined }
  if (awaitsSignature(next)) return [next, []]
  return [{ ...next, signing: true }, [command('sign')]]
}

/** Whether a signature from another machine is waited for. */
export function awaitsSignature({ plan, signature }: SignState): boolean {
  return plan?.elsewhere === true && signature === undefined
}

function bring(state: SignState, text: string): Result {
  if (!awaitsSignature(state) || text === '') return [state, []]
  return [{ ...state, imported: text, signing: true, failure: undefined }, [command('take')]]
}

function retry(state: SignState): Result {
  const cleared = { ...state, observed: initialSign.observed, failure: undefined }
  return enter(cleared)
}

/** Returns the plan that the accepted fields make, once there is one for each. */
export function acceptedPlan(state: SignState): SignPlan | undefined {
  const { withdrawal, operator, amount } = state.accepted
  const amountGwei = amount === undefined ? undefined : parseTokens(amount)
  if (nextField(state) !== undefined || !withdrawal || !operator || amountGwei === undefined) return undefined
  const rescue = state.rescueOperator !== undefined
  const plan = { withdrawalAddress: withdrawal as Hex, operator: operator as Hex, amountGwei, rescue }
  return state.keyElsewhere ? { ...plan, elsewhere: true } : plan
}

/** Whether a signature is over exactly what was planned. */
export function isOverPlan(signature: SignatureFact, plan: SignPlan): boolean {
  return (
    sameHex(signature.withdrawalAddress, plan.withdrawalAddress) &&
    sameHex(signature.withdrawalCredentials.slice(-40), plan.withdrawalAddress.slice(2)) &&
    sameHex(signature.operator, plan.operator) &&
    signature.amountGwei === plan.amountGwei &&
    signature.rescue === plan.rescue
  )
}

/**
 * The signing step with the message of a payment that counts: what was planned and signed after it was abandoned says
 * nothing of it. A payment over what is signed already changes nothing. Throws `deposit.bad-calldata`.
 */
export function signedInstead(state: SignState, payment: { data: Hex; valueWei: Wei }): SignState {
  const { withdrawalCredentials, signature, operator, kind } = decodeDepositCalldata(payment.data)
  const amountGwei = weiToGwei(payment.valueWei)
  const rescue = kind === 'rescue'
  // A rescue names no operator: it is the one that the contract has, whatever is signed.
  const kept = rescue ? (state.plan?.operator ?? state.rescueOperator ?? operator) : operator
  const fact: SignatureFact = {
    withdrawalAddress: addressOf(withdrawalCredentials),
    withdrawalCredentials,
    operator: kept,
    amountGwei,
    signature,
    rescue,
  }
  if (isSigned(state, fact)) return state
  const { challengeOffset, rescueOperator, keyElsewhere, pubkey } = state
  const { withdrawalAddress } = fact
  const plan: SignPlan = { withdrawalAddress, operator: kept, amountGwei, rescue }
  return {
    ...initialSign,
    challengeOffset,
    rescueOperator,
    keyElsewhere,
    pubkey,
    plan: keyElsewhere ? { ...plan, elsewhere: true } : plan,
    signature: fact,
  }
}

function isSigned({ signature: held }: SignState, fact: SignatureFact): boolean {
  return (
    held !== undefined &&
    sameHex(held.signature, fact.signature) &&
    sameHex(held.withdrawalCredentials, fact.withdrawalCredentials) &&
    sameHex(held.operator, fact.operator) &&
    held.amountGwei === fact.amountGwei &&
    held.rescue === fact.rescue
  )
}
