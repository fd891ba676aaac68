import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'

type Call = { id: number; method: string; params: readonly unknown[] }
/** Answers in the place of an execution endpoint; undefined lets the question through. */
export type Answer = (call: Call, truth: () => Promise<unknown>) => Promise<unknown> | undefined

/** Effects in which some calls are answered by something else than an endpoint: by that of `url`, else by any. */
export function answering(effects: Effects, answer: Answer, url = ''): Effects {
  const request = async (asked: HttpRequest): Promise<HttpReply> => {
    const call = asked.url.startsWith(url) ? callOf(asked) : undefined
    if (call === undefined) return effects.http.request(asked)
    const truth = async () => {
      const reply = await effects.http.request(asked)
      return (JSON.parse(Buffer.from(reply.body).toString('utf8')) as { result?: unknown }).result
    }
    const answered = answer(call, truth)
    if (answered === undefined) return effects.http.request(asked)
    const result = (await answered) ?? null
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }))
    return { status: 200, headers: { 'content-type': 'application/json' }, body: new Uint8Array(body) }
  }
  return { ...effects, http: { request } }
}

function callOf({ body = '' }: HttpRequest): Call | undefined {
  return body.includes('"jsonrpc"') ? (JSON.parse(body) as Call) : undefined
}
