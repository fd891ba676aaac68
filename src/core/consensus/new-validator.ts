import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import { floorEffectiveBalance } from './effective-balance.ts'
import { FAR_FUTURE_EPOCH, type Validator } from './state.ts'

/** The record that a first deposit of `amountGwei` creates: effective balance floored, every epoch far away. */
export function newValidator(
  deposit: { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: bigint },
  spec: ChainSpec,
): Validator {
  return {
    pubkey: deposit.pubkey,
    withdrawalCredentials: deposit.withdrawalCredentials,
    effectiveBalanceGwei: floorEffectiveBalance(deposit.amountGwei, spec),
    slashed: false,
    activationEligibilityEpoch: FAR_FUTURE_EPOCH,
    activationEpoch: FAR_FUTURE_EPOCH,
    exitEpoch: FAR_FUTURE_EPOCH,
    withdrawableEpoch: FAR_FUTURE_EPOCH,
  }
}
