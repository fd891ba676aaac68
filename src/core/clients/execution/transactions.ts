import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import { ClientError } from '../../base/errors/client.ts'
import type { Wei } from '../../base/format/amount.ts'
import {
  type Decoder,
  hex,
  list,
  nullable,
  optional,
  quantity,
  quantity64,
  quantityIndex,
  record,
  refuse,
} from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import { decodeContractError } from '../../chain/deposit/abi.ts'
import type { DepositEvent } from '../../chain/deposit/event.ts'
import { BROADCAST } from '../json-rpc.ts'
import { type BlockRef, encodeBlockRef } from './blocks.ts'
import { call } from './call.ts'
import type { ExecutionClient } from './client.ts'
import { depositEventIn } from './deposit-logs.ts'
import { decodeLog, type Log } from './get-logs.ts'

/**
 * The next nonce of an account: `latest` counts what is mined, `pending` also what this endpoint has in its pool
 * (`eth_getTransactionCount`). Throws a `ClientError`.
 */
export function getTransactionCount(
  client: ExecutionClient,
  args: { address: Hex; block: BlockRef },
): Promise<number> {
  const params = [args.address, encodeBlockRef(args.block)]
  return client.rpc({ method: 'eth_getTransactionCount', params, decode: quantityIndex })
}

export type FoundTransaction = {
  hash: Hex
  from: Hex
  to: Hex | undefined
  nonce: number
  valueWei: Wei
  input: Hex
  /** undefined while it is in no block. */
  blockNumber: bigint | undefined
  blockHash: Hex | undefined
}

const fields = record({
  hash: hex(32),
  from: hex(20),
  to: nullable(hex(20)),
  nonce: quantityIndex,
  value: quantity,
  input: hex(),
  blockNumber: nullable(quantity64),
  blockHash: nullable(hex(32)),
})

const decodeTransaction: Decoder<FoundTransaction | undefined> = nullable((value, path) => {
  const { value: valueWei, ...rest } = fields(value, path)
  return { ...rest, valueWei }
})

/**
 * A transaction by its hash, whether in a block or in the endpoint's pool, or undefined when this endpoint does not
 * know it, which does not mean that nobody does (`eth_getTransactionByHash`). Throws a `ClientError`.
 */
export function getTransactionByHash(
  client: ExecutionClient,
  args: { hash: Hex },
): Promise<FoundTransaction | undefined> {
  return client.rpc({ method: 'eth_getTransactionByHash', params: [args.hash], decode: decodeTransaction })
}

/** What a transaction offers and carries besides its call. Fees are in wei per gas. */
export type TransactionTerms = {
  /** The number of its kind (EIP-2718): 0 before those, 2 for EIP-1559, 3 with blobs, 4 with authorizations. */
  type: number
  gasLimit: bigint
  mostFeeWei: Wei
  /** Addresses in its access list (EIP-2930). */
  listed: number
  /** Blobs that it carries (EIP-4844). */
  blobs: number
  /** Contracts whose code it makes that of accounts (EIP-7702). */
  delegates: readonly Hex[]
}

const termFields = record({
  type: optional(quantityIndex),
  gas: quantity64,
  gasPrice: optional(quantity),
  maxFeePerGas: optional(nullable(quantity)),
  accessList: optional(nullable(list(record({ address: hex(20) })))),
  blobVersionedHashes: optional(nullable(list(hex(32)))),
  authorizationList: optional(nullable(list(record({ address: hex(20) })))),
})

const decodeTerms: Decoder<TransactionTerms | undefined> = nullable((value, path) => {
  const { type = 0, gas, gasPrice, maxFeePerGas, accessList, ...rest } = termFields(value, path)
  return {
    type,
    gasLimit: gas,
    mostFeeWei: maxFeePerGas ?? gasPrice ?? 0n,
    listed: accessList?.length ?? 0,
    blobs: rest.blobVersionedHashes?.length ?? 0,
    delegates: (rest.authorizationList ?? []).map(({ address }) => address),
  }
})

/** What a transaction offers and carries, by its hash (`eth_getTransactionByHash`). Throws a `ClientError`. */
export function getTransactionTerms(
  client: ExecutionClient,
  args: { hash: Hex },
): Promise<TransactionTerms | undefined> {
  return client.rpc({ method: 'eth_getTransactionByHash', params: [args.hash], decode: decodeTerms })
}

export type Receipt = {
  transactionHash: Hex
  /** `reverted` is status 0: mined, but without effect. */
  status: 'success' | 'reverted'
  blockNumber: bigint
  blockHash: Hex
  transactionIndex: number
  from: Hex
  to: Hex | undefined
  gasUsed: bigint
  /** Wei per gas that was paid. */
  effectiveGasPrice: bigint | undefined
  logs: Log[]
}

const status: Decoder<Receipt['status']> = (value, path) => {
  if (value === '0x1') return 'success'
  return value === '0x0' ? 'reverted' : refuse(path, '0x1 or 0x0', value)
}

const decodeReceipt: Decoder<Receipt | undefined> = nullable(
  record({
    transactionHash: hex(32),
    status,
    blockNumber: quantity64,
    blockHash: hex(32),
    transactionIndex: quantityIndex,
    from: hex(20),
    to: nullable(hex(20)),
    gasUsed: quantity64,
    effectiveGasPrice: optional(quantity),
    logs: list(decodeLog),
  }),
)

/**
 * The receipt of a mined transaction, or undefined while this endpoint has none (`eth_getTransactionReceipt`). A
 * receipt of another hash is refused. Throws a `ClientError`.
 */
export function getTransactionReceipt(
  client: ExecutionClient,
  { hash }: { hash: Hex },
): Promise<Receipt | undefined> {
  return askReceipt(client, hash, (receipt) => receipt)
}

function askReceipt<T>(
  client: ExecutionClient,
  hash: Hex,
  read: (receipt: Receipt, path: string) => T,
): Promise<T | undefined> {
  const decode: Decoder<T | undefined> = (value, path) => {
    const receipt = decodeReceipt(value, path)
    if (receipt === undefined) return undefined
    if (receipt.transactionHash === hash.toLowerCase()) return read(receipt, path)
    return refuse(`${path}.transactionHash`, hash, receipt.transactionHash)
  }
  return client.rpc({ method: 'eth_getTransactionReceipt', params: [hash], decode })
}

/** A receipt with what its transaction deposited. */
export type DepositReceipt = Receipt & { deposits: readonly DepositEvent[] }

/**
 * The same with the deposits that the transaction made in the contract, in order. A receipt with a Deposit event of the
 * contract that cannot be read is refused as a whole. Throws a `ClientError`.
 */
export function getDepositReceipt(
  client: ExecutionClient,
  { hash, depositContract: address }: { hash: Hex; depositContract: Hex },
): Promise<DepositReceipt | undefined> {
  const read = (receipt: Receipt, path: string) => ({
    ...receipt,
    deposits: receipt.logs.flatMap(
      (log, at) => depositEventIn(log, { address, path: `${path}.logs[${at}]` }) ?? [],
    ),
  })
  return askReceipt(client, hash, read)
}

/**
 * Hands a signed transaction to the endpoint, once and never again by itself, and gives the hash that it answers
 * (`eth_sendRawTransaction`). An error proves nothing: the transaction may have been taken.
 * Throws a `ClientError`.
 */
export function sendRawTransaction(client: ExecutionClient, args: { rawTransaction: Hex }): Promise<Hex> {
  const call = {
    method: 'eth_sendRawTransaction',
    params: [args.rawTransaction],
    decode: hex(32),
    limits: BROADCAST,
  }
  return client.rpc(call)
}

/**
 * Why the contract refused a mined transaction, in words: the same call again, as of its block. Throws nothing that
 * an endpoint can cause: what cannot be found out is said so.
 */
export async function revertReason(
  client: ExecutionClient,
  { transaction, from }: { transaction: UnsignedTransaction; from: Hex },
  blockNumber: bigint,
): Promise<string> {
  const { to, valueWei, data } = transaction
  try {
    await call(client, { from, to, valueWei, data, block: blockNumber })
    return 'The contract refused it then; now it would not.'
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.data === undefined) return 'The contract gave no reason.'
    return decodeContractError(thrown.data)?.words ?? 'The contract gave a reason that is not known here.'
  }
}
