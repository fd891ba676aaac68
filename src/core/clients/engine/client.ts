import type { Decoder } from '../../base/format/decode.ts'
import { urlsBelow } from '../../base/format/endpoint-url.ts'
import { type ClientEffects, createHttpClient } from '../http-client.ts'
import {
  type AskLimits,
  type Fail,
  type JsonReply,
  READ,
  type RpcError,
  readRpcReply,
  statusFault,
} from '../json-rpc.ts'

type EngineQuestion<T> = {
  /** The method, which is the path. */
  method: string
  query?: readonly (readonly [string, string])[]
  decode: Decoder<T>
  limits?: AskLimits
}

/** One consensus engine (CometBFT RPC). What it says is shown; money never depends on it alone. */
export type EngineClient = {
  /** scheme://host:port. */
  label: string
  ask<T>(question: EngineQuestion<T>): Promise<T>
}

/** Replies to GET questions carry this id. */
const GET_ID = -1

/** Returns a client of the engine RPC at `url`, asked by GET. Failures are `ClientError`s. */
export function createEngineClient(effects: ClientEffects, url: string): EngineClient {
  const http = createHttpClient(effects, 'engine RPC', url)
  const below = urlsBelow(url)
  return {
    label: http.label,
    ask({ method, query = [], decode, limits = READ }) {
      return http.request({
        method: 'GET',
        url: below([method], query),
        what: `/${method}`,
        ...limits,
        read: (reply, fail) => readReply(reply, decode, fail),
      })
    },
  }
}

function readReply<T>(reply: JsonReply, decode: Decoder<T>, fail: Fail): T {
  const { status, json } = reply
  if (json === undefined) throw fail(statusFault(status), { status })
  const outcome = readRpcReply(json, GET_ID)
  if ('error' in outcome) throw rpcFault(outcome.error, status, fail)
  if (status !== 200) throw fail(statusFault(status), { status })
  return decode(outcome.result, 'result')
}

function rpcFault(error: RpcError, status: number, fail: Fail) {
  const words = typeof error.data === 'string' ? `${error.message}: ${error.data}` : error.message
  const parts = {
    status,
    details: [`code: ${error.code}`],
    said: words,
  }
  if (error.code === -32601) return fail('not-offered', parts)
  return fail(error.code === -32602 ? 'bad-request' : 'rejected', parts)
}
