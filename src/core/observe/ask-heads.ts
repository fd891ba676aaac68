import type { Clock } from '../base/effects/effects.ts'
import { unawaited } from '../base/errors/base.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import type { Hex } from '../base/format/hex.ts'
import { keyOfEngine } from '../chain/identity/engine-key.ts'
import { MOST_SLOTS_APART, type Network } from '../chain/network/network.ts'
import { unlessSilent } from '../clients/ask-as-service.ts'
import type { EngineClient } from '../clients/engine/client.ts'
import { type EngineStatus, getEngineStatus } from '../clients/engine/get-status.ts'
import { getBlockNumber } from '../clients/execution/blocks.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { getHeader } from '../clients/node/blocks.ts'
import type { NodeClient } from '../clients/node/client.ts'
import { inTime } from '../clients/state-pace.ts'
import type { HeadReplies, Healthy, HealthyOne, LookInput, WatchQuestions } from './ask-input.ts'
import { createHeadJudge } from './judge-heads.ts'
import { type HeadPicture, headOf } from './picture.ts'

/** One endpoint whose head is asked for in every look, by one question at a time; `slot` is what no look has shown yet. */
type Pulse = {
  head: Pick<HeadPicture, 'role' | 'place' | 'name'>
  ask(): Promise<bigint | undefined>
  asking?: Promise<void>
  slot?: bigint | undefined
}

type AllClients = {
  nodes: readonly NodeClient[]
  executions: readonly ExecutionClient[]
  engines: readonly EngineClient[]
}

/**
 * Asks each endpoint for its head, so that a slow one delays no other; `hear` gets the own engine's status as soon as
 * it arrives.
 */
export function headsQuestion(
  { effects: { clock }, network }: LookInput,
  { clients, hear }: { clients: AllClients; hear(status: EngineStatus): void },
): WatchQuestions['heads'] {
  const { nodes, executions, engines } = clients
  const keys = rememberingKeys()
  const judgeHeads = createHeadJudge(network)
  /** What the first endpoints have said since this look began. */
  let reported: HeadReplies & { nodeKey?: Hex } = {}
  const pulses: Pulse[] = [
    ...nodes.map((client, place) =>
      pulse('node', place, client, async () => {
        const head = await getHeader(client, { block: 'head' })
        if (place === 0) reported = { ...reported, head }
        return head.slot
      }),
    ),
    ...executions.map((client, place) => pulse('execution', place, client, () => getBlockNumber(client))),
    ...engines.map((client, place) =>
      pulse('engine', place, client, async () => {
        const engine = await getEngineStatus(client)
        if (place === 0) {
          reported = { ...reported, engine, nodeKey: keys(engine.publicKey.value, client) }
          hear(engine)
        }
        return engine.latestHeight
      }),
    ),
  ]
  return {
    async ask(_, { heads: known }) {
      reported = {}
      const replies = await askHeads(pulses, { clock, patienceMs: patienceOf(network) })
      const heads = judgeHeads(replies, { known, nowMs: clock.nowMs() })
      return { heads, healthy: healthyOf(heads, clients), ...reported }
    },
  }
}

function pulse(
  role: HeadPicture['role'],
  place: number,
  { label }: { label: string },
  ask: () => Promise<bigint>,
): Pulse {
  return { head: { role, place, name: endpointName(label) }, ask: () => unlessSilent(ask()) }
}

/** A slot, but no less than a second. */
function patienceOf({ slotMs }: Network): number {
  return Math.max(slotMs, 1000)
}

/**
 * Asks every endpoint for its head that is not asked already, and waits for those that answer in time: for the own ones up
 * to `patienceMs`, for those of others half of that. Who was late once is not waited for again: its answer is part of the
 * look after it.
 */
async function askHeads(
  pulses: readonly Pulse[],
  { clock, patienceMs }: { clock: Clock; patienceMs: number },
): Promise<HeadPicture[]> {
  const waitedFor = { own: [] as Promise<void>[], others: [] as Promise<void>[] }
  for (const each of pulses) {
    if (each.asking !== undefined) continue
    const wasLate = each.slot !== undefined
    const asking = each.ask().then((slot) => {
      each.slot = slot
      delete each.asking
    })
    each.asking = unawaited(asking)
    if (!wasLate) waitedFor[each.head.place === 0 ? 'own' : 'others'].push(each.asking)
  }
  await Promise.all([
    inTime(Promise.all(waitedFor.own), { clock, mostMs: patienceMs }),
    inTime(Promise.all(waitedFor.others), { clock, mostMs: patienceMs / 2 }),
  ])
  return pulses.map((each) => {
    const { head, slot } = each
    each.slot = undefined
    return slot === undefined ? head : { ...head, slot }
  })
}

/** Of each role those that count and are not behind, in their order; one that is behind only where no other is there. */
function healthyOf(heads: readonly HeadPicture[], clients: AllClients): Healthy {
  const newest = headOf({ heads }) ?? 0n
  const pick = <T>(role: HeadPicture['role'], of: readonly T[]): HealthyOne<T>[] => {
    const answering = heads.filter((head) => head.role === role && head.slot !== undefined)
    const isNear = ({ slot = 0n }: HeadPicture) => slot + MOST_SLOTS_APART >= newest
    const order = [...answering.filter(isNear), ...answering.filter((head) => !isNear(head))]
    return order.flatMap(({ place, slot: height = 0n }) => {
      const client = of[place]
      return client === undefined ? [] : [{ client, height, isOwn: place === 0 }]
    })
  }
  const node = pick('node', clients.nodes)
  const execution = pick('execution', clients.executions)
  const engine = pick('engine', clients.engines)
  const firsts = { node: node[0], execution: execution[0], engine: engine[0] }
  const others = ROLES.filter((role) => firsts[role]?.isOwn === false)
  return { node, execution, engine, others }
}

const ROLES = ['node', 'execution', 'engine'] as const

/** The compressed form of the last key that an engine gave: it hardly ever changes, and its curve work need not be done twice. */
function rememberingKeys(): (value: string, of: { label: string }) => Hex {
  let last: { value: string; key: Hex } | undefined
  return (value, of) => {
    if (last?.value !== value) last = { value, key: keyOfEngine(value, of) }
    return last.key
  }
}
