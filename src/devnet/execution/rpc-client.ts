import { Agent, request } from 'node:http'
import { anvilError, RpcFailure } from '../../core/base/errors/anvil.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { FrontAnswer, RpcCall } from './types.ts'

/** One exchange; an error reply is an answer like any other. Throws `anvil.unreachable` only. */
export type RpcExchange = (method: string, params: readonly unknown[]) => Promise<FrontAnswer>

export type RpcClient = { exchange: RpcExchange; close: () => void }

/** Returns a client for one JSON-RPC endpoint on this machine, over connections that stay open. It never retries. */
export function rpcClient(port: number): RpcClient {
  const agent = new Agent({ keepAlive: true })
  let lastId = 0
  return {
    async exchange(method, params) {
      lastId += 1
      const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })
      try {
        return readAnswer(await post({ agent, port, body }), lastId)
      } catch (error) {
        throw anvilError('anvil.unreachable', method, error)
      }
    },
    close: () => agent.destroy(),
  }
}

/** Returns the same exchange as a call that throws an `RpcFailure` for an error reply. */
export function rpcCall(exchange: RpcExchange): RpcCall {
  return async (method, params) => {
    const answer = await exchange(method, params)
    if ('result' in answer) return answer.result
    throw new RpcFailure(method, { ...answer.error, message: safeText(answer.error.message) })
  }
}

function post(input: { agent: Agent; port: number; body: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(input.body) }
    const { agent, port } = input
    const outgoing = request({ agent, host: '127.0.0.1', port, method: 'POST', headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    })
    outgoing.once('error', reject)
    outgoing.end(input.body)
  })
}

type RpcReply = { id?: unknown; result?: unknown; error?: { code: number; message: string; data?: unknown } }

/** The body of a JSON-RPC reply; its id, when it has one, must be that of the call. Throws for anything else. */
export function readAnswer(text: string, id: number): FrontAnswer {
  const reply = JSON.parse(text) as RpcReply
  if (reply.error !== undefined) return { error: reply.error }
  if ((reply.id ?? id) !== id || reply.result === undefined) throw new Error('the reply belongs to no call')
  return { result: reply.result }
}
