import type { Effects } from '../../core/base/effects/effects.ts'
import { effectsUntil } from '../../core/base/effects/effects-until.ts'
import { BaseError } from '../../core/base/errors/base.ts'
import { joinUrl } from '../../core/base/format/endpoint-url.ts'
import { addressSecrets } from './channels.ts'
import type { Ping } from './config.ts'
import { type DeliveryResult, exchange } from './deliver.ts'
import { SENTENCES } from './text.ts'

/** Tells a service of the user that the watch lives, so that its silence is noticed. */
export type OpenPing = {
  /** A look was finished. Without one in a whole period no ping is sent. */
  tick(): void
  /** The watch ends by a fault: the service hears of it at once. `reason` holds no secret. */
  fail(reason: string): Promise<void>
  /** The watch ends because its user wants it. The service notices by itself. */
  close(): Promise<void>
}

type PingEffects = Pick<Effects, 'http' | 'clock' | 'exec'>

/**
 * Pings as healthchecks.io documents it: `/start` at the start, the URL itself for each period in which a look was
 * finished, `/fail` with a reason in the body. A ping that is not taken is said, and the next one is due as always: a late
 * one says nothing.
 */
export function openPing(
  effects: PingEffects,
  { ping, say, signal }: { ping: Ping; say: (sentence: string) => void; signal: AbortSignal },
): OpenPing {
  const stop = new AbortController()
  const ended = AbortSignal.any([stop.signal, signal])
  const bound = effectsUntil(effects, ended)
  let ticks = 0
  let last: string | undefined

  const tell = (news: string | undefined) => {
    if (news === last) return
    say(news ?? SENTENCES.pingWorks())
    last = news
  }

  const round = async () => {
    const outcome = ticks === 0 ? undefined : await pingOnce(bound, ping)
    ticks = 0
    if (outcome === undefined) tell(SENTENCES.pingWaits())
    else tell(outcome.result === 'delivered' ? undefined : SENTENCES.pingFails(outcome.reason))
  }

  const live = async () => {
    try {
      await pingOnce(bound, ping, { path: 'start' })
      while (!ended.aborted) {
        await bound.clock.sleep(ping.everyMs)
        await round()
      }
    } catch (thrown) {
      if (!ended.aborted) throw thrown
    }
  }
  const living = live()

  return {
    tick() {
      ticks += 1
    },
    async fail(reason) {
      stop.abort()
      await living
      await pingOnce(effects, ping, { path: 'fail', body: reason })
    },
    async close() {
      stop.abort()
      await living
    },
  }
}

/** Sends one ping. */
export async function pingOnce(
  effects: Pick<Effects, 'http' | 'clock'>,
  ping: Ping,
  signal: { path?: 'start' | 'fail'; body?: string } = {},
): Promise<DeliveryResult> {
  const { path, body } = signal
  const url = path === undefined ? ping.url : joinUrl(ping.url, [path])
  const content = body === undefined ? { headers: {} } : { headers: { 'content-type': 'text/plain' }, body }
  try {
    return await exchange(effects, { url, ...content }, addressSecrets(ping.url))
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { result: 'failed', reason: thrown.shortMessage }
  }
}
