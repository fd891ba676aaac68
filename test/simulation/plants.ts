import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Rule } from './judge.ts'
import { URLS } from './network.ts'
import { PASSWORD } from './secrets.ts'
import type { Plants } from './world.ts'

/** A fault of the program or of what it stands on, planted so that it is known that the judge would see it. */
export type Planted = {
  name: string
  plants: Plants
  /** Under which rules the judge may object to it. */
  rules: readonly Rule[]
  /** A seed that shows it. */
  seed: number
}

const STORE_ACT_MS = 1500

/** The second endpoint is asked at the address of the first: one liar is believed alone. */
const asksOneAlone = ({ http, ...effects }: Effects): Effects => ({
  ...effects,
  http: {
    request: (asked) =>
      http.request(
        asked.url.startsWith(URLS.second)
          ? { ...asked, url: asked.url.replace(URLS.second, URLS.execution) }
          : asked,
      ),
  },
})

/** A line counts as written a while before it is. */
const actsFirst = (effects: Effects): Effects => {
  const { store, clock } = effects
  return {
    ...effects,
    store: {
      ...store,
      async openAppend(path, options) {
        const file = await store.openAppend(path, options)
        return {
          ...file,
          async append(line) {
            void clock.sleep(STORE_ACT_MS).then(() => file.append(line))
          },
        }
      },
    },
  }
}

/** The outbox of the watch is never written. */
const keepsNoOutbox = ({ store, ...effects }: Effects): Effects => ({
  ...effects,
  store: {
    ...store,
    writeText: async (path, text, options) =>
      path.endsWith('watch-outbox.json') ? undefined : store.writeText(path, text, options),
  },
})

/** A journal is begun anew whatever is in it. */
const forgetsJournal = ({ store, ...effects }: Effects): Effects => ({
  ...effects,
  store: {
    ...store,
    readText: async (path) => (path.endsWith('journal.jsonl') ? undefined : store.readText(path)),
  },
})

const tellsPassword = ({ http, ...effects }: Effects): Effects => ({
  ...effects,
  http: {
    request: (asked) => http.request({ ...asked, headers: { ...asked.headers, 'user-agent': PASSWORD } }),
  },
})

export const PLANTED: readonly Planted[] = [
  {
    name: 'a sync writes nothing',
    plants: { disk: { syncsNothing: true } },
    rules: ['not-durable', 'journal'],
    seed: 1,
  },
  {
    name: 'names are never synced',
    plants: { disk: { syncsNoNames: true } },
    rules: ['not-durable', 'journal'],
    seed: 1,
  },
  {
    name: 'an event counts before it is written',
    plants: { change: actsFirst },
    rules: ['not-durable', 'journal'],
    seed: 1,
  },
  {
    name: 'locks are ignored',
    plants: { ignoresLocks: true },
    rules: ['paid-twice', 'journal', 'fault'],
    seed: 7,
  },
  {
    name: 'one endpoint is believed',
    plants: { change: asksOneAlone },
    rules: ['false-end', 'burnt', 'paid-twice'],
    seed: 468,
  },
  {
    name: 'a journal is begun anew',
    plants: { change: forgetsJournal },
    rules: ['journal', 'paid-twice'],
    seed: 0,
  },
  { name: 'the outbox is not kept', plants: { change: keepsNoOutbox }, rules: ['alarm-lost'], seed: 45 },
  {
    name: 'a password leaves with a question',
    plants: { change: tellsPassword },
    rules: ['secret'],
    seed: 0,
  },
]
