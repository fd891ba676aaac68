import type { Hex } from '../format/hex.ts'
import type { ConsensusState } from './state.ts'

/** A deposit as the beacon state sees it. `signatureValid` stands for the BLS check over the deposited amount. */
export type ConsensusDeposit = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: bigint
  signatureValid: boolean
}

/** A withdrawal request of the execution layer (EIP-7002). Amount 0 asks for a full exit. */
export type WithdrawalRequest = {
  sourceAddress: Hex
  pubkey: Hex
  amountGwei: bigint
}

/** What a block brings that matters to validators and their money. */
export type ConsensusBlock = {
  slot: bigint
  /** Whether Fulu's rules hold at this block's timestamp. */
  fulu: boolean
  /**
   * The same for the block before: an epoch turn still runs on the rules of the state it starts from, so the two
   * differ in the first block of Fulu. Left out, it equals `fulu`.
   */
  parentFulu?: boolean
  /** Deposits that take effect in this slot, in event order. */
  deposits: readonly ConsensusDeposit[]
  withdrawalRequests: readonly WithdrawalRequest[]
}

/** One payment to an execution address. */
export type ConsensusWithdrawal = {
  index: bigint
  validatorIndex: number
  address: Hex
  amountGwei: bigint
}

/** A change of the engine's validator set; power 0 removes. */
export type EngineUpdate = {
  pubkey: Hex
  powerGwei: bigint
}

/** The state after a slot and what left it. */
export type SlotResult = {
  state: ConsensusState
  /** Payments of the slot without the inflation entry that heads every payload. */
  withdrawals: readonly ConsensusWithdrawal[]
  /** Empty in a slot that turns no epoch. */
  engineUpdates: readonly EngineUpdate[]
}
