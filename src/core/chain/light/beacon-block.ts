import {
  ByteListType,
  ByteVectorType,
  ContainerType,
  ListCompositeType,
  UintBigintType,
} from '@chainsafe/ssz'
import { bytesToHex, type Hex } from '../../base/format/hex.ts'
import { Eth1DataType, WithdrawalsType } from '../proofs/beacon-state.ts'

const Uint64 = new UintBigintType(8)
const Uint256 = new UintBigintType(32)
const Bytes20 = new ByteVectorType(20)
const Bytes32 = new ByteVectorType(32)
const Bytes48 = new ByteVectorType(48)
const Bytes96 = new ByteVectorType(96)
/** A list that the network never fills. */
const Unused = new ListCompositeType(Bytes32, 16)

const DepositsType = new ListCompositeType(
  new ContainerType({
    pubkey: Bytes48,
    withdrawalCredentials: Bytes32,
    amount: Uint64,
    signature: Bytes96,
    index: Uint64,
  }),
  8192,
)

const WithdrawalRequestsType = new ListCompositeType(
  new ContainerType({ sourceAddress: Bytes20, pubkey: Bytes48, amount: Uint64 }),
  16,
)

const ConsolidationsType = new ListCompositeType(
  new ContainerType({ sourceAddress: Bytes20, sourcePubkey: Bytes48, targetPubkey: Bytes48 }),
  2,
)

const ExecutionPayloadType = new ContainerType({
  parentHash: Bytes32,
  feeRecipient: Bytes20,
  stateRoot: Bytes32,
  receiptsRoot: Bytes32,
  logsBloom: new ByteVectorType(256),
  prevRandao: Bytes32,
  blockNumber: Uint64,
  gasLimit: Uint64,
  gasUsed: Uint64,
  timestamp: Uint64,
  extraData: new ByteListType(32),
  baseFeePerGas: Uint256,
  blockHash: Bytes32,
  transactions: new ListCompositeType(new ByteListType(2 ** 30), 2 ** 20),
  withdrawals: WithdrawalsType,
  blobGasUsed: Uint64,
  excessBlobGas: Uint64,
})

const BeaconBlockBodyType = new ContainerType({
  randaoReveal: Bytes96,
  eth1Data: Eth1DataType,
  graffiti: Bytes32,
  proposerSlashings: Unused,
  attesterSlashings: Unused,
  attestations: Unused,
  deposits: DepositsType,
  voluntaryExits: Unused,
  syncAggregate: new ContainerType({
    syncCommitteeBits: new ByteVectorType(64),
    syncCommitteeSignature: Bytes96,
  }),
  executionPayload: ExecutionPayloadType,
  blsToExecutionChanges: Unused,
  blobKzgCommitments: new ListCompositeType(Bytes48, 4096),
  executionRequests: new ContainerType({
    deposits: DepositsType,
    withdrawals: WithdrawalRequestsType,
    consolidations: ConsolidationsType,
  }),
})

/**
 * `SignedBeaconBlock` from Electra on, as the first transaction of an engine block holds it. It reads and writes the
 * bytes exactly; its hash tree root is not the node's, whose limits of unused lists are not known.
 */
export const SignedBeaconBlockType = new ContainerType({
  message: new ContainerType({
    slot: Uint64,
    proposerIndex: Uint64,
    parentRoot: Bytes32,
    stateRoot: Bytes32,
    body: BeaconBlockBodyType,
  }),
  signature: Bytes96,
})

/** What a beacon block says of the state after it, of the block before it and of the execution block that it carries. */
export type BeaconBlock = {
  slot: bigint
  proposerIndex: bigint
  /** Root of the header of the beacon block before. */
  parentRoot: Hex
  /** Root of the beacon state after this block. */
  stateRoot: Hex
  payload: ExecutionPayload
}

export type ExecutionPayload = {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Root of the execution state after this block. */
  stateRoot: Hex
  receiptsRoot: Hex
  logsBloom: Hex
  /** Unix seconds. */
  timestampSeconds: bigint
  /** Each transaction as it was broadcast (EIP-2718). */
  transactions: readonly Hex[]
}

/**
 * Reads the SSZ bytes of a `SignedBeaconBlock` (consensus spec, Electra). Returns undefined for bytes of another
 * layout. Proves nothing by itself: the bytes must be those that the engine's data hash names.
 */
export function readBeaconBlock(bytes: Uint8Array): BeaconBlock | undefined {
  try {
    const { message } = SignedBeaconBlockType.deserialize(bytes)
    const { executionPayload: payload } = message.body
    return {
      slot: message.slot,
      proposerIndex: message.proposerIndex,
      parentRoot: bytesToHex(message.parentRoot),
      stateRoot: bytesToHex(message.stateRoot),
      payload: {
        number: payload.blockNumber,
        hash: bytesToHex(payload.blockHash),
        parentHash: bytesToHex(payload.parentHash),
        stateRoot: bytesToHex(payload.stateRoot),
        receiptsRoot: bytesToHex(payload.receiptsRoot),
        logsBloom: bytesToHex(payload.logsBloom),
        timestampSeconds: payload.timestamp,
        transactions: payload.transactions.map(bytesToHex),
      },
    }
  } catch {
    return undefined
  }
}
