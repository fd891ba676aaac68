import { type SafeText, safeText } from '../format/text.ts'
import type { Channel } from './channels.ts'
import type { Ping } from './config.ts'

const LEAST_LENGTH = 6
const COVER = '***'

/** Everything in a channel that nobody else may see, in whole and in the parts in which it might be repeated. */
export function secretsOf(channel: Channel | (Ping & { type: 'ping' })): readonly string[] {
  switch (channel.type) {
    case 'terminal':
    case 'desktop':
      return []
    case 'exec':
      return forms(channel.command.slice(1))
    case 'webhook':
      return forms([...partsOf(channel.url), ...Object.values(channel.headers).flatMap(wordsOf)])
    case 'telegram':
      return forms([...partsOf(channel.url), channel.token, ...channel.token.split(':')])
    case 'pagerduty':
      return forms([...partsOf(channel.url), channel.routingKey])
    case 'ntfy':
      return forms([...partsOf(channel.url), channel.topic, channel.token ?? ''])
    case 'slack':
    case 'discord':
    case 'ping':
      return forms(partsOf(channel.url))
  }
}

/** What the other side said, in one line that can be drawn and without any of the secrets. */
export function redacted(said: string, secrets: readonly string[]): SafeText {
  const found = secrets.reduce((text, secret) => text.replace(new RegExp(literal(secret), 'gi'), COVER), said)
  return safeText(found.replaceAll('"', "'").replace(/\s+/g, ' ').trim())
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** The URL without its beginning, and each of its parts: any of them may be what opens the door. */
function partsOf(url: string): string[] {
  const { pathname, search, searchParams, href } = new URL(url)
  const segments = pathname.split('/')
  return [url, href, pathname, `${pathname}${search}`, search, ...segments, ...searchParams.values()]
}

function wordsOf(text: string): string[] {
  return [text, ...text.split(/[\s,;=]+/)]
}

/** As it is, and as URLs, JSON and base64 write it; the longest first, so that no end of one is left. */
function forms(secrets: readonly string[]): string[] {
  const long = secrets.filter((secret) => secret.length >= LEAST_LENGTH)
  const all = long.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    safeDecode(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
