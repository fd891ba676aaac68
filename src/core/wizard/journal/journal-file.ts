import type { Effects, Store } from '../../base/effects/effects.ts'
import { JournalError, sessionError } from '../../base/errors/journal.ts'
import { onceSettled } from '../../base/errors/unawaited.ts'
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
      if (field !== undefined) throw otherChain(field, { found: other[field], expected: header[field] })
    },
    close: () => journal.close(),
  }
}

function journalFolder({ executionGenesisHash, genesisValidatorsRoot, pubkey }: JournalOwner): string {
  return [executionGenesisHash, genesisValidatorsRoot, pubkey].map((hex) => hex.slice(2, 14)).join('-')
}

function otherChain(field: string, values: { found: string; expected: string }): JournalError {
  return new JournalError('journal.another', {
    short: 'The endpoints or the key have changed under the open journal.',
    details: [`field: ${field}`, `found: ${values.found}`, `expected: ${values.expected}`],
    next: ['Quit, set them right, start again.'],
  })
}

/** The locks of one session on a key and on paying accounts. */
export type SessionLocks = {
  /** Takes a lock until the session ends, or says who holds it. Taking it again is the same as taking it once. */
  take(name: string): Promise<string | undefined>
  releaseAll(): Promise<void>
}

type Release = () => Promise<void>

/**
 * Creates the locks of a session. A lock is held in every place or not at all: in the place of this user on this
 * computer, and beside the journals, which other containers may share.
 */
export function createSessionLocks(store: Store, setup: Setup): SessionLocks {
  const held = new Map<string, readonly Release[]>()
  let queue: Promise<unknown> = Promise.resolve()

  const take = async (name: string): Promise<string | undefined> => {
    if (held.has(name)) return undefined
    if (setup.lockDirectories.length === 0) throw sessionError('session.looks-only')
    const taken: Release[] = []
    for (const directory of new Set([...setup.lockDirectories, setup.journalDirectory])) {
      const { release, heldBy } = await store.lock(`${directory}/${name}.lock`)
      if (release === undefined) {
        await releaseEach(taken)
        return heldBy
      }
      taken.push(release)
    }
    held.set(name, taken)
    return undefined
  }

  return {
    take(name) {
      const result = queue.then(() => take(name))
      queue = onceSettled(result)
      return result
    },
    async releaseAll() {
      await queue
      await releaseEach([...held.values()].flat())
      held.clear()
    },
  }
}

async function releaseEach(releases: readonly Release[]): Promise<void> {
  for (const release of releases) await release()
}
