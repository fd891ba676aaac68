import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'

/** How an endpoint keeps its asker waiting: it never answers, or asks for 8 seconds of patience. */
export type Stalling = 'silent' | 'asks for 8 s'

/** Everything that has begun and has not ended yet, in words. */
export type OpenEnds = {
  effects: Effects
  /** Requests and pauses under way. */
  waits(): string[]
  /** Locks and files that are held. */
  held(): string[]
}

const PATIENCE: HttpReply = { status: 429, headers: { 'retry-after': '8' }, body: new Uint8Array() }

/** The same effects with an account of what is open; `stalls` says how a request is kept waiting, if at all. */
export function openEnds(effects: Effects, stalls: (request: HttpRequest) => Stalling | undefined): OpenEnds {
  const waiting = new Set<{ what: string }>()
  const holding = new Set<{ what: string }>()
  async function until<T>(what: string, ending: Promise<T>): Promise<T> {
    const entry = { what }
    waiting.add(entry)
    return ending.finally(() => waiting.delete(entry))
  }
  const hold = (what: string, release: () => Promise<void>) => {
    const entry = { what }
    holding.add(entry)
    return () => release().finally(() => holding.delete(entry))
  }
  return {
    waits: () => [...waiting].map(({ what }) => what),
    held: () => [...holding].map(({ what }) => what),
    effects: {
      ...effects,
      clock: {
        nowMs: () => effects.clock.nowMs(),
        monotonicMs: () => effects.clock.monotonicMs(),
        sleep: (delayMs, signal) => until(`a pause of ${delayMs} ms`, effects.clock.sleep(delayMs, signal)),
      },
      http: {
        request(request) {
          const { method, url } = request
          return until(`${method} ${new URL(url).pathname}`, answer(effects, request, stalls(request)))
        },
      },
      store: {
        ...effects.store,
        async lock(path) {
          const answer = await effects.store.lock(path)
          return answer.release === undefined ? answer : { release: hold(path, answer.release) }
        },
        async openAppend(path, options) {
          const file = await effects.store.openAppend(path, options)
          return { append: (line) => file.append(line), close: hold(path, () => file.close()) }
        },
      },
    },
  }
}

function answer(effects: Effects, request: HttpRequest, how: Stalling | undefined): Promise<HttpReply> {
  if (how === undefined) return effects.http.request(request)
  return how === 'silent' ? silence(request) : Promise.resolve(PATIENCE)
}

/** No answer, until the asker gives up. */
function silence({ signal }: HttpRequest): Promise<HttpReply> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
