import type { Http, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { createNodeHttp } from '../../src/core/base/effects/node-http.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { stateRoot } from '../../src/core/chain/proofs/merkle.ts'
import { createExecutionClient } from '../../src/core/clients/execution/client.ts'
import type { ClientEffects } from '../../src/core/clients/http-client.ts'
import { createNodeClient } from '../../src/core/clients/node/client.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { readState } from './read-state.ts'

const DEBUG = '/eth/v2/debug/beacon/states/'
const HEADERS = '/eth/v1/beacon/headers/'

/** Changes a reply on its way; undefined lets it pass. */
export type Meddler = (path: string, reply: HttpReply) => Promise<HttpReply | undefined>

/** Clients of a rehearsal network through a connection that somebody may meddle with, and what was asked. */
export function snapshotWorld(devnet: Devnet, meddle: Meddler = async () => undefined) {
  const asked: string[] = []
  const clock = { now: 0 }
  const effects: ClientEffects = {
    http: meddled(createNodeHttp(), meddle, asked),
    // Time stands still: no wait with an end is over.
    clock: {
      nowMs: () => clock.now,
      monotonicMs: () => clock.now,
      sleep: (_, signal) => (signal === undefined ? Promise.resolve() : new Promise(() => undefined)),
    },
    random: { bytes: (length) => new Uint8Array(length) },
  }
  const { urls } = devnet.descriptor
  const node = createNodeClient(effects, urls.node, { proofNamespace: 'bkit/v1' })
  const execution = createExecutionClient(effects, urls.execution)
  return {
    effects,
    clients: { node, execution },
    /** The same endpoint under another name, as a second one. */
    second: createExecutionClient(effects, urls.execution.replace('127.0.0.1', 'localhost')),
    timesStateAsked: () => asked.filter((path) => path.startsWith(DEBUG)).length,
    passMs: (ms: number) => {
      clock.now += ms
    },
  }
}

function meddled(real: Http, meddle: Meddler, asked: string[]): Http {
  return {
    async request(request: HttpRequest) {
      const { pathname } = new URL(request.url)
      asked.push(pathname)
      const { sink: _, ...whole } = request
      const reply = await real.request(whole)
      return (await meddle(pathname, reply)) ?? reply
    },
  }
}

export function jsonReply(status: number, value: unknown): HttpReply {
  const body = new TextEncoder().encode(JSON.stringify(value))
  return { status, headers: { 'content-type': 'application/json' }, body }
}

/** Rewrites the text of every whole state. */
export function alterState(change: (text: string) => string): Meddler {
  return async (path, reply) =>
    path.startsWith(DEBUG) ? { ...reply, body: bytesOf(change(textOf(reply))) } : undefined
}

/** Answers every question for a whole state with this reply instead. */
export function insteadOfState(reply: HttpReply): Meddler {
  return async (path) => (path.startsWith(DEBUG) ? reply : undefined)
}

/** A liar who is at one with himself: the header that he gives holds the root of the altered state. */
export function lieThroughout(change: (text: string) => string, real: () => Promise<string>): Meddler {
  return async (path, reply) => {
    if (path.startsWith(DEBUG)) return { ...reply, body: bytesOf(change(textOf(reply))) }
    if (!path.startsWith(HEADERS) || path.endsWith('/head')) return undefined
    const root = await rootOf(change(await real()))
    return {
      ...reply,
      body: bytesOf(textOf(reply).replace(/"state_root":"0x[0-9a-f]+"/, `"state_root":"${root}"`)),
    }
  }
}

function rootOf(text: string): Promise<Hex> {
  return stateRoot(readState(text), async () => undefined)
}

const textOf = (reply: HttpReply) => new TextDecoder().decode(reply.body)
const bytesOf = (text: string) => new TextEncoder().encode(text)
