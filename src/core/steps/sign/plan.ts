import type { SignatureFact } from '../../facts.ts'
import { type Hex, sameHex } from '../../format/hex.ts'

/** The message to be signed, as the user chose it. */
export type SignPlan = {
  withdrawalAddress: Hex
  operator: Hex
  amountGwei: bigint
  /** For a key whose operator is set already: the deposit will name none. */
  rescue: boolean
  /** The signature is made on another machine and brought here. */
  elsewhere?: true
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
