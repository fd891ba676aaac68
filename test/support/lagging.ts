import { numberToHex } from 'viem'
import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { jsonReply } from './snapshot-world.ts'

type Call = { id: number; method: string; params: readonly unknown[] }

/** At which place a call names the block that it is about. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}

/**
 * Effects in which the execution endpoint at `url` is so many blocks behind: it answers as it will have answered then,
 * of the chain as it is up to its own head.
 */
export function lagging(effects: Effects, url: string, blocksBehind: () => number): Effects {
  const ask = async (asked: HttpRequest, call: object): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
    const reply = await effects.http.request({ ...asked, body })
    return (JSON.parse(Buffer.from(reply.body).toString('utf8')) as { result?: unknown }).result
  }
  const request = async (asked: HttpRequest): Promise<HttpReply> => {
    const { body = '' } = asked
    const behind = asked.url.startsWith(url) && body.includes('"jsonrpc"') ? blocksBehind() : 0
    if (behind === 0) return effects.http.request(asked)
    const call = JSON.parse(body) as Call
    const { id, method, params } = call
    const answer = (result: unknown) => jsonReply(200, { jsonrpc: '2.0', id, result })
    const newest = Number(await ask(asked, { method: 'eth_blockNumber', params: [] }))
    const head = Math.max(0, newest - behind)
    if (method === 'eth_blockNumber') return answer(numberToHex(head))
    if (method === 'eth_getLogs') return answer(await ask(asked, { method, params: [upTo(params[0], head)] }))
    const at = BLOCK_AT[method]
    if (at !== undefined) {
      const block = blockAt(params[at], head)
      if (block > head) return method === 'eth_getBlockByNumber' ? answer(null) : unknownBlock(id)
      const then = params.with(at, numberToHex(block))
      return effects.http.request({ ...asked, body: JSON.stringify({ ...call, params: then }) })
    }
    const reply = await effects.http.request(asked)
    return isLater(reply, head) ? answer(null) : reply
  }
  return { ...effects, http: { request } }
}

function blockAt(param: unknown, head: number): number {
  if (param === 'finalized' || param === 'safe') return Math.max(0, head - 1)
  return String(param).startsWith('0x') ? Number(param) : head
}

function upTo(filter: unknown, head: number): object {
  const { fromBlock, toBlock, ...rest } = filter as { fromBlock: Hex; toBlock: Hex }
  const last = numberToHex(Math.min(blockAt(toBlock, head), head))
  const first = numberToHex(Math.min(Number(fromBlock), head + 1))
  return { ...rest, fromBlock: first, toBlock: last }
}

function unknownBlock(id: number): HttpReply {
  return jsonReply(200, { jsonrpc: '2.0', id, error: { code: -32_000, message: 'header not found' } })
}

/** A transaction or receipt of a block that the endpoint does not have yet. */
function isLater({ body }: HttpReply, head: number): boolean {
  const { result } = JSON.parse(Buffer.from(body).toString('utf8')) as {
    result?: { blockNumber?: Hex | null } | null
  }
  const number = typeof result === 'object' ? result?.blockNumber : undefined
  return typeof number === 'string' && Number(number) > head
}
