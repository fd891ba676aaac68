import type { FrontAnswer } from '../types.ts'
import { failure, METHOD_NOT_FOUND, REVERTED, SERVER_ERROR } from './world.ts'

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
  if (block.asked <= block.head) {
    return failure(SERVER_ERROR, `historical state of block ${block.asked} is not available`)
  }
  return method === 'eth_getLogs' ? { result: [] } : failure(SERVER_ERROR, 'header not found')
}

/** The answer for a method that is not there. */
export function noSuchMethod(method: string): FrontAnswer {
  return failure(METHOD_NOT_FOUND, `the method ${method} does not exist/is not available`)
}
