import { bytesToHex } from '../../../core/base/format/hex.ts'
import type { BeaconState, ExecutionPayloadHeader } from '../../../core/chain/proofs/beacon-state.ts'
import type { StateRecord } from '../deposit-queue.ts'
import { hexQuantity } from './proofs.ts'

/**
 * The whole state as `/eth/v2/debug/beacon/states/{id}` writes it: hex quantities, camelCase inside and snake_case
 * outside, balances and the deposit index as bare numbers, zero and empty fields left out.
 */
export function debugState(record: StateRecord) {
  const state = record.tree.toValue()
  return {
    genesis_validators_root: bytesToHex(state.genesisValidatorsRoot),
    slot: unlessZero(state.slot),
    fork: {
      previous_version: bytesToHex(state.fork.previousVersion),
      current_version: bytesToHex(state.fork.currentVersion),
      epoch: hexQuantity(state.fork.epoch),
    },
    latest_block_header: {
      slot: hexQuantity(state.latestBlockHeader.slot),
      proposer_index: hexQuantity(state.latestBlockHeader.proposerIndex),
      parent_block_root: bytesToHex(state.latestBlockHeader.parentRoot),
      state_root: bytesToHex(state.latestBlockHeader.stateRoot),
      body_root: bytesToHex(state.latestBlockHeader.bodyRoot),
    },
    block_roots: unlessEmpty(state.blockRoots.map(bytesToHex)),
    state_roots: unlessEmpty(state.stateRoots.map(bytesToHex)),
    eth1_data: {
      depositRoot: bytesToHex(state.eth1Data.depositRoot),
      depositCount: hexQuantity(state.eth1Data.depositCount),
      blockHash: bytesToHex(state.eth1Data.blockHash),
    },
    eth1_deposit_index: bareUnlessZero(state.eth1DepositIndex),
    latest_execution_payload_header: payloadHeader(state.latestExecutionPayloadHeader),
    validators: unlessEmpty(state.validators.map(validator)),
    balances: unlessEmpty(state.balances),
    randao_mixes: unlessEmpty(state.randaoMixes.map(bytesToHex)),
    next_withdrawal_index: bareUnlessZero(state.nextWithdrawalIndex),
    next_withdrawal_validator_index: unlessZero(state.nextWithdrawalValidatorIndex),
    slashings: unlessEmpty(state.slashings),
    total_slashing: unlessZero(state.totalSlashing),
    pending_partial_withdrawals: unlessEmpty(state.pendingPartialWithdrawals.map(partialWithdrawal)),
  }
}

function payloadHeader(header: ExecutionPayloadHeader) {
  return {
    parentHash: bytesToHex(header.parentHash),
    feeRecipient: bytesToHex(header.feeRecipient),
    stateRoot: bytesToHex(header.stateRoot),
    receiptsRoot: bytesToHex(header.receiptsRoot),
    logsBloom: bytesToHex(header.logsBloom),
    prevRandao: bytesToHex(header.prevRandao),
    blockNumber: hexQuantity(header.blockNumber),
    gasLimit: hexQuantity(header.gasLimit),
    gasUsed: hexQuantity(header.gasUsed),
    timestamp: hexQuantity(header.timestamp),
    extraData: bytesToHex(header.extraData),
    baseFeePerGas: String(header.baseFeePerGas),
    blockHash: bytesToHex(header.blockHash),
    transactionsRoot: bytesToHex(header.transactionsRoot),
    withdrawalsRoot: bytesToHex(header.withdrawalsRoot),
    blobGasUsed: hexQuantity(header.blobGasUsed),
    excessBlobGas: hexQuantity(header.excessBlobGas),
  }
}

function validator(item: BeaconState['validators'][number]) {
  return {
    pubkey: bytesToHex(item.pubkey),
    withdrawalCredentials: bytesToHex(item.withdrawalCredentials),
    effectiveBalance: hexQuantity(item.effectiveBalance),
    slashed: item.slashed,
    activationEligibilityEpoch: hexQuantity(item.activationEligibilityEpoch),
    activationEpoch: hexQuantity(item.activationEpoch),
    exitEpoch: hexQuantity(item.exitEpoch),
    withdrawableEpoch: hexQuantity(item.withdrawableEpoch),
  }
}

/** The node gives this structure no JSON names, so its own field names appear. */
function partialWithdrawal(item: BeaconState['pendingPartialWithdrawals'][number]) {
  return {
    ValidatorIndex: hexQuantity(item.validatorIndex),
    Amount: hexQuantity(item.amount),
    WithdrawableEpoch: hexQuantity(item.withdrawableEpoch),
  }
}

/** The node's plain integers; all other numbers of a state are hex quantities. */
function bareUnlessZero(value: bigint): bigint | undefined {
  return value === 0n ? undefined : value
}

function unlessZero(value: bigint): string | undefined {
  return value === 0n ? undefined : hexQuantity(value)
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items
}
