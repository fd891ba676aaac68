import { type Wei, weiToGwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import { addressOf } from '../../chain/deposit/credentials.ts'
import type { SignatureFact } from '../../chain/facts.ts'
import { initialSign, type SignPlan, type SignState } from './machine.ts'

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
