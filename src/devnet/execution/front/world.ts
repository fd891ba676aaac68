import type { Exclusive } from '../exclusive.ts'
import type { Ledger } from '../ledger.ts'
import type { RpcExchange } from '../rpc-client.ts'
import type { FrontAnswer } from '../types.ts'

/** A transaction that was taken in and may still wait for its block. */
export type PooledTransaction = { hash: string; feeCapWei: bigint; tipCapWei: bigint }

/** Transactions by sender and nonce, as `poolKey` names them. */
type Pool = Map<string, PooledTransaction>

/** What the public endpoint answers from. */
export type FrontWorld = {
  /** The client underneath. */
  exchange: RpcExchange
  inOrder: Exclusive
  ledger: Ledger
  chainId: number
  pool: Pool
}

/** An error that go-ethereum gives without a code of its own. */
export const SERVER_ERROR = -32000
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const PARSE_ERROR = -32700
/** A call that the contract refused. */
export const REVERTED = 3

/** An error answer. */
export function failure(code: number, message: string, data?: unknown): FrontAnswer {
  return { error: data === undefined ? { code, message } : { code, message, data } }
}
