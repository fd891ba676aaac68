import type { SignatureFact } from '../../facts.ts'
import { sameHex } from '../../format/hex.ts'
import type { SignPlan } from './machine.ts'

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
