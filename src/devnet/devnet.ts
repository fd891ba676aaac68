import { mkdir } from 'node:fs/promises'
import type { ConsensusState } from '../core/consensus/state.ts'
import { useFastHasher as installFastHasher } from '../core/deposit/fast-hasher.ts'
import { chainOf, startClient } from './build-chain.ts'
import type { Chain, SlotReport } from './consensus/chain.ts'
import { engineRpc } from './consensus/engine-rpc/rpc.ts'
import { nodeApi } from './consensus/node-api/routes.ts'
import type { DevnetDescriptor } from './descriptor.ts'
import type { ExecutionClock, FrontHooks, RehearsalExecution } from './execution/types.ts'
import { type LoopbackServer, loopbackServer } from './loopback-server.ts'
import { sendLostDeposit } from './lost-deposit.ts'
import { type Plan, planDevnet } from './plan.ts'
import { requestWatch } from './request-watch.ts'
import { oneByOne, runByClock } from './run-by-clock.ts'
import type { ScenarioName } from './scenarios.ts'
import { genesisText, KEY_TYPE_PREFIX, writeFiles } from './write-files.ts'

/** Time as the network sees it. A test supplies its own. */
export type DevnetClock = ExecutionClock

/** Ports on 127.0.0.1; 0 takes a free one. */
export type DevnetPorts = { execution: number; node: number; engine: number }

export type DevnetInput = {
  scenario?: ScenarioName
  /** The same seed and genesis time give the same network, hash by hash. */
  seed?: string
  slotMs?: number
  genesisTimeSeconds?: number
  /** A private directory of this network; nothing is written anywhere else. */
  directory: string
  ports?: DevnetPorts
  clock: DevnetClock
  /** The clock by which the execution client is waited for, where `clock` is not the computer's own. */
  clientClock?: DevnetClock
  /** Slots to pass before the network is ready; 0 leaves it waiting for its first block. */
  warmupSlots?: number
  /** Another network's files in place of a scenario. */
  files?: { genesisJson: string; specToml: string }
  /** Stands between the execution client and its users. */
  hooks?: FrontHooks
}

/** A rehearsal network that is ready. */
export type Devnet = {
  descriptor: DevnetDescriptor
  /** The node API's and the engine's server, to be stopped for a while in a test. */
  servers: { node: LoopbackServer; engine: LoopbackServer }
  execution: RehearsalExecution
  /** Mines one slot; calls are taken one after the other. */
  advanceSlot(): Promise<SlotReport>
  /** Mines a slot every `slotMs` by the clock until the signal is given. Rejects when a slot cannot be made. */
  run(signal: AbortSignal): Promise<void>
  /** State of the head. */
  state(): ConsensusState
  chain: Chain
  /** On the clock given: when the last request of anybody came in. */
  lastRequestMs(): number
  /** Ends everything; calling it twice is safe. */
  stop(): Promise<void>
  /** Resolves when the execution client ends by itself. */
  died: Promise<Error>
}

const DEFAULT_SLOT_MS = 1000
const DEFAULT_SEED = 'bearings'
const DEFAULT_SCENARIO: ScenarioName = 'set-full'

/**
 * Starts a rehearsal network: the execution client, the consensus node on it, their endpoints on 127.0.0.1, a node
 * home with a fresh key and an account with play money. Resolves when everything answers; leaves nothing running
 * when it throws (`devnet.*`, anvil.* and network errors).
 */
export async function startDevnet(input: DevnetInput): Promise<Devnet> {
  const slotMs = input.slotMs ?? DEFAULT_SLOT_MS
  const plan = planDevnet({
    scenario: input.scenario ?? DEFAULT_SCENARIO,
    seed: input.seed ?? DEFAULT_SEED,
    slotMs,
    nowSeconds: Math.floor(input.clock.nowMs() / 1000),
    ...pick(input, 'genesisTimeSeconds'),
    ...pick(input, 'warmupSlots'),
    ...pick(input, 'files'),
  })
  await mkdir(input.directory, { recursive: true, mode: 0o700 })
  await installFastHasher()
  const execution = await startClient({ directory: input.directory, clock: input.clientClock ?? input.clock }, plan)
  try {
    return await buildUp(input, { plan, execution, slotMs })
  } catch (error) {
    await execution.stop()
    throw error
  }
}

type Parts = { plan: Plan; execution: RehearsalExecution; slotMs: number }

async function buildUp(input: DevnetInput, parts: Parts): Promise<Devnet> {
  const { plan, execution, slotMs } = parts
  const chain = chainOf(plan, execution)
  const advanceSlot = oneByOne(() => {
    const slot = Number(chain.history.head.header.slot) + 1
    return chain.advance(plan.genesisTimeSeconds + slot * plan.secondsPerSlot)
  })
  if (plan.lostDeposit !== undefined) await sendLostDeposit(execution, plan, plan.lostDeposit)
  for (let slot = 0; slot < plan.warmupSlots; slot += 1) await advanceSlot()
  const requests = requestWatch(input.clock)
  const front = await execution.serve({
    port: input.ports?.execution ?? 0,
    hooks: requests.front(input.hooks),
  })
  const genesisJson = plan.genesisJson ?? genesisText(plan, execution)
  const engineNode = { key: plan.fresh, keyTypePrefix: KEY_TYPE_PREFIX, genesis: JSON.parse(genesisJson) }
  const node = await loopbackServer(requests.server(nodeApi(chain)), input.ports?.node)
  const engine = await loopbackServer(requests.server(engineRpc(chain, engineNode)), input.ports?.engine)
  const urls = { execution: front.url, node: node.url, engine: engine.url }
  const descriptor = await writeFiles({
    ...parts,
    directory: input.directory,
    scenario: input.files === undefined ? (input.scenario ?? DEFAULT_SCENARIO) : 'files',
    chain,
    urls,
    genesisJson,
  })
  return {
    descriptor,
    servers: { node, engine },
    execution,
    chain,
    advanceSlot,
    run: (signal) => runByClock(input.clock, { slotMs, advanceSlot, signal }),
    state: () => chain.state(),
    lastRequestMs: requests.lastMs,
    async stop() {
      await Promise.all([node.close(), engine.close()])
      await execution.stop()
    },
    died: execution.died,
  }
}

function pick<From extends object, Name extends keyof From>(
  from: From,
  name: Name,
): Pick<From, Name> | object {
  return from[name] === undefined ? {} : { [name]: from[name] }
}
