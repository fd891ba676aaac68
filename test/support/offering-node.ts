import type { LoopbackReply, LoopbackRequest } from '../../src/devnet/loopback-server.ts'
import type { Tamper } from './replay-servers.ts'

/** What a node says at a path of its API: a reply, or a value to be sent as JSON. */
export type Saying = LoopbackReply | ((request: LoopbackRequest) => LoopbackReply)

/** A JSON reply with `data`. */
export function saying(data: unknown): LoopbackReply {
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data }) }
}

/** A reply of this status, with or without a body. */
export function status(code: number, message?: string): LoopbackReply {
  const body = message === undefined ? '' : JSON.stringify({ code, message })
  return { status: code, contentType: 'application/json', body }
}

/** A node that says these things, by the end of the path, and counts how often each was asked. */
export function offering(sayings: { [path: string]: Saying }): Tamper & { asked: Map<string, number> } {
  const asked = new Map<string, number>()
  const tamper: Tamper = (request) => {
    const found = Object.entries(sayings).find(([path]) => request.path.endsWith(path))
    if (found === undefined) return undefined
    const [path, say] = found
    asked.set(path, (asked.get(path) ?? 0) + 1)
    return typeof say === 'function' ? say(request) : say
  }
  return Object.assign(tamper, { asked })
}
