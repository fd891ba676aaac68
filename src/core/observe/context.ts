import type { Effects } from '../base/effects/effects.ts'
import { type BaseError, isError } from '../base/errors/base.ts'
import { depositError } from '../base/errors/deposit.ts'
import type { Hex } from '../base/format/hex.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import type { Facts, NodeSetup, Setup } from '../chain/facts.ts'
import type { KeyState, Level } from '../chain/key-state/key-state.ts'
import { evidenceOf, isProof, SLOTS_TO_STAND } from '../chain/network/network.ts'
import { type OfferBook, type Offers, offersOf } from '../chain/network/offered.ts'
import { createEngineClient, type EngineClient } from '../clients/engine/client.ts'
import { type ExecutionBlock, getBlock, getBlockNumber } from '../clients/execution/blocks.ts'
import { createExecutionClient, type ExecutionClient } from '../clients/execution/client.ts'
import { createNodeClient, type NodeClient } from '../clients/node/client.ts'
import { readKeyState } from '../clients/read-key-state.ts'
import { type SignedChain, signedChainOf } from '../clients/signed/signed-chain.ts'
import { errorFacts, type Observation, type Observed } from '../view/observation.ts'
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

/** Asks one question and reports its progress: asking, then known, failed or unasked. Throws only when aborted. */
export async function observe<T>(
  context: Pick<CommandContext<never>, 'effects' | 'signal'>,
  source: string,
  ask: () => Promise<T>,
  tell: (observation: Observation<T>) => Promise<void>,
): Promise<T | undefined> {
  await tell({ status: 'asking' })
  try {
    const value = await ask()
    context.signal.throwIfAborted()
    await tell({ status: 'known', value, source, atMs: context.effects.clock.monotonicMs() })
    return value
  } catch (thrown) {
    context.signal.throwIfAborted()
    if (isError(thrown, 'tool.not-asked')) {
      await tell({ status: 'unasked', words: thrown.shortMessage })
      return undefined
    }
    await tell({
      status: 'failed',
      error: errorFacts(thrown),
      source,
      atMs: context.effects.clock.monotonicMs(),
    })
    return undefined
  }
}

/** Queries one fact of a table and dispatches the result; the source shown is the table's unless another is given. */
export function asker<Answers>(
  context: Pick<CommandContext<never>, 'effects' | 'setup' | 'signal'>,
  table: { readonly [K in keyof Answers]: { source?: (setup: Setup) => string } },
  tell: (entry: Observed<Answers>) => Promise<void>,
) {
  return <K extends keyof Answers>(
    key: K,
    question: () => Promise<Answers[K]>,
    source = table[key].source?.(context.setup) ?? '',
  ) => observe(context, source, question, (observation) => tell({ key, observation }))
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
  /** The chain as its validator set signs it, served by the engine. */
  signed: SignedChain
}

/** The endpoints of a whole node. */
export type NodeClients = Clients & { engine: EngineClient }

type ClientsInput = { effects: Effects; setup: Setup; offers?: OfferBook }

/**
 * Creates the clients of a setup's endpoints. Clients hold no connection open; what endpoints offer is kept in
 * `offers`.
 */
export function clientsOf(input: ClientsInput & { setup: NodeSetup }): NodeClients
export function clientsOf(input: ClientsInput): Clients
export function clientsOf({ effects, setup, offers = new Map() }: ClientsInput): Clients {
  const { endpoints, network } = setup
  const { secondExecution } = endpoints
  const { engine, otherEngines = [] } = endpoints
  const engines = engine === undefined ? otherEngines : [engine, ...otherEngines]
  return {
    execution: createExecutionClient(effects, endpoints.execution),
    second: secondExecution === undefined ? undefined : createExecutionClient(effects, secondExecution),
    node: createNodeClient(effects, endpoints.node, { proofNamespace: network.names.proofNamespace }),
    engine: engine === undefined ? undefined : createEngineClient(effects, engine),
    signed: signedChainOf(effects, { network, engines, directory: setup.journalDirectory }),
    offers: { node: offersOf(offers, endpoints.node), engine: offersOf(offers, endpoints.engine ?? '') },
  }
}

type KeyContext = Pick<CommandContext<never>, 'effects' | 'setup' | 'offers'>

/**
 * Reads what all endpoints of the setup know of a key now. Throws `proofs.state-mismatch` or, for the first execution
 * endpoint, a `ClientError`.
 */
export function askKey(context: KeyContext, pubkey: Hex): Promise<KeyState> {
  const { node, execution, second, signed } = clientsOf(context)
  const { network } = context.setup
  return readKeyState({ node, execution, second, signed }, { network, pubkey, clock: context.effects.clock })
}

/** Returns why a part of a key's state is not proven well enough to decide about money; undefined where it is. */
export function proofDoubt(context: KeyContext, key: KeyState, level: Level): string | undefined {
  const { execution, second } = clientsOf(context)
  if (level.by === 'report') return STEP_TEXT.doubt.reported
  if (!isRecent(context, key.block.timestampSeconds)) return STEP_TEXT.doubt.old(key.slot)
  if (isProof(level, second === undefined ? 1 : 2)) return undefined
  return STEP_TEXT.doubt.noRoot(second?.label ?? execution.label, key.slot)
}

/**
 * Returns the proven validator set of a key state; undefined where the node offers no state. Throws a
 * `proofs.state-unproven` where the set is not proven.
 */
export function provenSetOf(context: KeyContext, key: KeyState): SetSnapshot | undefined {
  const { set } = key
  if ('unknown' in set) {
    if (set.outOfReach) return undefined
    throw unproven(set.unknown)
  }
  const doubt = proofDoubt(context, key, { by: 'proof', ...evidenceOf(set.proof ?? { anchors: 0 }) })
  if (doubt !== undefined) throw unproven(doubt)
  return set
}

function unproven(why: string): BaseError {
  return depositError('proofs.state-unproven', STEP_TEXT.doubt.set, why)
}

/**
 * Whether the execution chain is alive. Where chain time is the wall's, the head must be younger than 30 s;
 * elsewhere a newer block must appear within ten slots on our own clock. Nothing else reveals a stopped chain.
 */
export async function headIsFresh(
  context: Pick<CommandContext<never>, 'effects' | 'setup' | 'signal'>,
  execution: ExecutionClient,
  head: ExecutionBlock,
): Promise<boolean> {
  const { clock } = context.effects
  const { network } = context.setup
  if (network.clockIsWall) return isRecent(context, head.timestamp)
  const deadline = clock.monotonicMs() + SLOTS_TO_STAND * network.slotMs
  while (clock.monotonicMs() < deadline) {
    if ((await getBlockNumber(execution)) > head.number) return true
    await clock.sleep(network.slotMs / 2)
  }
  return false
}

/** Whether the latest block of an endpoint is recent, by `isRecent`. Throws a `ClientError`. */
export async function latestIsRecent(
  context: Pick<CommandContext<never>, 'effects' | 'setup'>,
  execution: ExecutionClient,
): Promise<boolean> {
  const latest = await getBlock(execution, { block: 'latest' })
  return latest !== undefined && isRecent(context, latest.timestamp)
}

/**
 * Whether a chain time (Unix seconds) is at most 30 s from this computer's clock; always true where chain time is not
 * wall time.
 */
export function isRecent(
  { effects, setup }: { effects: Pick<Effects, 'clock'>; setup: Pick<Setup, 'network'> },
  timestampSeconds: bigint,
): boolean {
  const ageMs = effects.clock.nowMs() - Number(timestampSeconds) * 1000
  return judgeNode('age', { ageMs }, setup.network) === true
}
