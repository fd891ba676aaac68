import type { FrontAnswer, FrontDelivery, FrontHooks } from '../types.ts'
import { answerCall } from './answer.ts'
import { type FrontWorld, failure, INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR } from './world.ts'

/** A whole HTTP answer: JSON text, or a fault. */
export type BodyDelivery = Exclude<FrontDelivery, { kind: 'answer' }> | { kind: 'json'; text: string }

type Reply = { id: unknown; delivery: FrontDelivery }

const MAX_BATCH = 100

/**
 * Answers the body of one request, a single call or a batch (JSON-RPC 2.0). The calls of a batch run one after the
 * other in their order; a fault that a hook puts in place of one answer becomes the answer to all of it.
 */
export async function handleBody(world: FrontWorld, hooks: FrontHooks, text: string): Promise<BodyDelivery> {
  const body = parse(text)
  if (body === undefined) return json(reply(null, failure(PARSE_ERROR, 'parse error')))
  if (!Array.isArray(body)) return whole([await handleCall(world, hooks, body)], ([only]) => only ?? '')
  if (body.length === 0) return json(reply(null, failure(INVALID_REQUEST, 'empty batch')))
  if (body.length > MAX_BATCH) return json(reply(null, failure(INVALID_REQUEST, 'batch too large')))
  const replies: Reply[] = []
  for (const call of body) replies.push(await handleCall(world, hooks, call))
  return whole(replies, (texts) => (texts.length === 0 ? '' : `[${texts.join(',')}]`))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function whole(replies: readonly Reply[], join: (texts: readonly string[]) => string): BodyDelivery {
  const texts: string[] = []
  for (const { id, delivery } of replies) {
    if (delivery.kind !== 'answer') return delivery
    if (id !== undefined) texts.push(reply(id, delivery.answer))
  }
  return json(join(texts))
}

const json = (text: string): BodyDelivery => ({ kind: 'json', text })

function reply(id: unknown, answer: FrontAnswer): string {
  return JSON.stringify({ jsonrpc: '2.0', id, ...answer })
}

async function handleCall(world: FrontWorld, hooks: FrontHooks, body: unknown): Promise<Reply> {
  const call = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const { id, method } = call
  const refused = (answer: FrontAnswer): Reply => ({ id: id ?? null, delivery: { kind: 'answer', answer } })
  if (typeof method !== 'string') return refused(failure(INVALID_REQUEST, 'invalid request'))
  const params = call.params ?? []
  if (!Array.isArray(params)) return refused(failure(INVALID_PARAMS, 'non-array args'))
  const frontCall = { method, params }
  const answer = (): Promise<FrontAnswer> => world.inOrder(() => answerCall(world, frontCall))
  if (hooks.around !== undefined) return { id, delivery: await hooks.around(frontCall, answer) }
  return { id, delivery: { kind: 'answer', answer: await answer() } }
}
