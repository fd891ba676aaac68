import { gweiToWei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { encodeFirstDeposit, encodeRescueDeposit } from '../../chain/deposit/calldata.ts'
import type { Facts, Setup, SignatureFact } from '../../chain/facts.ts'
import { paymentTransition } from '../../pay/payment/machine.ts'
import type { PaymentCommand, PaymentEvent, PaymentPlan, PaymentState } from '../../pay/payment/payment.ts'
import { resumePayment } from '../../pay/payment/remembered.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'

export type DepositState = PaymentState
export type DepositStepEvent = (PaymentEvent & { step: 'deposit' }) | { step: 'deposit'; type: 'entered' }

/** It `looks` alone: an error in it is the step's, and none of the payment. */
export type DepositCommand = { step: 'deposit'; type: 'watch-key'; scope: 'here'; looks: true }

const WATCH_KEY: DepositCommand = { step: 'deposit', type: 'watch-key', scope: 'here', looks: true }

type Result = readonly [DepositState, readonly (PaymentCommand | DepositCommand)[]]

/** Returns the fourth step: send the first deposit, once. */
export function depositTransition(state: DepositState, event: DepositStepEvent): Result {
  if (event.type !== 'entered') return paymentTransition(state, event)
  const [next, commands] = isBegun(state)
    ? resumePayment(state, 'deposit')
    : paymentTransition(state, { step: 'deposit', type: 'checkAsked' })
  return [next, [...commands, WATCH_KEY]]
}

/** The agreement to the first deposit that fits the signature: about a key that nobody has used, or a burnt one. */
export function depositAgreement(
  facts: Facts,
  setup: Setup,
): (DepositStepEvent & { type: 'agreed' }) | undefined {
  const plan = depositPlan(facts, setup)
  if (plan === undefined || facts.signature === undefined) return undefined
  const about = facts.signature.rescue ? 'burnt-key' : 'unused-key'
  return { step: 'deposit', type: 'agreed', plan, world: { about } }
}

/** Returns the one payment that fits the signature: the value is computed from the signed message, never typed. */
export function depositPlan(facts: Facts, { network }: Setup): PaymentPlan | undefined {
  const { identity, signature } = facts
  if (facts.genesis === undefined || identity === undefined || signature === undefined) return undefined
  return {
    to: network.spec.depositContract,
    valueWei: gweiToWei(signature.amountGwei),
    data: calldataOf(identity.pubkey, signature),
  }
}

function calldataOf(pubkey: Hex, fact: SignatureFact): Hex {
  const { withdrawalCredentials, signature, operator, rescue } = fact
  const signed = { pubkey, withdrawalCredentials, signature }
  return rescue ? encodeRescueDeposit(signed) : encodeFirstDeposit({ ...signed, operator })
}
