import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import { getBlock } from '../../core/clients/execution/get-block.ts'
import { getNodeSyncing } from '../../core/clients/node/get-node-syncing.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { NodeClients } from '../../core/steps/clients-of.ts'
import type { Call } from '../command.ts'

/** One look at both heads and the engine's clock. Times in Unix milliseconds; `nowMs` is our own. */
export type Look = {
  slot: bigint
  isSyncing: boolean
  engineSyncing: boolean
  block: bigint
  blockTimeMs: number
  engineTimeMs: number
  nowMs: number
}

/** Asks the node API, the execution RPC and the engine for their head at once. Throws a `ClientError`. */
export async function look(call: Call, { node, execution, engine }: NodeClients): Promise<Look> {
  const [syncing, block, status] = await Promise.all([
    getNodeSyncing(node),
    getBlock(execution, { block: 'latest' }),
    getEngineStatus(engine),
  ])
  if (block === undefined) {
    const what = 'the latest block'
    throw new ClientError('not-found', { service: 'execution RPC', endpoint: execution.label, what })
  }
  return {
    slot: syncing.headSlot,
    isSyncing: syncing.isSyncing,
    engineSyncing: status.catchingUp,
    block: block.number,
    blockTimeMs: Number(block.timestamp) * 1000,
    engineTimeMs: status.latestBlockTimeMs,
    nowMs: call.effects.clock.nowMs(),
  }
}
