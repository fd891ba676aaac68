import { onceSettled } from '../core/base/errors/unawaited.ts'
import { BEHAVIOR_NAMES, type BehaviorName, type Place, type SetBehavior, suits } from './behaviors.ts'
import type { Chain } from './consensus/chain.ts'
import type { ExecutionClock } from './execution/client.ts'
import { replaceKey } from './home.ts'
import { validatorKey } from './keys.ts'
import type { LoopbackHandler, LoopbackReply } from './loopback-server.ts'
import type { Plan } from './scenarios.ts'
import { KEY_TYPE_PREFIX } from './write-files.ts'

type Controlled = {
  plan: Plan
  chain: Pick<Chain, 'history'>
  directory: string
  /** The endpoints and nodes that there are. */
  places: readonly Place[]
  setBehavior: SetBehavior
  story: {
    note(event: { id: 'new-key'; slot: bigint }): void
    hasten(wish: boolean): void
    arrive(slot: bigint): void
    save(): Promise<void>
  }
}

const reply = (status: number, value: unknown): LoopbackReply => ({
  status,
  contentType: 'application/json',
  body: `${JSON.stringify(value)}\n`,
})

/**
 * Hears what the user of a rehearsal wishes: `POST /key` gives the node another validator key, as somebody does who makes
 * one and restarts it; `POST /pace` with `{"hasten": true}` makes slots no longer than usual while there is something to do;
 * `POST /arrived` says that the last step is read; `POST /behave` with `{"endpoint": "execution", "behavior": "hangs"}` makes
 * an endpoint or a whole node behave so (docs/behaviors.md), with `null` truly again.
 */
export function controlOf({
  plan,
  chain,
  directory,
  places,
  setBehavior,
  story,
}: Controlled): LoopbackHandler {
  let keys = 1
  return async ({ method, path, body }) => {
    if (method === 'POST' && path === '/key') {
      const oldName = `priv_validator_key.old-${keys}.json`
      keys += 1
      const key = validatorKey(plan.seed, `fresh/${keys}`)
      await replaceKey(directory, { key, keyTypePrefix: KEY_TYPE_PREFIX }, oldName)
      plan.fresh = key
      plan.keys.set(key.uncompressedBase64, key)
      story.note({ id: 'new-key', slot: chain.history.head.header.slot })
      await story.save()
      return reply(200, { pubkey: key.pubkey })
    }
    if (method === 'POST' && path === '/arrived') {
      const { slot } = chain.history.head.header
      story.arrive(slot)
      await story.save()
      return reply(200, { slot: String(slot) })
    }
    if (method === 'POST' && path === '/pace') {
      const hasten = /"hasten"\s*:\s*(true|false)/.exec(body)?.[1]
      if (hasten === undefined)
        return reply(400, { message: 'expected {"hasten": true} or {"hasten": false}' })
      story.hasten(hasten === 'true')
      await story.save()
      return reply(200, { hasten: hasten === 'true' })
    }
    if (method === 'POST' && path === '/behave') {
      const wish = readBehavior(body, places)
      if (wish === undefined) {
        const message = `expected {"endpoint": …, "behavior": …}, with one of ${places.join(', ')} and null or one that it can have of ${BEHAVIOR_NAMES.join(', ')}`
        return reply(400, { message })
      }
      setBehavior(wish.endpoint, wish.behavior)
      return reply(200, { endpoint: wish.endpoint, behavior: wish.behavior ?? null })
    }
    return reply(404, { code: 404 })
  }
}

function readBehavior(
  body: string,
  places: readonly Place[],
): { endpoint: Place; behavior: BehaviorName | undefined } | undefined {
  const endpoint = places.find((place) => new RegExp(`"endpoint"\\s*:\\s*"${place}"`).test(body))
  const [, named] = /"behavior"\s*:\s*(?:"([^"]*)"|null)/.exec(body) ?? ['', '']
  if (endpoint === undefined || named === '') return undefined
  if (named === undefined) return { endpoint, behavior: undefined }
  const behavior = BEHAVIOR_NAMES.find((name) => name === named && suits(endpoint, name))
  return behavior === undefined ? undefined : { endpoint, behavior }
}

/** Late slots are made up for one by one, but never more than a few: a network that slept goes on from where it is. */
const MOST_SLOTS_BEHIND = 4

/** Calls `advanceSlot` every `slotMs` on the clock until the signal is given. Rejects when a slot cannot be made. */
export async function runByClock(
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

/** Turns a piece of work into one that never overlaps with itself. */
export function oneByOne<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(work)
    last = onceSettled(next)
    return next
  }
}
