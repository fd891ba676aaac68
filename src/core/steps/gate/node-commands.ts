import { askExecutionHeads } from '../../clients/ask-execution-heads.ts'
import { getEngineStatus } from '../../clients/engine/get-status.ts'
import { getNodeSyncing } from '../../clients/node/get-node-syncing.ts'
import { besideOf, besideWords, CATCHES_UP, RESTART_NODE } from '../../network/standstill.ts'
import type { Clients } from '../clients-of.ts'
import type { World } from '../world.ts'
import type { Judgement } from './rules.ts'

/**
 * Whether the own node follows the chain and votes: what was proven of it long before a payment says nothing of now.
 * An engine that catches up in two looks, a slot apart, does not vote: unknown, not good. `fresh` resolves to whether
 * the first execution endpoint's head is of now; undefined where that is not known. Throws a `ClientError`.
 */
export async function nodeIsWell(
  { effects, setup }: Pick<World<never>, 'effects' | 'setup'>,
  clients: Clients,
  fresh: Promise<boolean | undefined>,
): Promise<Judgement> {
  const before = await askExecutionHeads(clients)
  if (await catchesUp(clients)) {
    await effects.clock.sleep(setup.network.slotMs)
    if (await catchesUp(clients))
      return { good: false, unknown: true, words: `${CATCHES_UP}. Wait until it has, or restart the node` }
  }
  const isFresh = await fresh
  const [{ isSyncing, headSlot }, now] = await Promise.all([
    getNodeSyncing(clients.node),
    askExecutionHeads(clients),
  ])
  if (isSyncing) return { good: false, words: `reports that it is syncing, slot ${headSlot}` }
  const beside = besideOf(headSlot, { before, now })
  if (beside.is === 'ahead')
    return { good: false, words: `is at slot ${headSlot}${besideWords(beside)}: ${RESTART_NODE}` }
  if (isFresh === false) return { good: false, words: `no new head, slot ${headSlot}${besideWords(beside)}` }
  return { good: true, words: `follows the chain, slot ${headSlot}` }
}

/** Where no engine was given nothing is said of its votes. */
async function catchesUp({ engine }: Clients): Promise<boolean> {
  if (engine === undefined) return false
  return (await getEngineStatus(engine)).catchingUp
}
