import { ClientError } from '../../base/errors/client.ts'
import { formatCount } from '../../base/format/amount.ts'
import {
  type Decoder,
  hex,
  list,
  nullable,
  optional,
  quantity,
  quantity64,
  record,
} from '../../base/format/decode.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { LIST } from '../json-rpc.ts'
import { type ExecutionClient, notFound, stillSyncs } from './client.ts'

/** A block by number, by name, or by hash (EIP-1898). */
export type BlockRef = bigint | 'latest' | 'finalized' | 'safe' | 'pending' | 'earliest' | { blockHash: Hex }

/** Returns the block parameter of a JSON-RPC call. */
export function encodeBlockRef(block: BlockRef): unknown {
  return typeof block === 'bigint' ? encodeQuantity(block) : block
}

/** Returns a hex quantity: 0x, no leading zeros. Throws a RangeError below zero. */
export function encodeQuantity(value: bigint): Hex {
  if (value < 0n) throw new RangeError('a quantity is not negative')
  return `0x${value.toString(16)}`
}

export type ExecutionBlock = {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: bigint
  /** Wei per gas. */
  baseFeePerGas: bigint | undefined
  /** Root of the beacon block before it (EIP-4788); zero on a rehearsal network. */
  parentBeaconBlockRoot: Hex | undefined
  /** Where the fees of the block went. */
  miner: Hex | undefined
}

const decodeBlock: Decoder<ExecutionBlock | undefined> = nullable(
  record({
    number: quantity64,
    hash: hex(32),
    parentHash: hex(32),
    timestamp: quantity64,
    baseFeePerGas: optional(quantity),
    parentBeaconBlockRoot: optional(hex(32)),
    miner: optional(hex(20)),
  }),
)

/**
 * Returns a block without its transactions, or undefined when the endpoint does not know it (`eth_getBlockByNumber`,
 * `eth_getBlockByHash`). Throws a `ClientError`.
 */
export function getBlock(
  client: ExecutionClient,
  args: { block: BlockRef },
): Promise<ExecutionBlock | undefined> {
  const { block } = args
  if (typeof block === 'object') {
    const params = [block.blockHash, false]
    return client.rpc({ method: 'eth_getBlockByHash', params, decode: decodeBlock })
  }
  const params = [encodeBlockRef(block), false]
  return client.rpc({ method: 'eth_getBlockByNumber', params, decode: decodeBlock })
}

const decodeContents = nullable(record({ hash: hex(32), transactions: list(hex(32)) }))

/**
 * Returns whether the block with that hash is at its height and holds a transaction; undefined where the endpoint has no block
 * there. Nodes that forget receipts keep blocks. Throws a `ClientError`.
 */
export async function holdsTransaction(
  client: ExecutionClient,
  { blockNumber, blockHash, hash }: { blockNumber: bigint; blockHash: Hex; hash: Hex },
): Promise<boolean | undefined> {
  const params = [encodeQuantity(blockNumber), false]
  const block = await client.rpc({
    method: 'eth_getBlockByNumber',
    params,
    decode: decodeContents,
    limits: LIST,
  })
  return block && sameHex(block.hash, blockHash) && block.transactions.some((one) => sameHex(one, hash))
}

/** Returns the latest block. Throws a `ClientError`, also where there is none. */
export async function latestBlock(client: ExecutionClient): Promise<ExecutionBlock> {
  const block = await getBlock(client, { block: 'latest' })
  if (block !== undefined) return block
  throw notFound(client, 'the latest block')
}

/** undefined: the client says that it is not syncing. One that says more may follow the chain all the same. */
export type SyncProgress = { currentBlock: bigint; highestBlock: bigint } | undefined

/**
 * Whether the client knows of a higher block than its own. After a start an archive client tells for a minute how far
 * it has indexed old blocks, with a highest block of 0, while it takes every new one: that is not behind.
 */
export function isBehind(progress: SyncProgress): progress is NonNullable<SyncProgress> {
  return progress !== undefined && progress.highestBlock > progress.currentBlock
}

const progress = record({ currentBlock: quantity64, highestBlock: quantity64 })

const decodeSyncing: Decoder<SyncProgress> = (value, path) =>
  value === false ? undefined : progress(value, path)

/** Whether the execution client still catches up, and how far it is (`eth_syncing`). Throws a `ClientError`. */
export function getSyncing(client: ExecutionClient): Promise<SyncProgress> {
  return client.rpc({ method: 'eth_syncing', params: [], decode: decodeSyncing })
}

/**
 * Returns the block of a number. Throws a `ClientError`, also where there is none; of a client that is still on its way there,
 * one that says how far it is.
 */
export async function numberedBlock(client: ExecutionClient, number: bigint): Promise<ExecutionBlock> {
  const block = await getBlock(client, { block: number })
  if (block !== undefined) return block
  const progress = await syncingIfOffered(client)
  if (isBehind(progress) && progress.currentBlock < number) throw stillSyncs(client, progress)
  throw notFound(client, `block ${formatCount(number)}`)
}

async function syncingIfOffered(client: ExecutionClient): Promise<SyncProgress> {
  try {
    return await getSyncing(client)
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}

/** Returns the number of the latest block (`eth_blockNumber`). Throws a `ClientError`. */
export function getBlockNumber(client: ExecutionClient): Promise<bigint> {
  return client.rpc({ method: 'eth_blockNumber', params: [], decode: quantity64 })
}

/** The contract of EIP-4788. */
const BEACON_ROOTS_ADDRESS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'

/**
 * Returns the root of the beacon block before the execution block with this timestamp (Unix seconds), as the execution
 * chain holds it (EIP-4788). undefined when it holds none: no block has that timestamp, or it is too old.
 * Throws a `ClientError`.
 */
export async function getBeaconRoot(
  client: ExecutionClient,
  args: { timestampSeconds: bigint; block?: BlockRef },
): Promise<Hex | undefined> {
  const data = `0x${args.timestampSeconds.toString(16).padStart(64, '0')}`
  const params = [{ to: BEACON_ROOTS_ADDRESS, data }, encodeBlockRef(args.block ?? 'latest')]
  try {
    return await client.rpc({ method: 'eth_call', params, decode: hex(32) })
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'reverted') return undefined
    throw thrown
  }
}
