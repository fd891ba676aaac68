import { type SafeText, safeText } from '../format/text.ts'
import { secretForms, urlSecrets, withoutSecrets } from '../format/url-secrets.ts'
import type { Channel } from './channels.ts'
import type { Ping } from './config.ts'

/** Everything in a channel that nobody else may see, in whole and in the parts in which it might be repeated. */
export function secretsOf(channel: Channel | (Ping & { type: 'ping' })): readonly string[] {
  switch (channel.type) {
    case 'terminal':
    case 'desktop':
      return []
    case 'exec':
      return secretForms(channel.command.slice(1))
    case 'webhook':
      return secretForms([...partsOf(channel.url), ...Object.values(channel.headers).flatMap(wordsOf)])
    case 'telegram':
      return secretForms([...partsOf(channel.url), channel.token, ...channel.token.split(':')])
    case 'pagerduty':
      return secretForms([...partsOf(channel.url), channel.routingKey])
    case 'ntfy':
      return secretForms([...partsOf(channel.url), channel.topic, channel.token ?? ''])
    case 'slack':
    case 'discord':
    case 'ping':
      return secretForms(partsOf(channel.url))
  }
}

/** What the other side said, in one line that can be drawn and without any of the secrets. */
export function redacted(said: string, secrets: readonly string[]): SafeText {
  return safeText(withoutSecrets(said, secrets).replaceAll('"', "'").replace(/\s+/g, ' ').trim())
}

/** The URL, and each of its parts: any of them may be what opens the door. */
function partsOf(url: string): string[] {
  return [url, new URL(url).href, ...urlSecrets(url)]
}

function wordsOf(text: string): string[] {
  return [text, ...text.split(/[\s,;=]+/)]
}
