import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { genesisState } from '../../../../src/core/chain/consensus/process-epoch.ts'
import { processSlot } from '../../../../src/core/chain/consensus/process-slot.ts'
import {
  type ConsensusBlock,
  type ConsensusState,
  FAR_FUTURE_EPOCH,
  type Validator,
} from '../../../../src/core/chain/consensus/state.ts'
import type { ChainSpec } from '../../../../src/core/chain/network/network.ts'

/** The real network's limits with short epochs and, unless said otherwise, three places. */
export function shortSpec(changes: Partial<ChainSpec> = {}): ChainSpec {
  return {
    slotsPerEpoch: 4n,
    targetSecondsPerSlot: 2,
    maxEffectiveBalanceGwei: tokens(10_000_000n),
    effectiveBalanceIncrementGwei: tokens(10_000n),
    activationBalanceGwei: tokens(250_000n),
    hysteresisQuotient: 4n,
    hysteresisDownwardMultiplier: 1n,
    hysteresisUpwardMultiplier: 5n,
    hysteresisQuotientFulu: 100n,
    hysteresisUpwardMultiplierFulu: 10n,
    validatorSetCap: 3,
    withdrawabilityDelayEpochs: 2n,
    maxWithdrawalsPerPayload: 16,
    maxValidatorsPerWithdrawalsSweep: 31,
    maxDepositsPerBlock: 16,
    depositChainId: 80087,
    depositContract: '0x4242424242424242424242424242424242424242',
    genesisTimeSeconds: 0n,
    electraTimeSeconds: 100n,
    electraOneTimeSeconds: 200n,
    fuluTimeSeconds: 300n,
    ...changes,
  }
}

/** A pubkey whose bytes sort like the number. */
export const pubkey = (number: number): Hex => `0x${number.toString(16).padStart(96, '0')}`
/** The execution address that belongs to a number. */
export const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`
/** Credentials that name that address. */
export const credentials = (number: number): Hex =>
  `0x01${'00'.repeat(11)}${number.toString(16).padStart(40, '0')}`

/** A genesis with validators of whole tokens; the first one has pubkey 1, the next 2 and so on. */
export function genesisOf(stakes: readonly bigint[], spec: ChainSpec): ConsensusState {
  return genesisState(
    stakes.map((stake, index) => ({
      pubkey: pubkey(index + 1),
      withdrawalCredentials: credentials(index + 1),
      amountGwei: tokens(stake),
    })),
    spec,
  )
}

/** A validator record with every epoch far away, changed where a test says so. */
export function validatorOf(changes: Partial<Validator> = {}): Validator {
  return {
    pubkey: pubkey(1),
    withdrawalCredentials: credentials(1),
    effectiveBalanceGwei: 250_000_000_000_000n,
    slashed: false,
    activationEligibilityEpoch: FAR_FUTURE_EPOCH,
    activationEpoch: FAR_FUTURE_EPOCH,
    exitEpoch: FAR_FUTURE_EPOCH,
    withdrawableEpoch: FAR_FUTURE_EPOCH,
    ...changes,
  }
}

/** A block under Fulu's rules that brings nothing, changed where a test says so. */
export function blockAt(slot: bigint, changes: Partial<ConsensusBlock> = {}): ConsensusBlock {
  return { slot, fulu: true, deposits: [], withdrawalRequests: [], ...changes }
}

/** Runs empty blocks up to and including a slot. */
export function runEmpty(state: ConsensusState, spec: ChainSpec, toSlot: bigint): ConsensusState {
  let current = state
  while (current.slot < toSlot) current = processSlot(current, spec, blockAt(current.slot + 1n)).state
  return current
}
