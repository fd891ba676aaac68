import type { Hex } from '../../core/base/format/hex.ts'
import type { DevnetBlock, ExecutionLog } from './types.ts'

/** A block as JSON-RPC gives it, as far as it is read here. Quantities are hex. */
export type RpcBlock = {
  number: Hex
  hash: Hex
  parentHash: Hex
  miner: Hex
  stateRoot: Hex
  receiptsRoot: Hex
  transactionsRoot: Hex
  withdrawalsRoot: Hex
  logsBloom: Hex
  mixHash: Hex
  gasLimit: Hex
  gasUsed: Hex
  timestamp: Hex
  extraData: Hex
  baseFeePerGas: Hex
  blobGasUsed: Hex
  excessBlobGas: Hex
  /** Hashes: no block is asked for with more of them. */
  transactions: readonly Hex[]
}

type RpcLog = {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  blockNumber: Hex
  transactionHash: Hex
  logIndex: Hex
}

/** Returns a block of the client in the words of this module. */
export function readBlock(block: RpcBlock): DevnetBlock {
  const {
    hash,
    parentHash,
    stateRoot,
    receiptsRoot,
    logsBloom,
    extraData,
    transactionsRoot,
    withdrawalsRoot,
  } = block
  return {
    number: Number(block.number),
    hash,
    parentHash,
    feeRecipient: block.miner,
    stateRoot,
    receiptsRoot,
    logsBloom,
    prevRandao: block.mixHash,
    gasLimit: BigInt(block.gasLimit),
    gasUsed: BigInt(block.gasUsed),
    timestampSeconds: Number(block.timestamp),
    extraData,
    baseFeeWei: BigInt(block.baseFeePerGas),
    transactionsRoot,
    withdrawalsRoot,
    blobGasUsed: BigInt(block.blobGasUsed),
    excessBlobGas: BigInt(block.excessBlobGas),
  }
}

/** A log of the client in the words of this module. */
function readLog(log: RpcLog): ExecutionLog {
  const { address, topics, data, transactionHash } = log
  return {
    address,
    topics,
    data,
    blockNumber: Number(log.blockNumber),
    transactionHash,
    logIndex: Number(log.logIndex),
  }
}

/** Logs of one block in the order of the block. */
export function decodeLogs(logs: unknown): ExecutionLog[] {
  return (logs as RpcLog[]).map(readLog).sort((a, b) => a.logIndex - b.logIndex)
}

/** Base fee of the block after this one (EIP-1559), before any floor. */
export function nextBaseFeeWei(block: DevnetBlock): bigint {
  const target = block.gasLimit / 2n
  const { baseFeeWei, gasUsed } = block
  if (gasUsed === target) return baseFeeWei
  if (gasUsed < target) return baseFeeWei - (baseFeeWei * (target - gasUsed)) / target / 8n
  const rise = (baseFeeWei * (gasUsed - target)) / target / 8n
  return baseFeeWei + (rise > 0n ? rise : 1n)
}
