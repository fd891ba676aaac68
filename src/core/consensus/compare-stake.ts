import type { Validator } from './state.ts'

/**
 * The order in which the cap looks at validators: effective balance, then pubkey bytes, both ascending. The first
 * ones are the first to go, so at equal stake the smaller pubkey loses.
 */
export function compareStake(a: Validator, b: Validator): number {
  if (a.effectiveBalanceGwei !== b.effectiveBalanceGwei) {
    return a.effectiveBalanceGwei < b.effectiveBalanceGwei ? -1 : 1
  }
  const left = a.pubkey.toLowerCase()
  const right = b.pubkey.toLowerCase()
  if (left === right) return 0
  return left < right ? -1 : 1
}
