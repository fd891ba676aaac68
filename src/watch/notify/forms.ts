import { isoTime } from '../../core/base/format/document.ts'
import { shortened } from '../../core/base/format/text.ts'
import { bodyLines, eventDocument, headline, type Message, plainText } from './text.ts'

const DISCORD_CHARACTERS = 2000
const TELEGRAM_CHARACTERS = 4096
const NTFY_BYTES = 4096
const PAGERDUTY_SUMMARY = 1024
const PAGERDUTY_KEY = 255
const DISCORD_NO_PREVIEWS = 4

/** Slack reads three characters as its own. */
export function forSlack(message: Message): object {
  const text = plainText(message).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { text, mrkdwn: false, unfurl_links: false }
}

/** Discord reads Markdown; a backslash takes a character as it is. */
export function forDiscord(message: Message): object {
  const text = plainText(message).replace(/[\\*_~`|<>#[\]]/g, String.raw`\$&`)
  return {
    content: shortened(text, DISCORD_CHARACTERS),
    allowed_mentions: { parse: [] },
    flags: DISCORD_NO_PREVIEWS,
  }
}

/** Returns a message of a bot; what is over, and what is a note, arrives without a sound. */
export function forTelegram(chatId: string, message: Message): object {
  return {
    chat_id: chatId,
    text: shortened(plainText(message), TELEGRAM_CHARACTERS),
    disable_notification: isQuietOne(message),
    link_preview_options: { is_disabled: true },
  }
}

/** Returns an event of the Events API v2: what is over resolves the incident that it opened. */
export function forPagerDuty(routingKey: string, message: Message): object {
  const { event } = message
  const action = { routing_key: routingKey, dedup_key: event.id.slice(-PAGERDUTY_KEY) }
  if (event.change === 'cleared') return { ...action, event_action: 'resolve' }
  const { validator, network } = event
  return {
    ...action,
    event_action: 'trigger',
    client: 'bearings',
    payload: {
      summary: shortened(event.title, PAGERDUTY_SUMMARY),
      source: validator?.name ?? validator?.pubkey ?? network,
      severity: event.severity,
      timestamp: isoTime(event.atMs),
      group: network,
      class: event.alarm,
      custom_details: { ...eventDocument(message), text: bodyLines(message).join('\n') },
    },
  }
}

const NTFY = {
  critical: { priority: 5, tags: ['rotating_light'] },
  warning: { priority: 4, tags: ['warning'] },
  info: { priority: 3, tags: ['information_source'] },
} as const

/** Returns a message to a topic; the worse it is, the higher is its priority. */
export function forNtfy(topic: string, message: Message): object {
  const { event } = message
  const look = event.change === 'cleared' ? { priority: 3, tags: ['white_check_mark'] } : NTFY[event.severity]
  const text = [...bodyLines(message), `id ${event.id}`].join('\n')
  return { topic, title: headline(message), message: cutBytes(text, NTFY_BYTES), ...look }
}

function isQuietOne({ event }: Message): boolean {
  return event.severity === 'info' || event.change === 'cleared'
}

function cutBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= most) return text
  return `${new TextDecoder().decode(bytes.subarray(0, most - 6)).replace(/\u{FFFD}+$/u, '')}…`
}
