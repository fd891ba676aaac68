import type { Store } from './effects/effects.ts'
import { BaseError } from './errors/base.ts'
import type { Setup } from './facts.ts'

/** The locks of one session on a key and on paying accounts. */
export type SessionLocks = {
  /** Takes a lock until the session ends, or says who holds it. Taking it again is the same as taking it once. */
  take(name: string): Promise<string | undefined>
  releaseAll(): Promise<void>
}

type Release = () => Promise<void>

/**
 * A lock is held in every place or not at all: where all windows of this user on this computer meet, and beside the
 * journals, where all meet who share these, in whatever container.
 */
export function createSessionLocks(store: Store, setup: Setup): SessionLocks {
  const held = new Map<string, readonly Release[]>()
  let queue: Promise<unknown> = Promise.resolve()

  const take = async (name: string): Promise<string | undefined> => {
    if (held.has(name)) return undefined
    if (setup.lockDirectories.length === 0)
      throw new BaseError('session.looks-only', 'This setup only looks.')
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
      queue = result.catch(() => undefined)
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
