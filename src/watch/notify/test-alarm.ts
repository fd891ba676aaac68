import type { Effects } from '../../core/base/effects/effects.ts'
import { effectsUntil } from '../../core/base/effects/effects-until.ts'
import { BaseError } from '../../core/base/errors/base.ts'
import { joinUrl } from '../../core/base/format/endpoint-url.ts'
import type { WatchEvent } from '../../core/view/alarm-event.ts'
import { addressSecrets, CHANNELS, type Channel, keepsOpen } from './channels.ts'
import type { Ping, WatchConfig } from './config.ts'
import { type DeliveryEffects, type DeliveryResult, deliver, exchange } from './deliver.ts'
import { SENTENCES } from './text.ts'

type TestAlarmEffects = Pick<Effects, 'http' | 'exec' | 'files' | 'clock'>

/** One channel, or the ping, that was tried: how it went, after how long, and a line that says it. */
export type TriedChannel = {
  name: string
  type: Channel['type'] | 'ping'
  result: DeliveryResult['result']
  afterMs: number
  words: string
}

/**
 * Sends one alarm through each channel, and one ping, and says of each how it went. What a channel leaves out otherwise
 * (severity, quiet hours) is sent, too. A service that keeps alarms open hears right afterwards that it is over.
 * Returns all that were tried, in the order of the configuration; where nothing is configured, says so, and none.
 */
export async function testAlarm(
  config: Pick<WatchConfig, 'channels' | 'ping' | 'network'>,
  effects: TestAlarmEffects,
  say: (line: string) => void,
  { ring }: Pick<DeliveryEffects, 'ring'> = {},
): Promise<readonly TriedChannel[]> {
  const delivery: DeliveryEffects = { ...effects, ...(ring === undefined ? {} : { ring }) }
  const tried: TriedChannel[] = []
  const tell = async (
    { name, type, label }: { name: string; type: TriedChannel['type']; label: string },
    send: () => Promise<DeliveryResult>,
  ) => {
    const beganMs = effects.clock.monotonicMs()
    const outcome = await send()
    const afterMs = effects.clock.monotonicMs() - beganMs
    const words =
      outcome.result === 'delivered'
        ? SENTENCES.testSent(label, afterMs)
        : SENTENCES.testFailed(label, outcome.reason)
    tried.push({ name, type, result: outcome.result, afterMs: Math.round(afterMs), words })
    say(words)
  }
  for (const channel of config.channels) {
    const { name, type } = channel
    await tell({ name, type, label: `${name} (${type})` }, () =>
      sendTest(delivery, channel, config.network ?? 'test'),
    )
  }
  const { ping } = config
  if (ping !== undefined)
    await tell({ name: 'ping', type: 'ping', label: 'ping' }, () => pingOnce(effects, ping))
  if (tried.length === 0) say(SENTENCES.noChannels())
  return tried
}

async function sendTest(
  effects: DeliveryEffects,
  channel: Channel,
  network: string,
): Promise<DeliveryResult> {
  const fired = testEvent(network, effects.clock.nowMs())
  const outcome = await deliver(effects, channel, { event: fired, droppedBefore: 0 })
  if (outcome.result !== 'delivered' || !keepsOpen(channel)) return outcome
  return deliver(effects, channel, { event: { ...fired, sequence: 1, change: 'cleared' }, droppedBefore: 0 })
}

function testEvent(network: string, atMs: number): WatchEvent {
  return {
    id: `${network}/test/${new Date(atMs).toISOString()}`,
    sequence: 0,
    atMs,
    network,
    alarm: 'test',
    change: 'fired',
    severity: 'info',
    title: SENTENCES.testTitle,
    what: SENTENCES.testWhat,
  }
}

/** Returns a whole configuration of the watch, with every field explained. What begins with `# ` and a field is off. */
export function exampleConfig(): string {
  const channels = Object.values(CHANNELS).map(({ example }) => example)
  return [HEAD, ...channels, PING].join('\n\n')
}

const HEAD = `# Configuration of bearings watch. Check it with: bearings watch --config FILE --test-alarm
# It may hold secrets: keep it to yourself with chmod 600 FILE.
# As it stands it calls nobody: take the "# " away from what you want, and put in your own values.

# mainnet, bepolia, rehearsal or the path of a network file.
network = "mainnet"

# Whom to watch. Without any of these: the validators that were registered or adopted on this computer.
# [[validator]]
# The public key, as 0x and 96 characters 0-9 a-f or as the engine's base64; or the index.
# key = "0x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
# How it is called in every message.
# name = "home"

# [[validator]]
# key = "<index>"
# name = "second"

# Whom to ask, your own endpoint first. Without a list: the one of the network's settings.
[endpoints]
execution = ["http://127.0.0.1:8545"]
node = ["http://127.0.0.1:3500"]
engine = ["http://127.0.0.1:26657"]

# When the margin to dropping out of the active set is too small: by any of these. The alarm is over
# when the margin is larger than each of them by a quarter.
[margin]
# So few tokens of others would make it drop out. 0: what one least deposit of anybody can lift.
tokens = "20,000"
# So few places above the last one. Without it places are not looked at.
places = 3
# In so many epochs it drops out if the margin shrinks on as it did in the last 32 epochs. An epoch of
# mainnet is 6 minutes and 24 seconds: 225 are a day. Without it the trend is not looked at.
epochs = 225

# When it misses too many blocks. 0 is never.
[missed]
# So many in a row,
in_a_row = 5
# or so many of the last hundred.
of_hundred = 20

# How often an alarm that stands is told again: 10m, 6h, 1d, or "never".
# A critical alarm with a deadline is told more often when the deadline is near.
[repeat]
critical = "30m"
warning = "6h"
info = "never"

# Hours in which only critical alarms are sent. The others wait until the end, and are not sent at all
# when they are over by then.
# [quiet]
# from = "22:00"
# to = "07:00"
# time_zone = "Europe/Berlin"

# Where alarms go. Each channel may have:
#   name = "phone"         what it is called in messages about it; must be unique, is its type otherwise
#   least = "warning"      nothing less bad is sent: critical, warning or info (everything, if not given)
#   quiet_hours = false    quiet hours do not hold anything back here
#   allow_http = true      takes an http URL that leaves this computer; everybody on the way can read it`

const PING = `# A service that expects to hear from this watch and tells you when it does not, such as healthchecks.io.
# It hears of every period in which the watch has looked, at the URL itself; /start when the watch starts,
# and /fail when it ends by a fault.
# [ping]
# url = "https://hc-ping.com/00000000-0000-0000-0000-000000000000"
# every = "1m"
`

/** Tells a service of the user that the watch lives, so that its silence is noticed. */
export type OpenPing = {
  /**
   * A look was finished. Without one in a whole period no ping is sent. `fault`: why the next ping says that the watch fails,
   * though it lives.
   */
  tick(fault?: string): void
  /** The watch ends by a fault: the service hears of it at once. `reason` holds no secret. */
  fail(reason: string): Promise<void>
  /** The watch ends because its user wants it. The service notices by itself. */
  close(): Promise<void>
}

type PingEffects = Pick<Effects, 'http' | 'clock' | 'exec'>

/**
 * Pings as healthchecks.io documents it: `/start` at the start, the URL itself for each period in which a look was
 * finished, `/fail` with a reason in the body, also in the place of the URL while the watch has a fault. A ping that is not taken is said, and the next one is due as always: a late
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
  let fault: string | undefined
  let last: string | undefined

  const tell = (news: string | undefined) => {
    if (news === last) return
    say(news ?? SENTENCES.pingWorks())
    last = news
  }

  const round = async () => {
    const news = fault === undefined ? {} : ({ path: 'fail', body: fault } as const)
    const outcome = ticks === 0 ? undefined : await pingOnce(bound, ping, news)
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
    tick(found) {
      ticks += 1
      fault = found
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
async function pingOnce(
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
