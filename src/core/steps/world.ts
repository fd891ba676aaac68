import { createEngineClient, type EngineClient } from '../clients/engine/client.ts'
import { createExecutionClient, type ExecutionClient } from '../clients/execution/client.ts'
import { createNodeClient, type NodeClient } from '../clients/node/client.ts'
import type { Effects } from '../effects/effects.ts'
import { isNotAsked } from '../errors/exec.ts'
import type { Facts, NodeSetup, Setup } from '../facts.ts'
import type { Hex } from '../format/hex.ts'
import { type OfferBook, type Offers, offersOf } from '../network/offered.ts'
import { errorFacts, type Observation, type SeenEntry } from './observation.ts'

/** What a running command may touch: the world, the setup, proven facts, and a way to tell what it found. */
export type World<Event> = {
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
  openJournal(header: JournalHeader): Promise<void>
  /** Takes a lock for the rest of the session, or says who holds it. */
  lock(name: string): Promise<string | undefined>
}

/** What a journal belongs to. */
export type JournalHeader = {
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
  world: Pick<World<never>, 'effects' | 'signal'>,
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

/** Asks for the facts of a table, one at a time, of whom the table names or of the one that is given, and tells what comes of it. */
export function asker<Answers>(
  world: Pick<World<never>, 'effects' | 'setup' | 'signal'>,
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
