import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { applyDeposits } from './process-epoch.ts'
import type { ConsensusState } from './state.ts'

/** A deposit of a genesis file; its signature is taken as valid. */
export type GenesisDeposit = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: bigint
}

/**
 * The state of slot 0 from the deposits of a genesis file, in order. Deposits are applied one after another, so a
 * second one for a pubkey raises its balance and leaves its effective balance; whoever then has the activation
 * balance is active from epoch 0.
 */
export function genesisState(deposits: readonly GenesisDeposit[], spec: ChainSpec): ConsensusState {
  const empty: ConsensusState = {
    slot: 0n,
    validators: [],
    balancesGwei: [],
    pendingPartialWithdrawals: [],
    nextWithdrawalIndex: 0n,
    nextWithdrawalValidatorIndex: 0,
  }
  const signed = deposits.map((deposit) => ({ ...deposit, signatureValid: true }))
  const state = applyDeposits(empty, signed, spec)
  const validators = state.validators.map((validator) =>
    validator.effectiveBalanceGwei < spec.activationBalanceGwei
      ? validator
      : { ...validator, activationEligibilityEpoch: 0n, activationEpoch: 0n },
  )
  return { ...state, validators }
}
