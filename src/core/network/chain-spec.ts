import type { Gwei } from '../format/amount.ts'
import type { Hex } from '../format/hex.ts'

/** Limits and times of one chain, as in its `spec.toml`. Amounts in gwei, times in Unix seconds. */
export type ChainSpec = {
  slotsPerEpoch: bigint
  targetSecondsPerSlot: number
  maxEffectiveBalanceGwei: Gwei
  effectiveBalanceIncrementGwei: Gwei
  activationBalanceGwei: Gwei
  /** Before Fulu. */
  hysteresisQuotient: bigint
  hysteresisDownwardMultiplier: bigint
  hysteresisUpwardMultiplier: bigint
  /** From Fulu on. */
  hysteresisQuotientFulu: bigint
  hysteresisUpwardMultiplierFulu: bigint
  validatorSetCap: number
  withdrawabilityDelayEpochs: bigint
  maxWithdrawalsPerPayload: number
  maxValidatorsPerWithdrawalsSweep: number
  maxDepositsPerBlock: number
  depositChainId: number
  depositContract: Hex
  genesisTimeSeconds: bigint
  electraTimeSeconds: bigint
  electraOneTimeSeconds: bigint
  fuluTimeSeconds: bigint
}
