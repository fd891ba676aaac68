import type { Channel } from './channels.ts'
import { bodyLines, eventObject, headline, isoTime, type Message } from './text.ts'

/** One exchange that hands an event to a service. */
export type Post = { url: string; headers: Readonly<Record<string, string>>; body: string }

type WebChannel = Extract<Channel, { url: string }>

const DISCORD_CHARACTERS = 2000
const TELEGRAM_CHARACTERS = 4096
const NTFY_BYTES = 4096
const PAGERDUTY_SUMMARY = 1024
const PAGERDUTY_KEY = 255
const DISCORD_NO_PREVIEWS = 4

/** An event in the form of the service behind a channel. Every form names the event by its stable id. */
export function postOf(channel: WebChannel, message: Message): Post {
  const { url } = channel
  switch (channel.type) {
    case 'webhook':
      return json(url, eventObject(message), channel.headers)
    case 'slack':
      return json(url, { text: forSlack(plainText(message)), mrkdwn: false, unfurl_links: false })
    case 'discord':
      return json(url, {
        content: cut(forDiscord(plainText(message)), DISCORD_CHARACTERS),
        allowed_mentions: { parse: [] },
        flags: DISCORD_NO_PREVIEWS,
      })
    case 'telegram':
      return json(`${url.replace(/\/+$/, '')}/bot${channel.token}/sendMessage`, {
        chat_id: channel.chatId,
        text: cut(plainText(message), TELEGRAM_CHARACTERS),
        disable_notification: isQuietOne(message),
        link_preview_options: { is_disabled: true },
      })
    case 'pagerduty':
      return json(url, forPagerDuty(channel.routingKey, message))
    case 'ntfy': {
      const token = channel.token === undefined ? {} : { authorization: `Bearer ${channel.token}` }
      return json(url, forNtfy(channel.topic, message), token)
    }
  }
}

/** The same as a text of some lines. */
function plainText(message: Message): string {
  return [headline(message), ...bodyLines(message), `id ${message.event.id}`].join('\n')
}

function json(url: string, value: object, headers: Readonly<Record<string, string>> = {}): Post {
  return { url, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

/** Slack reads three characters as its own. */
function forSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Discord reads Markdown; a backslash takes a character as it is. */
function forDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>#[\]]/g, String.raw`\$&`)
}

function forPagerDuty(routingKey: string, message: Message): object {
  const { event } = message
  const action = { routing_key: routingKey, dedup_key: event.id.slice(-PAGERDUTY_KEY) }
  if (event.change === 'cleared') return { ...action, event_action: 'resolve' }
  const { validator, network } = event
  return {
    ...action,
    event_action: 'trigger',
    client: 'bearings',
    payload: {
      summary: cut(event.title, PAGERDUTY_SUMMARY),
      source: validator?.name ?? validator?.pubkey ?? network,
      severity: event.severity,
      timestamp: isoTime(event.atMs),
      group: network,
      class: event.alarm,
      custom_details: { ...eventObject(message), text: bodyLines(message).join('\n') },
    },
  }
}

const NTFY = {
  critical: { priority: 5, tags: ['rotating_light'] },
  warning: { priority: 4, tags: ['warning'] },
  info: { priority: 3, tags: ['information_source'] },
} as const

function forNtfy(topic: string, message: Message): object {
  const { event } = message
  const look = event.change === 'cleared' ? { priority: 3, tags: ['white_check_mark'] } : NTFY[event.severity]
  const text = [...bodyLines(message), `id ${event.id}`].join('\n')
  return { topic, title: headline(message), message: cutBytes(text, NTFY_BYTES), ...look }
}

function isQuietOne({ event }: Message): boolean {
  return event.severity === 'info' || event.change === 'cleared'
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`.toWellFormed()
}

function cutBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= most) return text
  return `${new TextDecoder().decode(bytes.subarray(0, most - 6)).replace(/\u{FFFD}+$/u, '')}…`
}
