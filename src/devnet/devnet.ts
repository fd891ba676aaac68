import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onceSettled } from '../core/base/errors/base.ts'
import { gweiToWei, tokens } from '../core/base/format/amount.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import type { ConsensusState } from '../core/chain/consensus/state.ts'
import { useFastHasher as installFastHasher } from '../core/chain/deposit/fast-hasher.ts'
import type { Forger, ScenarioName } from '../core/chain/network/scenario-names.ts'
import { createRival, createSecondNode, createSilence, createTroubles, sendLostDeposit } from './acts.ts'
import {
  type Behaving,
  behave,
  behaveAs,
  type EndpointRole,
  isOfOwnNode,
  PLACES,
  rolesOf,
  type SetBehavior,
} from './behaviors.ts'
import { type ChainSwitches, chainOf, forgeChain } from './build-chain.ts'
import type { Chain, SlotReport } from './consensus/chain.ts'
import { engineSetAt } from './consensus/engine.ts'
import { type EngineGenesis, engineRpc } from './consensus/engine-rpc.ts'
import { nodeApi } from './consensus/node-api.ts'
import type { ExecutionClock, RpcCall } from './execution/client.ts'
import { type ExecutionGenesis, executionGenesis } from './execution/genesis.ts'
import { exclusive } from './execution/mine-slot.ts'
import { type FrontHooks, type RehearsalExecution, startExecution } from './execution/start.ts'
import { type DevnetDescriptor, genesisText, writeFiles, writeKeyState } from './home.ts'
import { type RehearsalValidatorKey, validatorKey } from './keys.ts'
import { type LoopbackHandler, type LoopbackServer, loopbackServer } from './loopback-server.ts'
import { type Plan, planDevnet } from './scenarios.ts'
import { controlOf, createChronicle, type Note } from './story.ts'

/** Ports on 127.0.0.1; 0 takes a free one. */
type DevnetPorts = { execution: number; node: number; engine: number }

export type DevnetInput = {
  scenario?: ScenarioName
  /** The same seed and genesis time give the same network, hash by hash. */
  seed?: string
  slotMs?: number
  genesisTimeSeconds?: number
  /** A private directory of this network; nothing is written anywhere else. */
  directory: string
  ports?: DevnetPorts
  /** Time as the network sees it. A test supplies its own. */
  clock: ExecutionClock
  /** The clock by which the execution client is waited for, where `clock` is not the computer's own. */
  clientClock?: ExecutionClock
  /** Slots to pass before the network is ready; 0 leaves it waiting for its first block. */
  warmupSlots?: number
  /** Another network's files in place of a scenario. */
  files?: { genesisJson: string; specToml: string }
  /** Stands between the execution client and its users. */
  hooks?: FrontHooks
  /** Whether a second node signs with the user's key for a while, once the validator is active. */
  secondNode?: boolean
  /** Whether there is another node beside the own one: a second execution endpoint with a node API and an engine RPC of its own. */
  foreignNode?: boolean
  /** In so many seconds a fork begins that a second execution endpoint names, and the own one does not. */
  forkInSeconds?: number
  /** In what way the network shows a chain whose keys it doesn't hold; it tells the truth where left out. */
  forger?: Forger
  /** Parts of the chain that a test replaces. */
  chain?: ChainSwitches
  /** Ends a start that is under way. */
  signal?: AbortSignal
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
  /** Makes an endpoint behave so from now on; truly again, where no name is given. */
  setBehavior: SetBehavior
  /** How many requests came in so far, of anybody, on any endpoint. */
  requestCount: () => number
  /** Ends everything; calling it twice is safe. */
  stop: () => Promise<void>
  /** Resolves when the execution client ends by itself. */
  died: Promise<Error>
}

const DEFAULT_SLOT_MS = 1000
/** As on the real networks. */
const SLOT_MS_AS_ON_MAINNET = 2000
const DEFAULT_SEED = 'bearings'
const DEFAULT_SCENARIO: ScenarioName = 'set-full'

/**
 * Starts a rehearsal network: the execution client, the consensus node on it, their endpoints on 127.0.0.1, a node
 * home with a fresh key and an account with play money. Resolves when everything answers; leaves nothing running
 * when it throws (`devnet.*` and network errors, or the reason of the signal).
 */
export async function startDevnet(input: DevnetInput): Promise<Devnet> {
  const isAsOnMainnet = input.files === undefined && input.scenario === 'as-on-mainnet'
  const slotMs = input.slotMs ?? (isAsOnMainnet ? SLOT_MS_AS_ON_MAINNET : DEFAULT_SLOT_MS)
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
  input.signal?.throwIfAborted()
  const execution = await startExecution({
    genesis: firstBlockOf(plan),
    directory: join(input.directory, 'execution'),
    clock: input.clientClock ?? input.clock,
    ...pick(input, 'signal'),
  })
  const servers: LoopbackServer[] = []
  const ending = new AbortController()
  const stop = async (): Promise<void> => {
    ending.abort()
    await Promise.all(servers.map((server) => server.close()))
    await execution.stop()
  }
  try {
    return await buildUp(input, { plan, execution, slotMs, servers, stop, signal: ending.signal })
  } catch (error) {
    await stop()
    throw error
  }
}

type Parts = {
  plan: Plan
  execution: RehearsalExecution
  slotMs: number
  /** Whatever is opened is put here, so that `stop` finds it. */
  servers: LoopbackServer[]
  stop: () => Promise<void>
  /** Given when the network ends. */
  signal: AbortSignal
}

async function buildUp(input: DevnetInput, parts: Parts): Promise<Devnet> {
  const { plan, execution, slotMs } = parts
  const forged = input.forger === undefined ? {} : forgeChain(plan, input.forger)
  const chain = chainOf(plan, execution, { ...forged, ...input.chain })
  const scenario = input.files === undefined ? (input.scenario ?? DEFAULT_SCENARIO) : undefined
  const path = join(input.directory, 'story.json')
  const paced = input.slotMs === undefined
  const story = scenario && createChronicle(plan, { scenario, path, slotMs, paced })
  const note: Note = (event) => story?.note(event)
  const rival = createRival(plan, execution, () => story?.arrivedAt())
  const silence = createSilence(plan, { servers: parts.servers, chain, note })
  const troubles = createTroubles(plan, { execution, chain, note })
  const secondNode = createSecondNode(plan, { isAsked: input.secondNode === true })
  // As a node does it, the state of its key is on the disk before its vote is anywhere.
  let signedTo = 0n
  let hasHome = false
  const signOwn = async (slot: bigint): Promise<void> => {
    const { pubkey } = secondNode.ownKey()
    if (!engineSetAt(chain.engineSets(), slot).some((member) => member.pubkey === pubkey)) return
    signedTo = slot
    if (hasHome) await writeKeyState(input.directory, slot)
  }
  const inOrder = exclusive()
  const advanceSlot = (): Promise<SlotReport> => inOrder(makeSlot)
  const makeSlot = async (): Promise<SlotReport> => {
    const slot = chain.history.head.header.slot + 1n
    await rival.actBefore(slot, chain.state())
    silence.actBefore(slot, chain.state())
    await troubles.actBefore(slot, chain.state())
    secondNode.actBefore(slot, chain.state())
    await signOwn(slot)
    const before = chain.state()
    const report = await chain.advance(plan.genesisTimeSeconds + Number(slot) * plan.secondsPerSlot)
    story?.add(report, { before, after: chain.state() })
    story?.addFees(await paidFeesWei(execution.rpc, report.transactions, plan.user.address))
    await story?.save()
    return report
  }
  if (plan.lostDeposit !== undefined) await sendLostDeposit(execution, plan, plan.lostDeposit)
  for (let slot = 0; slot < plan.warmupSlots; slot += 1) {
    input.signal?.throwIfAborted()
    await advanceSlot()
  }
  input.signal?.throwIfAborted()
  const genesisJson = plan.genesisJson ?? genesisText(plan, execution)
  const node = { chain, genesisJson, ownKey: secondNode.ownKey }
  const { second, foreign, urls, servers, requestCount, open, places, setBehavior } = await openEndpoints(
    input,
    parts,
    node,
  )
  await story?.save()
  const { directory } = input
  const control = story && (await open(controlOf({ plan, chain, directory, story, places, setBehavior })))
  const descriptor = await writeFiles({
    plan,
    execution,
    slotMs,
    directory,
    scenario: scenario ?? 'files',
    chain,
    urls,
    ...(second === undefined ? {} : { second: second.url }),
    ...(foreign === undefined ? {} : { foreign }),
    genesisJson,
    ...(control === undefined ? {} : { story: { path, control: control.url } }),
  })
  await writeKeyState(directory, signedTo)
  hasHome = true
  return {
    descriptor,
    servers,
    execution,
    chain,
    advanceSlot,
    run: (signal) =>
      runByClock(input.clock, { slotMs: story?.slotMs ?? (() => slotMs), advanceSlot, signal }),
    state: () => chain.state(),
    requestCount,
    setBehavior,
    stop: parts.stop,
    died: execution.died,
  }
}

type NodeOfHome = { chain: Chain; genesisJson: string; ownKey(): RehearsalValidatorKey }

async function openEndpoints(input: DevnetInput, parts: Parts, node: NodeOfHome) {
  let requests = 0
  const behaving: Partial<Record<EndpointRole, Behaving>> = {}
  const wait = (delayMs: number) => input.clock.sleep(delayMs, parts.signal)
  const hooksOf = (role: EndpointRole): FrontHooks => ({
    async around(call, answer) {
      requests += 1
      const { around } = input.hooks ?? {}
      if (behaving[role] === undefined && around !== undefined) return around(call, answer)
      return behave(behaving[role], { call, ask: answer, wait })
    },
  })
  const behaved =
    (role: EndpointRole, handle: LoopbackHandler): LoopbackHandler =>
    (request) =>
      behaveAs(behaving[role], handle, wait)(request)
  const open = async (handle: LoopbackHandler, port?: number): Promise<LoopbackServer> => {
    const counted: LoopbackHandler = (request) => {
      requests += 1
      return handle(request)
    }
    const server = await loopbackServer(counted, port)
    parts.servers.push(server)
    return server
  }
  const front = await parts.execution.serve({
    ...(input.ports && { port: input.ports.execution }),
    hooks: hooksOf('execution'),
  })
  const { forkInSeconds: inSeconds } = input
  const fork =
    inSeconds === undefined ? {} : { nextForkSeconds: node.chain.history.head.timestampSeconds + inSeconds }
  const second =
    parts.plan.asOnMainnet || inSeconds !== undefined || input.foreignNode === true
      ? await parts.execution.serve({ hooks: hooksOf('second'), ...fork })
      : undefined
  const genesis = JSON.parse(node.genesisJson) as EngineGenesis
  const ownEngine = engineRpc(node.chain, {
    genesis,
    get key() {
      return node.ownKey()
    },
  })
  const api = nodeApi(node.chain)
  const servers = {
    node: await open(behaved('node', api), input.ports?.node),
    engine: await open(behaved('engine', ownEngine), input.ports?.engine),
  }
  const foreignEngine = () =>
    engineRpc(node.chain, { genesis, key: validatorKey(parts.plan.seed, 'foreign-node') })
  const foreign =
    input.foreignNode === true
      ? {
          node: (await open(behaved('foreign-api', api))).url,
          engine: (await open(behaved('foreign-engine', foreignEngine()))).url,
        }
      : undefined
  const urls = { execution: front.url, node: servers.node.url, engine: servers.engine.url }
  const setBehavior: SetBehavior = (place, name) => {
    const sinceBlock = node.chain.history.head.header.slot
    for (const role of rolesOf(place)) {
      if (name === undefined) delete behaving[role]
      else behaving[role] = { name, sinceBlock }
    }
  }
  const isOpen = (role: EndpointRole) =>
    isOfOwnNode(role) || (role === 'second' ? second : foreign) !== undefined
  const places = PLACES.filter((place) => rolesOf(place).every(isOpen))
  return { requestCount: () => requests, urls, second, foreign, servers, open, places, setBehavior }
}

function pick<From extends object, Name extends keyof From>(
  from: From,
  name: Name,
): Pick<From, Name> | object {
  return from[name] === undefined ? {} : { [name]: from[name] }
}

/** A receipt of the client, as far as it is read here. Quantities are hex. */
type RpcReceipt = { from: Hex; gasUsed: Hex; effectiveGasPrice: Hex }

/** What an account paid in fees for its own among these transactions, in wei, by their receipts. Each of them must be in a block. */
async function paidFeesWei(rpc: RpcCall, transactions: readonly Hex[], from: Hex): Promise<bigint> {
  const receipts = await Promise.all(transactions.map((hash) => rpc('eth_getTransactionReceipt', [hash])))
  return (receipts as RpcReceipt[])
    .filter((receipt) => sameHex(receipt.from, from))
    .reduce((sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice), 0n)
}

const PLAY_MONEY = tokens(1_000_000n)

/** The first block of a plan's execution side. */
function firstBlockOf(plan: Plan): ExecutionGenesis {
  return executionGenesis({
    chainId: plan.spec.depositChainId,
    timestampSeconds: plan.genesisTimeSeconds,
    genesisDeposits: {
      root: plan.genesisDepositsRoot,
      validators: plan.genesis.deposits.map(({ pubkey, withdrawalCredentials }) => ({
        pubkey,
        operator: `0x${withdrawalCredentials.slice(-40)}`,
      })),
    },
    accounts: [plan.user, plan.stranger].map(({ address }) => ({
      address,
      balanceWei: gweiToWei(PLAY_MONEY),
    })),
  })
}

/** Late slots are made up for one by one, but never more than a few: a network that slept goes on from where it is. */
const MOST_SLOTS_BEHIND = 4

/** Calls `advanceSlot` every `slotMs` on the clock until the signal is given. Rejects when a slot cannot be made. */
async function runByClock(
  clock: ExecutionClock,
  loop: { slotMs: () => number; advanceSlot: () => Promise<unknown>; signal: AbortSignal },
): Promise<void> {
  const { signal } = loop
  let dueMs = clock.nowMs() + loop.slotMs()
  while (!signal.aborted) {
    const waitMs = dueMs - clock.nowMs()
    if (waitMs > 0) await onceSettled(clock.sleep(waitMs, signal))
    if (signal.aborted) return
    await loop.advanceSlot()
    const slotMs = loop.slotMs()
    dueMs = Math.max(dueMs + slotMs, clock.nowMs() - MOST_SLOTS_BEHIND * slotMs)
  }
}
