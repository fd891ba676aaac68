import type { Effects } from '../effects/effects.ts'
import { isNotAsked } from '../errors/tool.ts'
import type { Facts, Setup } from '../facts.ts'
import type { Hex } from '../format/hex.ts'
import type { OfferBook } from '../network/offered.ts'
import type { Observation } from './observation.ts'
import { errorFacts } from './observation.ts'

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
