import type { Effects } from '../effects/effects.ts'
import type { WatchEvent } from '../watch/event.ts'
import type { Channel } from './channels.ts'
import type { WatchConfig } from './config.ts'
import { type DeliveryWorld, deliver, type Outcome } from './deliver.ts'
import { pingOnce } from './ping.ts'
import { SENTENCES } from './text.ts'

type World = Pick<Effects, 'http' | 'exec' | 'files' | 'clock'>

/**
 * Sends one alarm through each channel, and one ping, and says of each how it went. What a channel leaves out otherwise
 * (severity, quiet hours) is sent, too. A service that keeps alarms open hears right afterwards that it is over.
 * Answers how many did not take it; nothing configured counts as one.
 */
export async function testAlarm(
  config: Pick<WatchConfig, 'channels' | 'ping' | 'network'>,
  effects: World,
  say: (line: string) => void,
  { ring }: Pick<DeliveryWorld, 'ring'> = {},
): Promise<number> {
  const world: DeliveryWorld = { ...effects, ...(ring === undefined ? {} : { ring }) }
  let failed = 0
  const tell = async (name: string, send: () => Promise<Outcome>) => {
    const beganMs = effects.clock.monotonicMs()
    const outcome = await send()
    if (outcome.result === 'delivered')
      return say(SENTENCES.testSent(name, effects.clock.monotonicMs() - beganMs))
    failed += 1
    return say(SENTENCES.testFailed(name, outcome.reason))
  }
  for (const channel of config.channels)
    await tell(`${channel.name} (${channel.type})`, () => sendTest(world, channel, config.network ?? 'test'))
  const { ping } = config
  if (ping !== undefined) await tell('ping', () => pingOnce(effects, ping))
  if (config.channels.length > 0 || ping !== undefined) return failed
  say(SENTENCES.noChannels())
  return 1
}

async function sendTest(world: DeliveryWorld, channel: Channel, network: string): Promise<Outcome> {
  const fired = testEvent(network, world.clock.nowMs())
  const outcome = await deliver(world, channel, { event: fired, droppedBefore: 0 })
  if (outcome.result !== 'delivered' || channel.type !== 'pagerduty') return outcome
  return deliver(world, channel, { event: { ...fired, sequence: 1, change: 'cleared' }, droppedBefore: 0 })
}

function testEvent(network: string, atMs: number): WatchEvent {
  return {
    id: `${network}/test/${new Date(atMs).toISOString()}`,
    sequence: 0,
    atMs,
    network,
    alarm: 'margin',
    change: 'fired',
    severity: 'critical',
    title: SENTENCES.testTitle,
    what: SENTENCES.testWhat,
  }
}
