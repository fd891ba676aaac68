import { unlessSilent } from '../clients/ask-as-service.ts'
import { createEngineClient, type EngineClient } from '../clients/engine/client.ts'
import { type EngineStatus, getEngineStatus } from '../clients/engine/get-status.ts'
import { getBlockNumber } from '../clients/execution/blocks.ts'
import { createExecutionClient, type ExecutionClient } from '../clients/execution/client.ts'
import { getHeader } from '../clients/node/blocks.ts'
import { createNodeClient, type NodeClient } from '../clients/node/client.ts'
import type { Clock } from '../effects/effects.ts'
import { endpointName } from '../format/endpoint-url.ts'
import type { Hex } from '../format/hex.ts'
import { keyOfEngine } from '../identity/engine-key.ts'
import { MOST_SLOTS_APART } from '../network/limits.ts'
import type { Network } from '../network/network.ts'
import { createHeadJudge } from './judge-heads.ts'
import { createNodeLook, type Healthy, type HealthyOne, type Heard, type LookInput } from './look-node.ts'
import { createSetLook } from './look-set.ts'
import { createSignedLook } from './look-signed.ts'
import type { WatchMemory } from './memory.ts'
import { headOf, type SeenHead, type Sighting } from './sighting.ts'

/** Who looks at a network again and again, with small questions wherever these are enough. */
export type Looker = {
  /** One look. What nobody answered is left out of it. Rejects only when the effects end. */
  look(memory: WatchMemory): Promise<Sighting>
  /** What the first endpoints said in the last one. */
  heard(): Heard
}

/** One endpoint whose head is asked for in every look, by one question at a time. */
type Pulse = {
  head: Pick<SeenHead, 'role' | 'place' | 'name'>
  ask(): Promise<bigint | undefined>
  asking?: Promise<void>
  slot?: bigint | undefined
}

/** Makes the questions of a watch, which ask each endpoint for itself: one that hangs holds nobody else up. */
export function createLooker(input: LookInput): Looker {
  const { effects, network, endpoints } = input
  const { clock } = effects
  let nodeKey: Hex | undefined
  let engine: EngineStatus | undefined
  let head: Heard['head']
  let heard: Heard = {}
  const nodes = endpoints.node.map((url) =>
    createNodeClient(effects, url, { proofNamespace: network.names.proofNamespace }),
  )
  const executions = endpoints.execution.map((url) => createExecutionClient(effects, url))
  const engines = endpoints.engine.map((url) => createEngineClient(effects, url))
  const keys = rememberingKeys()
  const own = createNodeLook(input, { node: nodes[0], execution: executions[0], engine: engines[0] })
  const pulses: Pulse[] = [
    ...nodes.map((client, place) =>
      pulse('node', place, client, async () => {
        const header = await getHeader(client, { block: 'head' })
        if (place === 0) head = header
        return header.slot
      }),
    ),
    ...executions.map((client, place) => pulse('execution', place, client, () => getBlockNumber(client))),
    ...engines.map((client, place) =>
      pulse('engine', place, client, async () => {
        const status = await getEngineStatus(client)
        if (place === 0) {
          nodeKey = keys(status.publicKey.value, client)
          engine = status
          own.hear(status)
        }
        return status.latestHeight
      }),
    ),
  ]
  const judgeHeads = createHeadJudge(network)
  const set = createSetLook(input)
  const signed = createSignedLook(input)

  return {
    heard: () => heard,
    async look(memory) {
      nodeKey = undefined
      engine = undefined
      head = undefined
      const told = await beat(pulses, { clock, patienceMs: patienceOf(network) })
      const heads = judgeHeads(told, { known: memory.heads, nowMs: clock.nowMs() })
      const healthy = healthyOf(heads, { nodes, executions, engines })
      const { deposits, ...seen } = await set.look(memory, healthy)
      heard = {
        ...(head === undefined ? {} : { head }),
        ...(engine === undefined ? {} : { engine }),
        ...(deposits === undefined ? {} : { deposits }),
      }
      const signs = await signed.look(memory, { healthy, records: seen.validators })
      const validators = seen.validators.map((each) => {
        const blocks = signs.get(each.pubkey)
        return blocks === undefined ? each : { ...each, signed: blocks }
      })
      const { others } = healthy
      const sighting = { atMs: clock.nowMs(), heads, others, ...seen, validators, node: own.look() }
      return nodeKey === undefined ? sighting : { ...sighting, nodeKey }
    },
  }
}

function pulse(
  role: SeenHead['role'],
  place: number,
  { label }: { label: string },
  ask: () => Promise<bigint>,
): Pulse {
  return { head: { role, place, name: endpointName(label) }, ask: () => unlessSilent(ask()) }
}

/** A slot, but no less than a second: nobody who answers slower is waited for by the others. */
function patienceOf({ slotMs }: Network): number {
  return Math.max(slotMs, 1000)
}

const OVER = 'all have answered'

/** Asks every endpoint for its head that is not asked already, and waits for those that answer in time. */
async function beat(
  pulses: readonly Pulse[],
  { clock, patienceMs }: { clock: Clock; patienceMs: number },
): Promise<SeenHead[]> {
  for (const each of pulses) {
    if (each.asking !== undefined) continue
    each.slot = undefined
    each.asking = each.ask().then((slot) => {
      each.slot = slot
      delete each.asking
    })
  }
  const over = new AbortController()
  const asking = pulses.flatMap((each) => each.asking ?? [])
  const late = clock.sleep(patienceMs, over.signal)
  late.catch(() => undefined)
  try {
    await Promise.race([Promise.all(asking), late])
  } finally {
    // Without a reason of ours the stack of an error would be taken in every look.
    over.abort(OVER)
  }
  return pulses.map(({ head, slot, asking: isAsked }) =>
    slot === undefined || isAsked !== undefined ? head : { ...head, slot },
  )
}

/** Of each role those that count and are not behind, in their order; one that is behind only where no other is there. */
function healthyOf(
  heads: readonly SeenHead[],
  clients: {
    nodes: readonly NodeClient[]
    executions: readonly ExecutionClient[]
    engines: readonly EngineClient[]
  },
): Healthy {
  const newest = headOf({ heads }) ?? 0n
  const pick = <T>(role: SeenHead['role'], of: readonly T[]): HealthyOne<T>[] => {
    const answering = heads.filter((head) => head.role === role && head.slot !== undefined)
    const isNear = ({ slot = 0n }: SeenHead) => slot + MOST_SLOTS_APART >= newest
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
