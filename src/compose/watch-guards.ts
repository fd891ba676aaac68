import type { Effects } from '../core/base/effects/effects.ts'
import { BaseError, isError, onceSettled, unawaited } from '../core/base/errors/base.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import type { Setup } from '../core/chain/facts.ts'
import { unlessSilent } from '../core/clients/ask-as-service.ts'
import { getBlock } from '../core/clients/execution/blocks.ts'
import { createExecutionClient } from '../core/clients/execution/client.ts'
import { type GuardStanding, type UnreadFile, unheldBy } from '../core/observe/picture.ts'
import type { GuardBook, KnownGuard } from '../core/pay/guard/book.ts'
import { holdOrWait } from '../core/pay/guard/hold-track.ts'
import { guardFor, lastGuard, toldKnown } from '../core/pay/guard/standing.ts'
import { guardsHere, openGuardBook, readKept } from '../core/wizard/journal/guard-file.ts'
import { createSessionLocks, type SessionLocks } from '../core/wizard/journal/journal-file.ts'
import type { OpenGuards, WatchedGuards } from '../watch/keep-guards.ts'
import { lockDirectories } from './kept-places.ts'

const SLOTS_BETWEEN_LOOKS = 15

/** Holds the guards of the watched validators, or looks whether anybody does. No failure of it ends a watch. */
export const openGuards: OpenGuards = async (input) => {
  const { effects, io, validators, endpoints, holds } = input
  const setup = await setupOfGuards(input)
  const locks = createSessionLocks(effects.store, setup)
  const quit = new AbortController()
  const signal = AbortSignal.any([io.signal, quit.signal])
  /** Of each validator that was looked at. */
  const pictures = new Map<Hex, GuardStanding | undefined>()

  let unread: readonly UnreadFile[] | undefined
  const asked = validators.map(({ pubkey }) => pubkey)
  const note = (pubkey: Hex, guard: GuardStanding | undefined) => {
    // One that came to its end is told as that, and not as none.
    if (guard !== undefined || pictures.get(pubkey)?.stand !== 'over') pictures.set(pubkey, guard)
  }
  const readDisk = async () => {
    const kept = await readKept(effects.store, setup)
    const guards = await guardsHere(effects.store, setup)
    const found = asked.map(
      async (pubkey) => [pubkey, await lying(effects.store, guards, { pubkey, asked })] as const,
    )
    const standings = new Map(await Promise.all(found))
    // With the guards, never before them: who looks in between would take a guard that can't be read for a mere file.
    unread = kept.unread ?? []
    return standings
  }
  /** A read of the disk that is under way serves all validators: every signature of every guard is checked in it. */
  let reading: ReturnType<typeof readDisk> | undefined
  /** Reads the disk alone, so that no endpoint that is silent hides what is here. */
  const read = async () => {
    reading ??= readDisk().finally(() => {
      reading = undefined
    })
    return reading
  }
  const hold = async (book: GuardBook, pubkey: Hex): Promise<void> => {
    const context = {
      effects,
      setup,
      offers: new Map(),
      signal,
      lock: locks.take,
      book,
      kept: () => readKept(effects.store, setup),
      nodes: endpoints.node,
    }
    await holdOrWait({ context, pubkey, asked, tell: async (guard) => note(pubkey, guard) })
  }
  const keep = async (pubkey: Hex, looked: () => void): Promise<void> => {
    let said: string | undefined
    while (!signal.aborted) {
      // What failed is tried again at once: an amount may be due.
      let slots = 1
      try {
        const here = (await read()).get(pubkey)
        // One that can't be read is told before any endpoint has answered.
        if (!holds || here?.stand === 'unreadable') note(pubkey, here)
        const book = holds ? await bookOf(effects, { setup, borrow: locks.borrow }) : undefined
        if (book !== undefined) await hold(book, pubkey)
        if (!holds || book !== undefined) slots = SLOTS_BETWEEN_LOOKS
        said = undefined
      } catch (thrown) {
        if (signal.aborted) return
        if (!(thrown instanceof BaseError)) throw thrown
        const fault = faultOf(thrown)
        if (said !== fault) io.err(fault)
        said = fault
        const last = pictures.get(pubkey)
        if (last !== undefined) pictures.set(pubkey, unheldBy(last, fault))
      } finally {
        looked()
      }
      await onceSettled(effects.clock.sleep(slots * setup.network.slotMs, signal))
    }
  }
  let fault: { thrown: unknown } | undefined
  const firsts = validators.map(() => Promise.withResolvers<void>())
  const kept = Promise.all(
    validators.map(({ pubkey }, at) => keep(pubkey, () => firsts[at]?.resolve())),
  ).catch((thrown: unknown) => {
    fault = { thrown }
  })
  return {
    pictures() {
      // A fault of our own ends the watch: a guard that nobody holds must not look held.
      if (fault !== undefined) throw fault.thrown
      return {
        guards: [...pictures.values()].filter((guard) => guard !== undefined),
        unguarded: [...pictures].flatMap(([pubkey, guard]) => (guard === undefined ? [pubkey] : [])),
        ...(unread === undefined ? {} : { unread }),
      }
    },
    async looked() {
      await Promise.all(firsts.map(({ promise }) => promise))
    },
    async close() {
      quit.abort()
      await kept
      await locks.releaseAll()
    },
  } satisfies WatchedGuards
}

/** A failure with the file that it's about. */
function faultOf(thrown: BaseError): string {
  const [about] = isError(thrown, 'file') || isError(thrown, 'guard') ? thrown.details : []
  return about === undefined ? thrown.shortMessage : `${thrown.shortMessage} (${about})`
}

type GuardsInput = Parameters<OpenGuards>[0]

/** The endpoints that prove and take bytes are the first two of the list, and locks are those of every window of this user. */
async function setupOfGuards({ setup, endpoints, environment }: GuardsInput): Promise<Setup> {
  const [execution = setup.endpoints.execution, secondExecution] = endpoints.execution
  const [node = setup.endpoints.node] = endpoints.node
  const own =
    setup.lockDirectories.length > 0
      ? setup.lockDirectories
      : await lockDirectories(environment, process.platform)
  const [engine = setup.endpoints.engine, ...otherEngines] = endpoints.engine
  return {
    ...setup,
    lockDirectories: own,
    endpoints: {
      execution,
      node,
      ...(engine === undefined ? {} : { engine }),
      otherEngines,
      ...(secondExecution === undefined ? {} : { secondExecution }),
    },
  }
}

/** So long an endpoint may take to name its first block, while another one could. */
const SLOTS_FOR_FIRST_BLOCK = 5

/** The guards of the chain that the execution endpoints name; undefined while none answers, or they do not agree. */
async function bookOf(
  effects: Effects,
  { setup, borrow }: { setup: Setup; borrow: SessionLocks['borrow'] },
): Promise<GuardBook | undefined> {
  const { execution, secondExecution } = setup.endpoints
  const urls = secondExecution === undefined ? [execution] : [execution, secondExecution]
  const firsts = await Promise.all(
    urls.map((url) =>
      Promise.race([
        unlessSilent(getBlock(createExecutionClient(effects, url), { block: 0n })),
        unawaited(effects.clock.sleep(SLOTS_FOR_FIRST_BLOCK * setup.network.slotMs)),
      ]),
    ),
  )
  const [first, ...others] = firsts.filter((one) => one !== undefined)
  if (first === undefined || !others.every(({ hash }) => sameHex(hash, first.hash))) return undefined
  return openGuardBook({ effects, setup, executionGenesisHash: first.hash, borrow })
}

/**
 * A guard that is not held from here: whether anybody does, by the lock of its journal, which is only read. Where there is
 * none, how the last one ended.
 */
async function lying(
  store: Effects['store'],
  guards: readonly KnownGuard[],
  { pubkey, asked }: { pubkey: Hex; asked: readonly Hex[] },
): Promise<GuardStanding | undefined> {
  const found = guardFor(guards, pubkey, asked)
  if (found === undefined) return lastGuard(guards, pubkey)
  try {
    const holder = await store.holderOf(`${found.path}/journal.jsonl.lock`)
    return toldKnown(found, pubkey, holder === undefined ? 'nobody' : { heldBy: `Process ${holder.pid}.` })
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { ...toldKnown(found, pubkey, 'nobody'), fault: faultOf(thrown) }
  }
}
