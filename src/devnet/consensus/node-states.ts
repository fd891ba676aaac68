import { NodeRefusal } from '../../core/base/errors/devnet.ts'
import { bytesToHex } from '../../core/base/format/hex.ts'
import type { BeaconState, ExecutionPayloadHeader } from '../../core/chain/proofs/beacon-state.ts'
import {
  type BeaconBlockHeader,
  type ProvableState,
  proveProposer,
  proveValidatorBalance,
  proveValidatorCredentials,
  proveValidatorPubkey,
} from '../../core/chain/proofs/merkle.ts'
import type { Chain, SlotRecord, StateRecord } from './chain.ts'
import { fillSignature } from './engine.ts'

type ProvableRecord = { record: SlotRecord; state: StateRecord; from: ProvableState }

/** `proof/block_proposer/{timestamp_id}`. Throws the node's refusals. */
export function proposerProof(chain: Chain, timestampId: string) {
  const found = find(chain, timestampId)
  const index = Number(found.record.header.proposerIndex)
  return {
    ...headerFields(found),
    ...pubkeyFields(found, index),
    proposer_index_proof: proveProposer(found.record.header),
  }
}

/** `proof/validator_pubkey/{timestamp_id}/{index}`; undefined where the node's handler crashes. */
export function pubkeyProof(chain: Chain, timestampId: string, index: string) {
  return proofOf(chain, { timestampId, index }, pubkeyFields)
}

/** `proof/validator_credentials/{timestamp_id}/{index}`; undefined where the node's handler crashes. */
export function credentialsProof(chain: Chain, timestampId: string, index: string) {
  return proofOf(chain, { timestampId, index }, ({ state, from }, at) => ({
    validator_withdrawal_credentials: state.consensus.validators[at]?.withdrawalCredentials,
    withdrawal_credentials_proof: proveValidatorCredentials(from, at),
  }))
}

/** `proof/validator_balance/{timestamp_id}/{index}`; undefined where the node's handler crashes. */
export function balanceProof(chain: Chain, timestampId: string, index: string) {
  return proofOf(chain, { timestampId, index }, ({ state, from }, at) => {
    const { leaf, proof } = proveValidatorBalance(from, at)
    return {
      validator_balance: hexQuantity(state.consensus.balancesGwei[at] ?? 0n),
      balance_leaf: leaf,
      balance_proof: proof,
    }
  })
}

function proofOf<Fields extends object>(
  chain: Chain,
  asked: { timestampId: string; index: string },
  fieldsOf: (found: ProvableRecord, index: number) => Fields,
) {
  if (!/^-?\d+$/.test(asked.index)) throw invalid('ValidatorIndex', asked.index)
  const index = toUint64(asked.index)
  const found = find(chain, asked.timestampId)
  if (index >= BigInt(found.state.consensus.validators.length)) return undefined
  return { ...headerFields(found), ...fieldsOf(found, Number(index)) }
}

function toUint64(digits: string): bigint {
  if (digits.startsWith('-')) throw parseFault(digits, 'invalid syntax')
  const value = BigInt(digits)
  if (value >= 1n << 64n) throw parseFault(digits, 'value out of range')
  return value
}

function parseFault(digits: string, what: string): NodeRefusal {
  return new NodeRefusal(500, `strconv.ParseUint: parsing "${digits}": ${what}`)
}

function find(chain: Chain, timestampId: string): ProvableRecord {
  const slot = slotOfTimestampId(chain, timestampId)
  const state = requireState(chain, slot)
  const record = recordOf(chain, slot)
  if ('missing' in record) throw new NodeRefusal(500, record.message)
  return { record, state, from: { header: record.header, state: state.tree } }
}

function headerFields({ record }: ProvableRecord) {
  return { beacon_block_header: proofHeader(record.header), beacon_block_root: record.root }
}

function pubkeyFields({ state, from }: ProvableRecord, index: number) {
  return {
    validator_pubkey: state.consensus.validators[index]?.pubkey,
    validator_pubkey_proof: proveValidatorPubkey(from, index),
  }
}

function proofHeader(header: BeaconBlockHeader) {
  return {
    slot: hexQuantity(header.slot),
    proposer_index: hexQuantity(header.proposerIndex),
    parent_block_root: header.parentRoot,
    state_root: header.stateRoot,
    body_root: header.bodyRoot,
  }
}

/** Returns a number as 0x hex without leading zeros. */
function hexQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/**
 * `headers/{id}`. As on the real node `root` is the body's root, not the header's. Throws the node's refusals.
 */
export function headerReply(chain: Chain, blockId: string) {
  const slot = slotOf(chain, 'BlockID', blockId)
  const found = recordOf(chain, slot)
  if ('missing' in found) {
    throw new NodeRefusal(404, `not found: failed to get state from height ${slot}, ${found.message}`)
  }
  const { header } = found
  return {
    root: header.bodyRoot,
    canonical: true,
    header: {
      message: {
        slot: String(header.slot),
        proposer_index: String(header.proposerIndex),
        parent_root: header.parentRoot,
        state_root: header.stateRoot,
        body_root: header.bodyRoot,
      },
      signature: signatureOf(found),
    },
  }
}

function signatureOf({ header, root }: SlotRecord): string {
  return header.slot === 0n ? '' : fillSignature(root)
}

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

const MAX_UINT64 = (1n << 64n) - 1n
const DECIMAL = /^\d{1,20}$/
const ROOT = /^0x[0-9a-f]{64}$/i
const HEAD_NAMES = new Set(['head', 'finalized', 'justified'])

/** The 400 that the node gives for a field it cannot read. */
export function invalid(field: string, value: string): NodeRefusal {
  return new NodeRefusal(
    400,
    `invalid request: failed to validate request: code=400, message=Invalid ${field}: ${value}`,
  )
}

/**
 * The slot that a state, block or timestamp id names: head, finalized, justified, genesis, a slot or a state root.
 * It may lie in the future. Throws a 400 with the field's name for anything else.
 */
export function slotOf(chain: Chain, field: string, id: string): bigint {
  if (HEAD_NAMES.has(id)) return chain.history.head.header.slot
  if (id === 'genesis') return 0n
  if (DECIMAL.test(id) && BigInt(id) <= MAX_UINT64) return BigInt(id)
  if (!ROOT.test(id)) throw invalid(field, id)
  const slot = chain.history.slotOfStateRoot(id)
  if (slot === undefined) throw new NodeRefusal(404, 'not found')
  return slot
}

/** Returns the slot of a timestamp id: besides the usual names, `t<unix seconds>` of the next execution block. */
function slotOfTimestampId(chain: Chain, id: string): bigint {
  const seconds = /^t(\d{1,20})$/.exec(id)?.[1]
  if (seconds === undefined) return slotOf(chain, 'TimestampID', id)
  const slot = chain.history.slotBefore(BigInt(seconds))
  if (slot === undefined) throw new NodeRefusal(500, `slot not found at timestamp: ${seconds}`)
  return slot
}

/** Why there is no state of a slot: it is still to come, or no longer kept. */
export type Missing = { missing: 'future' | 'pruned'; message: string }

/** Returns the state of a slot, or why there is none. */
export function stateOf(chain: Chain, slot: bigint): StateRecord | Missing {
  return chain.history.stateAt(slot) ?? missing(chain, slot)
}

/** Returns the state of a slot; throws the 500 that most endpoints give when there is none. */
export function requireState(chain: Chain, slot: bigint): StateRecord {
  const found = stateOf(chain, slot)
  if ('missing' in found) throw new NodeRefusal(500, found.message)
  return found
}

/** Returns the record of a slot, or why there is none. */
export function recordOf(chain: Chain, slot: bigint): SlotRecord | Missing {
  return chain.history.at(slot) ?? missing(chain, slot)
}

function missing(chain: Chain, slot: bigint): Missing {
  const head = chain.history.head.header.slot
  if (slot > head) return { missing: 'future', message: `CreateQueryContext failed: ${IN_THE_FUTURE}` }
  return { missing: 'pruned', message: pruned(slot, head) }
}

const IN_THE_FUTURE =
  'cannot query with height in the future; please provide a valid height: invalid height [consensus/cometbft/service/node_api_support.go:64]'

function pruned(slot: bigint, head: bigint): string {
  return `CreateQueryContext failed: failed to load state at height ${slot}; version does not exist (latest height: ${head}): invalid request`
}
