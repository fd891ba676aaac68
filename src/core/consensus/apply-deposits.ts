import { sameHex } from '../format/hex.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import type { ConsensusDeposit } from './block.ts'
import { newValidator } from './new-validator.ts'
import type { ConsensusState, Validator } from './state.ts'

/**
 * Applies deposits in event order. A known pubkey only grows its
 * balance; an unknown one becomes a validator when its signature is valid, else the money is gone.
 */
export function applyDeposits(
  state: ConsensusState,
  deposits: readonly ConsensusDeposit[],
  spec: ChainSpec,
): ConsensusState {
  if (deposits.length === 0) return state
  const validators = [...state.validators]
  const balancesGwei = [...state.balancesGwei]
  for (const deposit of deposits) {
    const index = findValidatorIndex(validators, deposit.pubkey)
    if (index !== undefined) {
      balancesGwei[index] = (balancesGwei[index] ?? 0n) + deposit.amountGwei
      continue
    }
    if (!deposit.signatureValid) continue
    validators.push(newValidator(deposit, spec))
    balancesGwei.push(deposit.amountGwei)
  }
  return { ...state, validators, balancesGwei }
}

/** The place of a pubkey in the registry, undefined when consensus does not know it. */
export function findValidatorIndex(validators: readonly Validator[], pubkey: string): number | undefined {
  const index = validators.findIndex((validator) => sameHex(validator.pubkey, pubkey))
  return index === -1 ? undefined : index
}
