import { stringify } from 'smol-toml'
import { ALARM_TOPIC, endpointFault } from '../../core/base/format/endpoint-url.ts'
import type { Hex } from '../../core/base/format/hex.ts'

/** Hosts whose addresses say what they are. */
const SERVICES: Readonly<Record<string, 'slack' | 'discord'>> = {
  'hooks.slack.com': 'slack',
  'discord.com': 'discord',
  'discordapp.com': 'discord',
}
const NTFY = 'ntfy.sh'
/**
 * The text of a configuration of the watch with one channel, from what a person types: `desktop`, the address of a webhook,
 * or a topic of ntfy. What it is told by the address; whether it can be used says `readWatchConfig`.
 */
export function firstConfig(to: string, about: { network?: string; pubkey: Hex }): string {
  const channel = channelOf(to.trim())
  return stringify({
    ...(about.network === undefined ? {} : { network: about.network }),
    validator: [{ key: about.pubkey }],
    channel: [channel],
  })
}

function channelOf(to: string): Readonly<Record<string, string>> {
  if (to.toLowerCase() === 'desktop') return { type: 'desktop' }
  if (ALARM_TOPIC.test(to)) return { type: 'ntfy', topic: to }
  if (endpointFault(to) !== undefined) return { type: 'webhook', url: to }
  const { hostname, pathname, origin } = new URL(to)
  const service = SERVICES[hostname]
  if (service !== undefined) return { type: service, url: to }
  const topic = pathname.slice(1)
  return hostname === NTFY && topic !== ''
    ? { type: 'ntfy', url: origin, topic }
    : { type: 'webhook', url: to }
}
