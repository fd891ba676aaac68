import { encodeFirstDeposit, encodeRescueDeposit } from '../../deposit/calldata.ts'
import type { Facts, Setup, SignatureFact } from '../../facts.ts'
import { gwei, gweiToWei } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import { resumeSend, sendTransition } from '../sending/machine.ts'
import type { PaymentPlan, SendCommand, SendEvent, SendState } from '../sending/state.ts'

export type DepositState = SendState
export type DepositEvent = (SendEvent & { step: 'deposit' }) | { step: 'deposit'; type: 'entered' }

/** The fourth step: send the first deposit, once. */
export function depositTransition(
  state: DepositState,
  event: DepositEvent,
): readonly [DepositState, readonly SendCommand[]] {
  if (event.type !== 'entered') return sendTransition(state, event)
  if (state.phase === 'idle') return sendTransition(state, { step: 'deposit', type: 'checkAsked' })
  return resumeSend(state, 'deposit')
}

/** The one payment that fits the signature: the value is computed from the signed message, never typed. */
export function depositPlan(facts: Facts, { network }: Setup): PaymentPlan | undefined {
  const { identity, signature } = facts
  if (facts.genesis === undefined || identity === undefined || signature === undefined) return undefined
  return {
    to: network.spec.depositContract,
    valueWei: gweiToWei(gwei(signature.amountGwei)),
    data: calldataOf(identity.pubkey, signature),
  }
}

function calldataOf(pubkey: Hex, fact: SignatureFact): Hex {
  const { withdrawalCredentials, signature, operator, rescue } = fact
  const signed = { pubkey, withdrawalCredentials, signature }
  return rescue ? encodeRescueDeposit(signed) : encodeFirstDeposit({ ...signed, operator })
}
