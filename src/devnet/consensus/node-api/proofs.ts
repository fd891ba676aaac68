import { NodeRefusal } from '../../../core/base/errors/devnet.ts'
import {
  type BeaconBlockHeader,
  type ProvableState,
  proveProposer,
  proveValidatorBalance,
  proveValidatorCredentials,
  proveValidatorPubkey,
} from '../../../core/chain/proofs/merkle.ts'
import type { Chain } from '../chain.ts'
import type { SlotRecord, StateRecord } from '../deposit-queue.ts'
import { fillSignature } from '../engine-block.ts'
import { invalid, recordOf, requireState, slotOf, slotOfTimestampId } from './ids.ts'

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
export function hexQuantity(value: bigint): string {
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
