import type { Gwei } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { ConsensusDeposit } from '../../src/core/chain/consensus/state.ts'
import type { ChainSpec } from '../../src/core/chain/network/network.ts'

/** Limits of a chain as a row of vectors gives them. */
export type SpecRow = {
  effectiveBalanceIncrementGwei: string
  hysteresisDownwardMultiplier: number
  hysteresisQuotient: number
  hysteresisUpwardMultiplier: number
  maxEffectiveBalanceGwei: string
  maxValidatorsPerWithdrawalsSweep: number
  maxWithdrawalsPerPayload: number
  minActivationBalanceGwei: string
  slotsPerEpoch: number
  validatorSetCap: number
  withdrawabilityDelayEpochs: number
}
/** A deposit as a row of vectors gives it. */
export type DepositRow = { pubkey: Hex; credentials: Hex; amountGwei: string; signatureValid: boolean }

/** A row's deposit for the model. */
export function depositOf(row: DepositRow): ConsensusDeposit {
  return {
    pubkey: row.pubkey,
    withdrawalCredentials: row.credentials,
    amountGwei: BigInt(row.amountGwei),
    signatureValid: row.signatureValid,
  }
}

/** A row's limits as a chain spec; its one set of hysteresis values stands for both forks. */
export function chainSpec(row: SpecRow): ChainSpec {
  const amount = (text: string): Gwei => BigInt(text)
  return {
    slotsPerEpoch: BigInt(row.slotsPerEpoch),
    targetSecondsPerSlot: 2,
    maxEffectiveBalanceGwei: amount(row.maxEffectiveBalanceGwei),
    effectiveBalanceIncrementGwei: amount(row.effectiveBalanceIncrementGwei),
    activationBalanceGwei: amount(row.minActivationBalanceGwei),
    hysteresisQuotient: BigInt(row.hysteresisQuotient),
    hysteresisDownwardMultiplier: BigInt(row.hysteresisDownwardMultiplier),
    hysteresisUpwardMultiplier: BigInt(row.hysteresisUpwardMultiplier),
    hysteresisQuotientFulu: BigInt(row.hysteresisQuotient),
    hysteresisUpwardMultiplierFulu: BigInt(row.hysteresisUpwardMultiplier),
    validatorSetCap: row.validatorSetCap,
    withdrawabilityDelayEpochs: BigInt(row.withdrawabilityDelayEpochs),
    maxWithdrawalsPerPayload: row.maxWithdrawalsPerPayload,
    maxValidatorsPerWithdrawalsSweep: row.maxValidatorsPerWithdrawalsSweep,
    maxDepositsPerBlock: 16,
    depositChainId: 80087,
    depositContract: '0x4242424242424242424242424242424242424242',
    genesisTimeSeconds: 0n,
    electraTimeSeconds: 0n,
    electraOneTimeSeconds: 0n,
    fuluTimeSeconds: 0n,
  }
}
