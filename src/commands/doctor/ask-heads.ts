import type { NodeSetup } from '../../core/chain/facts.ts'
import { SLOTS_TO_STAND } from '../../core/chain/network/limits.ts'
import { type Beside, type ExecutionHead, executionBeside } from '../../core/chain/network/standstill.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import type { EngineAndHead } from '../../core/clients/engine-and-head.ts'
import { latestBlock } from '../../core/clients/execution/blocks.ts'
import { askExecutionHeads } from '../../core/clients/heads.ts'
import { getNodeSyncing, type NodeSyncing } from '../../core/clients/node/node.ts'
import { clientsOf, type NodeClients } from '../../core/observe/context.ts'
import { createObserver, type Picture, type Questions, replyIn } from '../../core/observe/observer.ts'
import type { Call } from '../command.ts'

/** One look at both heads and the engine's clock. Times in Unix milliseconds; `nowMs` is our own. */
export type Look = {
  slot: bigint
  isSyncing: boolean
  engineSyncing: boolean
  block: bigint
  blockTimeMs: number
  engineHeight: bigint
  engineTimeMs: number
  nowMs: number
}

/** What the page begins with: what several groups of its lines rest on, and how the heads stand. */
export type FirstLook = EngineAndHead & { syncing: NodeSyncing; heads: readonly ExecutionHead[] }

/** Asks at once what several groups of rows rest on. What nobody answers is unknown in the picture, with the reason. */
export function hearFirst({ effects }: Call, setup: NodeSetup): Promise<Picture<FirstLook>> {
  const clients = clientsOf({ effects, setup })
  const { engine, execution, node } = clients
  const questions: Questions<FirstLook, void> = {
    status: { ask: () => getEngineStatus(engine) },
    latest: { ask: () => latestBlock(execution) },
    syncing: { ask: () => getNodeSyncing(node) },
    heads: { ask: () => askExecutionHeads(clients) },
  }
  return createObserver(questions, effects).look()
}

/** Asks node API, execution RPC and engine for their heads at once, but for what was heard. Throws a `ClientError`. */
async function askAll(
  call: Call,
  { node, execution, engine }: NodeClients,
  picture: Picture<FirstLook> = {},
): Promise<Look> {
  const before = {
    syncing: replyIn(picture.syncing),
    block: replyIn(picture.latest),
    status: replyIn(picture.status),
  }
  const [syncing, block, status] = await Promise.all([
    before.syncing ?? getNodeSyncing(node),
    before.block ?? latestBlock(execution),
    before.status ?? getEngineStatus(engine),
  ])
  return {
    slot: syncing.headSlot,
    isSyncing: syncing.isSyncing,
    engineSyncing: status.catchingUp,
    block: block.number,
    blockTimeMs: Number(block.timestamp) * 1000,
    engineHeight: status.latestHeight,
    engineTimeMs: status.latestBlockTimeMs,
    nowMs: call.effects.clock.nowMs(),
  }
}

/** Waits for a newer head, for at most ten slots, and returns the first look and the last. */
export async function watchHead(
  call: Call,
  { network }: NodeSetup,
  { clients, picture }: { clients: NodeClients; picture: Picture<FirstLook> },
): Promise<{ first: Look; last: Look; waitedMs: number; beside: Beside }> {
  const { clock } = call.effects
  const begunMs = clock.monotonicMs()
  const [first, before] = await Promise.all([
    askAll(call, clients, picture),
    replyIn(picture.heads) ?? askExecutionHeads(clients),
  ])
  for (;;) {
    await clock.sleep(network.slotMs / 2)
    const last = await askAll(call, clients)
    const waitedMs = clock.monotonicMs() - begunMs
    if (hasAdvanced(first, last)) return { first, last, waitedMs, beside: { is: 'unknown' } }
    if (waitedMs <= SLOTS_TO_STAND * network.slotMs) continue
    const now = await askExecutionHeads(clients)
    return { first, last, waitedMs, beside: executionBeside(last.slot, { before, now }) }
  }
}

/** Whether a newer slot and a newer block came between two looks. */
export function hasAdvanced(first: Look, last: Look): boolean {
  return last.slot > first.slot && last.block > first.block
}
