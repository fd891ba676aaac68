import type { Hex } from '../../src/core/base/format/hex.ts'
import {
  type LoopbackHandler,
  type LoopbackReply,
  type LoopbackRequest,
  loopbackServer,
} from '../../src/devnet/loopback-server.ts'
import { replayEngine } from './replay-engine.ts'
import { replayExecution } from './replay-execution.ts'
import { replayNode } from './replay-node.ts'
import { LAST_SLOT, type RecordedDeposit, type RecordedSlot, recordedSlot } from './replay-recording.ts'

/** Puts something else in the place of a reply; undefined leaves it as it is. */
export type Tamper = (request: LoopbackRequest, reply: LoopbackReply) => LoopbackReply | undefined

export type ReplayServersInput = {
  /** Milliseconds since the Unix epoch. */
  nowMs: () => number
  /** Key of the running node. */
  engineKey: Hex
  /** The chain makes no block after this slot. */
  stopsAt?: number
  /** Node, engine and first execution endpoint hang after this slot; the second one goes on. */
  hangsAt?: number
  /** By how many slots the node API is behind. */
  nodeLagSlots?: number
  /** Deposits that were not recorded. */
  more?: readonly RecordedDeposit[]
  /** Changes the state of a slot as the node tells it. */
  change?: (slot: RecordedSlot) => RecordedSlot
  node?: Tamper
  engine?: Tamper
  execution?: Tamper
  second?: Tamper
  /** Services that nobody runs. */
  absent?: readonly ('node' | 'engine' | 'execution')[]
}

export type ReplayServers = {
  urls: { execution: string; second: string; node: string; engine: string }
  head(): RecordedSlot
  close(): Promise<void>
}

/**
 * The recorded network on four loopback ports: what each endpoint would have answered at the slot of the clock.
 * What the recording lacks comes from `madeUp` alone.
 */
export async function serveReplay(input: ReplayServersInput): Promise<ReplayServers> {
  const { change = (slot) => slot, more = [], engineKey, absent = [] } = input
  const head = () => headAt(input.nowMs(), input.stopsAt)
  const own = () => headAt(input.nowMs(), input.hangsAt ?? input.stopsAt)
  const behind = () => recordedSlot(Math.max(1, own().slot - (input.nodeLagSlots ?? 0)))
  const node = { head: behind, state: (slot: number) => change(recordedSlot(slot)) }
  const servers = {
    node: await serve((request) => replayNode(request, node), input.node),
    engine: await serve((request) => replayEngine(request, { head: own, pubkey: engineKey }), input.engine),
    execution: await serve((request) => replayExecution(request, { head: own, more }), input.execution),
    second: await serve((request) => replayExecution(request, { head, more }), input.second),
  }
  for (const name of absent) await servers[name].close()
  const running = Object.entries(servers).filter(([name]) => !(absent as readonly string[]).includes(name))
  return {
    urls: {
      execution: servers.execution.url,
      second: servers.second.url,
      node: servers.node.url,
      engine: servers.engine.url,
    },
    head,
    close: async () => {
      await Promise.all(running.map(([, server]) => server.close()))
    },
  }
}

function serve(answer: (request: LoopbackRequest) => LoopbackReply, tamper: Tamper = () => undefined) {
  const handle: LoopbackHandler = (request) => {
    const reply = answer(request)
    return tamper(request, reply) ?? reply
  }
  return loopbackServer(handle)
}

function headAt(nowMs: number, stopsAt = LAST_SLOT): RecordedSlot {
  let head = recordedSlot(1)
  for (let slot = 2; slot <= stopsAt; slot += 1) {
    const row = recordedSlot(slot)
    if (row.timestamp * 1000 > nowMs) break
    head = row
  }
  return head
}
