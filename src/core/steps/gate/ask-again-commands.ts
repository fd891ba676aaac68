import { getEngineStatus } from '../../clients/engine/get-status.ts'
import { askExecutionHeads } from '../../clients/heads.ts'
import { getNodeSyncing } from '../../clients/node/node.ts'
import { BaseError } from '../../errors/base.ts'
import { WalletError } from '../../errors/wallet.ts'
import type { Setup } from '../../facts.ts'
import { besideOf } from '../../network/standstill.ts'
import { type Clients, clientsOf, type World } from '../world.ts'
import type { CheckResult } from './facts.ts'
import { type Following, gateClosed, sourcesOf } from './following.ts'
import { GATE_TEXT } from './text.ts'

/**
 * The key once more, at every endpoint that answers; `isSilent` in the order of the endpoints. The second one takes the
 * place of a silent first. What cannot be found out is unknown; throws a `WalletError` alone.
 */
export async function askAgain(following: Following, isSilent: readonly boolean[]): Promise<CheckResult[]> {
  const { world, kind } = following
  const setup = withoutSilent(world.setup, isSilent)
  const others = sourcesOf(following).filter((_, at) => at > 0 && isSilent[at] !== true)
  // The look at the key may wait for a root of the second endpoint: what that one says itself is asked after it.
  const key = await judged(() => kind.key(setup))
  const words = others.map(({ client }) => judged(() => kind.second(client, setup)))
  return [key, ...(await Promise.all(words))]
}

async function judged(ask: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof BaseError) || thrown instanceof WalletError) throw thrown
    return { good: false, unknown: true, words: thrown.shortMessage }
  }
}

function withoutSilent(setup: Setup, [first, second]: readonly boolean[]): Setup {
  const { secondExecution, ...rest } = setup.endpoints
  if (secondExecution === undefined || (first !== true && second !== true)) return setup
  if (first === true) return { ...setup, endpoints: { ...rest, execution: secondExecution } }
  return { ...setup, endpoints: rest }
}

/** Throws a `WalletError` where the key is not as it was agreed to, by any endpoint; whatever a question throws, too. */
export async function requireStillHolds({ world, kind }: Pick<Following, 'world' | 'kind'>): Promise<void> {
  const { second } = clientsOf(world)
  const key = await kind.key()
  const word = second === undefined ? undefined : await kind.second(second)
  const bad = [key, word].find((judgement) => judgement?.good === false)
  if (bad === undefined) return
  throw gateClosed(GATE_TEXT.closed.changed(bad.words))
}

/**
 * Whether the own node follows the chain and votes: what was proven of it long before a payment says nothing of now.
 * An engine that catches up in two looks, a slot apart, does not vote: unknown, not good. `fresh` resolves to whether
 * the first execution endpoint's head is of now; undefined where that is not known. Throws a `ClientError`.
 */
export async function nodeIsWell(
  { effects, setup }: Pick<World<never>, 'effects' | 'setup'>,
  clients: Clients,
  fresh: Promise<boolean | undefined>,
): Promise<CheckResult> {
  const before = await askExecutionHeads(clients)
  if (await catchesUp(clients)) {
    await effects.clock.sleep(setup.network.slotMs)
    if (await catchesUp(clients)) return { good: false, unknown: true, words: GATE_TEXT.node.catchesUp }
  }
  const isFresh = await fresh
  const [{ isSyncing, headSlot }, now] = await Promise.all([
    getNodeSyncing(clients.node),
    askExecutionHeads(clients),
  ])
  if (isSyncing) return { good: false, words: GATE_TEXT.node.syncing(headSlot) }
  const beside = besideOf(headSlot, { before, now })
  if (beside.is === 'ahead') return { good: false, words: GATE_TEXT.node.hangs(headSlot, beside) }
  if (isFresh === false) return { good: false, words: GATE_TEXT.node.stands(headSlot, beside) }
  return { good: true, words: GATE_TEXT.node.follows(headSlot) }
}

/** Where no engine was given nothing is said of its votes. */
async function catchesUp({ engine }: Clients): Promise<boolean> {
  if (engine === undefined) return false
  return (await getEngineStatus(engine)).catchingUp
}
