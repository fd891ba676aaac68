import type { Effects } from '../base/effects/effects.ts'
import { StateUnprovenError } from '../base/errors/deposit.ts'
import { isNotAsked } from '../base/errors/exec.ts'
import type { Hex } from '../base/format/hex.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import type { Facts, NodeSetup, Setup } from '../chain/facts.ts'
import type { KeyState, Level } from '../chain/key-state/key-state.ts'
import { SLOTS_TO_STAND } from '../chain/network/limits.ts'
import { type OfferBook, type Offers, offersOf } from '../chain/network/offered.ts'
import { createEngineClient, type EngineClient } from '../clients/engine/client.ts'
import { type ExecutionBlock, getBlock, getBlockNumber } from '../clients/execution/blocks.ts'
import { createExecutionClient, type ExecutionClient } from '../clients/execution/client.ts'
import { createNodeClient, type NodeClient } from '../clients/node/client.ts'
import { readKeyState } from '../clients/read-key-state.ts'
import { errorFacts, type Observation, type SeenEntry } from '../view/observation.ts'
import { STEP_TEXT } from '../view/text.ts'
import { judgeNode } from './findings.ts'

/** What a running command may use: the effects, the setup, proven facts, and a way to report what it found. */
export type CommandContext<Event> = {
  effects: Effects
  setup: Setup
  /** What the endpoints were found to offer in this session. */
  offers: OfferBook
  facts(): Facts
  /** Resolves once the event is durable (where it must be) and applied. */
  dispatch(event: Event): Promise<void>
  /** Aborted when the step is left, asked anew, or the session ends. */
  signal: AbortSignal
  /** Opens the journal of this chain and key, or checks that the open one is theirs. */
  openJournal(header: JournalOwner): Promise<void>
  /** Takes a lock for the rest of the session, or says who holds it. */
  lock(name: string): Promise<string | undefined>
}

/** The same with the state of the step, as it is by now. */
export type StepContext<Event, State> = CommandContext<Event> & { getState(): State }

/** What a journal belongs to. */
export type JournalOwner = {
  networkId: string
  genesisValidatorsRoot: Hex
  executionGenesisHash: Hex
  pubkey: Hex
}

/**
 * Asks one question and tells its answer: asking, then known or failed. Never throws, except when aborted. A tool that
 * cannot be asked leaves it unasked, with the reason.
 */
export async function observe<T>(
  world: Pick<CommandContext<never>, 'effects' | 'signal'>,
  source: string,
  ask: () => Promise<T>,
  tell: (seen: Observation<T>) => Promise<void>,
): Promise<T | undefined> {
  await tell({ status: 'asking' })
  try {
    const value = await ask()
    world.signal.throwIfAborted()
    await tell({ status: 'known', value, source, atMs: world.effects.clock.monotonicMs() })
    return value
  } catch (thrown) {
    world.signal.throwIfAborted()
    if (isNotAsked(thrown)) {
      await tell({ status: 'unasked', words: thrown.shortMessage })
      return undefined
    }
    await tell({
      status: 'failed',
      error: errorFacts(thrown),
      source,
      atMs: world.effects.clock.monotonicMs(),
    })
    return undefined
  }
}

/** Queries one fact of a table and dispatches the result; whom it asked is the table's source, or the one that is given. */
export function asker<Answers>(
  world: Pick<CommandContext<never>, 'effects' | 'setup' | 'signal'>,
  table: { readonly [K in keyof Answers]: { source?: (setup: Setup) => string } },
  tell: (entry: SeenEntry<Answers>) => Promise<void>,
) {
  return <K extends keyof Answers>(
    key: K,
    question: () => Promise<Answers[K]>,
    source = table[key].source?.(world.setup) ?? '',
  ) => observe(world, source, question, (seen) => tell({ key, seen }))
}

/** The endpoints of a setup, ready to be asked. */
export type Clients = {
  execution: ExecutionClient
  second: ExecutionClient | undefined
  node: NodeClient
  /** None where no engine was given. */
  engine: EngineClient | undefined
  /** What node and engine were found to have and to lack of what they need not have. */
  offers: { node: Offers; engine: Offers }
}

/** The endpoints of a whole node. */
export type NodeClients = Clients & { engine: EngineClient }

type ClientsInput = { effects: Effects; setup: Setup; offers?: OfferBook }

/**
 * Makes the clients of a setup's endpoints. They hold nothing open, so they may be made for each question; what they
 * were found to offer is in the session's `offers`.
 */
export function clientsOf(input: ClientsInput & { setup: NodeSetup }): NodeClients
export function clientsOf(input: ClientsInput): Clients
export function clientsOf({ effects, setup, offers = new Map() }: ClientsInput): Clients {
  const { endpoints, network } = setup
  const { secondExecution } = endpoints
  return {
    execution: createExecutionClient(effects, endpoints.execution),
    second: secondExecution === undefined ? undefined : createExecutionClient(effects, secondExecution),
    node: createNodeClient(effects, endpoints.node, { proofNamespace: network.names.proofNamespace }),
    engine: endpoints.engine === undefined ? undefined : createEngineClient(effects, endpoints.engine),
    offers: { node: offersOf(offers, endpoints.node), engine: offersOf(offers, endpoints.engine ?? '') },
  }
}

type KeyContext = Pick<CommandContext<never>, 'effects' | 'setup' | 'offers'>

/**
 * What the chain knows of a key in this moment, by all endpoints of the setup. Throws StateMismatchError, or a
 * `ClientError` where the first execution endpoint does not answer.
 */
export function lookAtKey(world: KeyContext, pubkey: Hex): Promise<KeyState> {
  const { node, execution, second } = clientsOf(world)
  const { network } = world.setup
  return readKeyState({ node, execution, second }, { network, pubkey, clock: world.effects.clock })
}

/**
 * Why what vouches for a part of a key's state does not do for a decision about money: not every execution endpoint
 * holds the proof, or it is not of now. undefined where it does.
 */
export function doubtOf(world: KeyContext, key: KeyState, level: Level): string | undefined {
  const { execution, second } = clientsOf(world)
  if (level.by === 'report') return STEP_TEXT.doubt.reported
  if (!isRecent(world, key.block.timestampSeconds)) return STEP_TEXT.doubt.old(key.slot)
  if (level.anchors >= (second === undefined ? 1 : 2)) return undefined
  return STEP_TEXT.doubt.noRoot(second?.label ?? execution.label, key.slot)
}

/**
 * The validator set of the same look, for a decision about money: a list can leave out who outbids you.
 * undefined where the node does not offer its state. Throws a StateUnprovenError where it does and nothing is proven.
 */
export function provenSetOf(world: KeyContext, key: KeyState): SetSnapshot | undefined {
  const { set } = key
  if ('unknown' in set) {
    if (set.outOfReach) return undefined
    throw unproven(set.unknown)
  }
  const doubt = doubtOf(world, key, { by: 'proof', anchors: set.proof?.anchors ?? 0 })
  if (doubt !== undefined) throw unproven(doubt)
  return set
}

function unproven(why: string): StateUnprovenError {
  return new StateUnprovenError(STEP_TEXT.doubt.set, why)
}

/**
 * Whether the execution chain is alive. Where chain time is the wall's, the head must be younger than 30 s;
 * elsewhere a newer block must appear within ten slots on our own clock. Nothing else reveals a stopped chain.
 */
export async function headIsFresh(
  world: Pick<CommandContext<never>, 'effects' | 'setup' | 'signal'>,
  execution: ExecutionClient,
  head: ExecutionBlock,
): Promise<boolean> {
  const { clock } = world.effects
  const { network } = world.setup
  if (network.clockIsWall) return isRecent(world, head.timestamp)
  const deadline = clock.monotonicMs() + SLOTS_TO_STAND * network.slotMs
  while (clock.monotonicMs() < deadline) {
    if ((await getBlockNumber(execution)) > head.number) return true
    await clock.sleep(network.slotMs / 2)
  }
  return false
}

/** Whether the latest block of an endpoint is of now, as `isRecent` says. Throws a `ClientError`. */
export async function latestIsRecent(
  world: Pick<CommandContext<never>, 'effects' | 'setup'>,
  execution: ExecutionClient,
): Promise<boolean> {
  const latest = await getBlock(execution, { block: 'latest' })
  return latest !== undefined && isRecent(world, latest.timestamp)
}

/**
 * Whether something of this chain time (Unix seconds) is of now: at most 30 s from our own clock. Where chain time is
 * not the wall's the clock cannot tell, and only heads can be compared.
 */
export function isRecent(
  { effects, setup }: { effects: Pick<Effects, 'clock'>; setup: Pick<Setup, 'network'> },
  timestampSeconds: bigint,
): boolean {
  const ageMs = effects.clock.nowMs() - Number(timestampSeconds) * 1000
  return judgeNode('age', { ageMs }, setup.network) === true
}
