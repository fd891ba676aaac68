import type { Effects, LockReply, Store } from '../../base/effects/effects.ts'
import { onceSettled } from '../../base/errors/base.ts'
import { journalError, sessionError } from '../../base/errors/journal.ts'
import type { Setup } from '../../chain/facts.ts'
import type { JournalOwner } from '../../observe/context.ts'
import type { JournalEvent } from './events.ts'
import { openJournal } from './journal.ts'

/** The journal of one chain and key, in the session's own terms. */
export type JournalFile = {
  readonly path: string
  readonly history: readonly JournalEvent[]
  append(event: JournalEvent): Promise<void>
  /** Throws a `JournalError` when the open journal belongs to another chain or key. */
  requireSame(header: JournalOwner): void
  close(): Promise<void>
}

const HEADER_FIELDS = ['executionGenesisHash', 'genesisValidatorsRoot', 'pubkey'] as const

/**
 * Opens the one journal of (execution genesis hash, genesis validators root, public key), creating it where there
 * is none. Throws a `JournalError` when it is damaged, held by another process, or of another chain or key.
 */
export async function openJournalFile(
  effects: Pick<Effects, 'store' | 'clock'>,
  setup: Setup,
  header: JournalOwner,
): Promise<JournalFile> {
  const path = `${setup.journalDirectory}/${journalFolder(header)}/journal.jsonl`
  const { executionGenesisHash, genesisValidatorsRoot, pubkey } = header
  const journal = await openJournal(effects, path, { executionGenesisHash, genesisValidatorsRoot, pubkey })
  return {
    path,
    history: journal.events,
    append: (event) => journal.append(event),
    requireSame(other) {
      const field = HEADER_FIELDS.find((name) => other[name] !== header[name])
      if (field !== undefined)
        throw journalError('journal.another', 'open', { field, found: other[field], expected: header[field] })
    },
    close: () => journal.close(),
  }
}

function journalFolder({ executionGenesisHash, genesisValidatorsRoot, pubkey }: JournalOwner): string {
  return [executionGenesisHash, genesisValidatorsRoot, pubkey].map((hex) => hex.slice(2, 14)).join('-')
}

/** The locks of one session on a key and on paying accounts. */
export type SessionLocks = {
  /** Takes a lock until the session ends, or says who holds it. Taking it again is the same as taking it once. */
  take(name: string): Promise<string | undefined>
  /** Takes a lock until it is released. One that the session takes meanwhile, or has taken before, stays with it. */
  borrow(name: string): Promise<LockReply>
  releaseAll(): Promise<void>
}

type Release = () => Promise<void>
type Held = { releases: readonly Release[]; isTaken: boolean; borrowers: number }

/**
 * Creates the locks of a session. A lock is held in every place or not at all: in the place of this user on this
 * computer, and beside the journals, which other containers may share.
 */
export function createSessionLocks(store: Store, setup: Setup): SessionLocks {
  const held = new Map<string, Held>()
  let queue: Promise<unknown> = Promise.resolve()

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = queue.then(run)
    queue = onceSettled(result)
    return result
  }

  async function lock(name: string): Promise<Held | { heldBy: string }> {
    const before = held.get(name)
    if (before !== undefined) return before
    if (setup.lockDirectories.length === 0) throw sessionError('session.looks-only')
    const releases: Release[] = []
    for (const directory of new Set([...setup.lockDirectories, setup.journalDirectory])) {
      const { release, heldBy } = await store.lock(`${directory}/${name}.lock`)
      if (release === undefined) {
        await releaseEach(releases)
        return { heldBy }
      }
      releases.push(release)
    }
    const one = { releases, isTaken: false, borrowers: 0 }
    held.set(name, one)
    return one
  }

  async function giveBack(name: string, one: Held): Promise<void> {
    one.borrowers -= 1
    if (one.isTaken || one.borrowers > 0 || held.get(name) !== one) return
    held.delete(name)
    await releaseEach(one.releases)
  }

  return {
    take: (name) =>
      inTurn(async () => {
        const one = await lock(name)
        if ('heldBy' in one) return one.heldBy
        one.isTaken = true
        return undefined
      }),
    borrow: (name) =>
      inTurn(async () => {
        const one = await lock(name)
        if ('heldBy' in one) return { heldBy: one.heldBy }
        one.borrowers += 1
        return { release: () => inTurn(() => giveBack(name, one)) }
      }),
    async releaseAll() {
      await queue
      await releaseEach([...held.values()].flatMap(({ releases }) => releases))
      held.clear()
    },
  }
}

async function releaseEach(releases: readonly Release[]): Promise<void> {
  for (const release of releases) await release()
}
