import { type Hex, isHex, sameHex } from '../../../core/base/format/hex.ts'
import { BEACON_ROOTS, rpcQuantity } from '../contracts.ts'
import { type Exclusive, KEPT_STATES, type Ledger } from '../mine-slot.ts'
import type { RpcExchange } from '../rpc-client.ts'
import type { FrontAnswer, FrontCall } from '../types.ts'

/**
 * The methods that go on to the client underneath, and where each has its block: position in the parameters, `range`
 * for a filter with two, `none` for none. What is not named here or answered by the front itself does not exist:
 * above all everything that would change the chain from outside.
 */
export const PASSED_ON: ReadonlyMap<string, number | 'range' | 'none'> = new Map<
  string,
  number | 'range' | 'none'
>([
  ['eth_blobBaseFee', 'none'],
  ['eth_blockNumber', 'none'],
  ['eth_call', 1],
  ['eth_chainId', 'none'],
  ['eth_createAccessList', 1],
  ['eth_estimateGas', 1],
  ['eth_feeHistory', 1],
  ['eth_gasPrice', 'none'],
  ['eth_getBalance', 1],
  ['eth_getBlockByHash', 'none'],
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_getBlockTransactionCountByHash', 'none'],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getCode', 1],
  ['eth_getLogs', 'range'],
  ['eth_getProof', 2],
  ['eth_getStorageAt', 2],
  ['eth_getTransactionByBlockHashAndIndex', 'none'],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getTransactionByHash', 'none'],
  ['eth_getTransactionCount', 1],
  ['eth_getTransactionReceipt', 'none'],
  ['eth_maxPriorityFeePerGas', 'none'],
  ['eth_syncing', 'none'],
  ['net_listening', 'none'],
  ['net_version', 'none'],
  ['web3_sha3', 'none'],
])

/** A transaction that was taken in and may still wait for its block. */
export type PooledTransaction = { hash: string; feeCapWei: bigint; tipCapWei: bigint }

/** Transactions by sender and nonce, as `poolKey` names them. */
type Pool = Map<string, PooledTransaction>

/** What the public endpoint answers from. */
export type FrontContext = {
  /** The client underneath. */
  exchange: RpcExchange
  inOrder: Exclusive
  ledger: Ledger
  chainId: number
  genesisHash: Hex
  /** When a fork begins that this client names besides the one in force, Unix seconds. */
  nextForkSeconds?: number
  pool: Pool
}

/** An error that go-ethereum gives without a code of its own. */
export const SERVER_ERROR = -32000
export const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const PARSE_ERROR = -32700
/** A call that the contract refused. */
const REVERTED = 3

/** Returns an error answer. */
export function failure(code: number, message: string, data?: unknown): FrontAnswer {
  return { error: data === undefined ? { code, message } : { code, message, data } }
}

const FINAL_TAGS: readonly unknown[] = ['finalized', 'safe']

/**
 * Puts a block number where a call says `finalized` or `safe`. With single-slot finality both mean the parent of the
 * head, and the first block while there is no other.
 */
export function withoutFinalTags(
  params: readonly unknown[],
  place: { at: number | 'range' | 'none'; headNumber: number },
): readonly unknown[] {
  const { at, headNumber } = place
  const plain = (tag: unknown): unknown =>
    FINAL_TAGS.includes(tag) ? rpcQuantity(Math.max(0, headNumber - 1)) : tag
  if (at === 'none') return params
  if (at === 'range') return params.map((filter) => plainRange(filter, plain))
  return params.map((param, index) => (index === at ? plain(param) : param))
}

function plainRange(filter: unknown, plain: (tag: unknown) => unknown): unknown {
  if (typeof filter !== 'object' || filter === null) return filter
  const out: Record<string, unknown> = { ...filter }
  if ('fromBlock' in out) out.fromBlock = plain(out.fromBlock)
  if ('toBlock' in out) out.toBlock = plain(out.toBlock)
  return out
}

/**
 * Answers an `eth_call` to the beacon roots contract (EIP-4788) from the ledger: the contract underneath remembers
 * fewer timestamps than the real one, and the states of older blocks are gone. undefined when the call is another one
 * or names a block that the client has to judge.
 */
export function beaconRootsCall(params: readonly unknown[], ledger: Ledger): FrontAnswer | undefined {
  const [call, block] = params
  if (!isPlainCall(call) || params.length > 2) return undefined
  const atNumber = numberOfBlock(block, ledger)
  if (atNumber === undefined) return undefined
  const data = call.input ?? call.data
  const root = isHex(data, 32) ? ledger.beaconRootAt(BigInt(data), atNumber) : undefined
  return root === undefined ? failure(REVERTED, 'execution reverted', '0x') : { result: root }
}

const OF_STATE: readonly string[] = [
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getCode',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionCount',
]

/** The refusal of a call to a state that a full node has forgotten, whatever the client underneath still keeps. */
export function forgottenState(call: FrontCall, ledger: Ledger): FrontAnswer | undefined {
  const at = PASSED_ON.get(call.method)
  if (typeof at !== 'number' || !OF_STATE.includes(call.method)) return undefined
  const number = numberOfBlock(call.params[at], ledger)
  return number === undefined || number > ledger.head().number - KEPT_STATES ? undefined : forgotten(number)
}

const forgotten = (number: number): FrontAnswer =>
  failure(SERVER_ERROR, `historical state of block ${number} is not available`)

type PlainCall = { to: string; data?: unknown; input?: unknown }

function isPlainCall(call: unknown): call is PlainCall {
  if (typeof call !== 'object' || call === null) return false
  return 'to' in call && typeof call.to === 'string' && sameHex(call.to, BEACON_ROOTS)
}

/** Returns the number of the block that a parameter names; undefined for one that isn't there. */
export function numberOfBlock(block: unknown, ledger: Ledger): number | undefined {
  const head = ledger.head().number
  if (block === undefined || block === null || block === 'latest' || block === 'pending') return head
  if (block === 'earliest') return 0
  if (typeof block === 'string') return existing(block, ledger)
  if (typeof block !== 'object') return undefined
  if ('blockHash' in block) return ledger.numberOf(String(block.blockHash))
  return 'blockNumber' in block ? numberOfBlock(block.blockNumber, ledger) : undefined
}

function existing(text: string, ledger: Ledger): number | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return ledger.numberOf(text)
  if (!/^0x[0-9a-f]{1,13}$/i.test(text)) return undefined
  const number = Number(text)
  return number <= ledger.head().number ? number : undefined
}

type RpcError = { code: number; message: string; data?: unknown }

const SAME_IN_OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['transaction already imported', 'already known'],
  ['Insufficient funds for gas * price + value', 'insufficient funds for gas * price + value'],
  ['Failed to decode transaction', 'rlp: transaction could not be decoded'],
])
/** Selectors of Error(string) and Panic(uint256). */
const WORDED_REASONS = ['0x08c379a0', '0x4e487b71']
const OUT_OF_RANGE = /^BlockOutOfRangeError: block height is (\d+) but requested was (\d+)/
/** What the client underneath calls an error of the transaction; go-ethereum has no such code. */
const TRANSACTION_REJECTED = -32003

/** Puts an answer of the client underneath into the words and codes of go-ethereum (`vectors/recorded`). */
export function likeRealClient(method: string, answer: FrontAnswer): FrontAnswer {
  return 'error' in answer ? realError(method, answer.error) : answer
}

function realError(method: string, error: RpcError): FrontAnswer {
  if (error.code === REVERTED) return reverted(error)
  if (error.code === METHOD_NOT_FOUND) return noSuchMethod(method)
  const range = OUT_OF_RANGE.exec(error.message)
  if (range !== null) return outOfRange(method, { head: Number(range[1]), asked: Number(range[2]) })
  const words = SAME_IN_OTHER_WORDS.get(error.message)
  if (words !== undefined) return failure(SERVER_ERROR, words)
  if (error.code === TRANSACTION_REJECTED) return failure(SERVER_ERROR, error.message)
  return { error }
}

/** Solidity's own reasons (text, panic) stay in words; a custom error speaks through its data alone. */
function reverted(error: RpcError): FrontAnswer {
  const data = error.data ?? '0x'
  const inWords = typeof data === 'string' && WORDED_REASONS.some((selector) => data.startsWith(selector))
  return failure(REVERTED, inWords ? error.message : 'execution reverted', data)
}

function outOfRange(method: string, block: { head: number; asked: number }): FrontAnswer {
  if (block.asked <= block.head) return forgotten(block.asked)
  return method === 'eth_getLogs' ? { result: [] } : failure(SERVER_ERROR, 'header not found')
}

/** Returns the answer for a method that is not there. */
export function noSuchMethod(method: string): FrontAnswer {
  return failure(METHOD_NOT_FOUND, `the method ${method} does not exist/is not available`)
}
