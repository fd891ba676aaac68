import { bool, type Decoder, oneOf, optional, refuse } from '../../core/base/format/decode.ts'
import { isoTime } from '../../core/base/format/document.ts'
import { shortened } from '../../core/base/format/text.ts'
import { secretForms, urlSecrets } from '../../core/base/format/url-secrets.ts'
import { EVENT_FIELDS, type Severity } from '../../core/view/alarm-event.ts'
import {
  channelCommand,
  chatId,
  type Decoded,
  drawableName,
  duration,
  headers,
  hidden,
  matching,
  orElse,
  safeOnTheWay,
  serviceUrl,
  table,
} from './fields.ts'
import { bodyLines, eventDocument, headline, type Message, plainText } from './text.ts'

/** What every channel has. */
type Common = {
  /** Unique; what waits for it is kept under this name. */
  name: string
  /** What is less bad than this is not sent. */
  least: Severity
  /** Whether quiet hours hold back what is not critical. */
  quiet: boolean
}

/** Which text for the desktop a terminal is sent: by its name, one of two forms, or none beside the bell. */
const SEQUENCES = ['auto', 'osc9', 'osc777', 'bell'] as const

/** One exchange that hands an event to a service. */
export type Post = { url: string; headers: Readonly<Record<string, string>>; body: string }

/** What is done with one event. */
export type Sending =
  | ({ by: 'request' } & Post)
  | { by: 'terminal'; text: string; sequence: (typeof SEQUENCES)[number] }
  | { by: 'desktop' }
  | { by: 'program'; command: readonly [string, ...string[]]; input: string; timeLimitMs: number }

/** A kind of channel: `F` is what its fields in the file hold, `K` is what is kept of them. */
type Row<F, K> = {
  /** Its place in the example of a configuration; docs/notifications.md has a section of its name. */
  example: string
  fields: { readonly [P in keyof F]: Decoder<F[P]> }
  keep(read: F): K
  /** What is secret beside the address; an address is secret as a whole. */
  secrets?(kept: K): readonly string[]
  /** What needs something of this computer that may not be there. */
  needs?: 'terminal' | 'desktop'
  /** Whether the service keeps an alarm open until it hears that it is over. */
  keepsOpen?: boolean
  sends(kept: K, message: Message): Sending
}

const row = <F, K extends object>(given: Row<F, K>): Row<F, K> => given

/** The fields of a service: its address, that of everybody where it may be left out. */
const service = (standard?: string, url = serviceUrl) => ({
  allow_http: orElse(bool, false),
  url: standard === undefined ? url : orElse(url, standard),
})

/** A server takes JSON at its root alone: below a topic the JSON itself would be the message. */
const serverUrl: Decoder<string> = (value, path) => {
  const url = serviceUrl(value, path)
  return new URL(url).pathname === '/'
    ? url
    : refuse(path, 'the address of the server alone; the topic goes into topic', value)
}

const sequence = orElse(oneOf(SEQUENCES), 'auto')
const accessToken = optional(matching(/^[\x21-\x7e]{8,200}$/, 'an access token'))
const timeLimit = orElse(duration(1000, 300_000), '30s')

const post = (url: string, value: object, more: Readonly<Record<string, string>> = {}): Sending => ({
  by: 'request',
  url,
  headers: { 'content-type': 'application/json', ...more },
  body: JSON.stringify(value),
})

const wordsOf = (text: string): string[] => [text, ...text.split(/[\s,;=]+/)]

/** Every kind of channel, in the order of the example. Whoever adds one adds a row here, and its section in the docs. */
export const CHANNELS = {
  terminal: row({
    example: `# The terminal in which the watch runs: the bell, and a message for the desktop.
# [[channel]]
# type = "terminal"
# auto, osc9, osc777 or bell
# sequence = "auto"`,
    fields: { sequence },
    keep: ({ sequence }) => ({ sequence }),
    needs: 'terminal',
    sends: ({ sequence }, message) => ({ by: 'terminal', text: headline(message), sequence }),
  }),
  desktop: row({
    example: `# The desktop of this computer: notify-send, osascript or powershell.exe.
# [[channel]]
# type = "desktop"
# least = "warning"`,
    fields: {},
    keep: () => ({}),
    needs: 'desktop',
    sends: () => ({ by: 'desktop' }),
  }),
  webhook: row({
    example: `# Any service of yours: each event as JSON in a POST.
# [[channel]]
# type = "webhook"
# name = "own service"
# url = "https://alarms.example.com/bearings"
# headers = { Authorization = "Bearer SECRET" }`,
    fields: { ...service(), headers },
    keep: ({ url, headers }) => ({ url, headers }),
    secrets: ({ headers }) => Object.values(headers).flatMap(wordsOf),
    sends: ({ url, headers }, message) => post(url, eventDocument(message), headers),
  }),
  slack: row({
    example: `# Slack: an incoming webhook.
# [[channel]]
# type = "slack"
# url = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"`,
    fields: service(),
    keep: ({ url }) => ({ url }),
    sends: ({ url }, message) => post(url, forSlack(message)),
  }),
  discord: row({
    example: `# Discord: a webhook of a channel.
# [[channel]]
# type = "discord"
# url = "https://discord.com/api/webhooks/000000000000000000/XXXXXXXX"`,
    fields: service(),
    keep: ({ url }) => ({ url }),
    sends: ({ url }, message) => post(url, forDiscord(message)),
  }),
  telegram: row({
    example: `# Telegram: a bot and the chat that it writes to.
# [[channel]]
# type = "telegram"
# token = "123456789:XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
# chat_id = -1001234567890`,
    fields: {
      ...service('https://api.telegram.org'),
      token: matching(/^\d{3,20}:[A-Za-z0-9_-]{20,100}$/, 'the token of a bot, such as 123456:ABC…'),
      chat_id: chatId,
    },
    keep: ({ url, token, chat_id }) => ({ url, token, chatId: chat_id }),
    secrets: ({ token }) => [token, ...token.split(':')],
    sends: ({ url, token, chatId }, message) =>
      post(`${url.replace(/\/+$/, '')}/bot${token}/sendMessage`, forTelegram(chatId, message)),
  }),
  pagerduty: row({
    example: `# PagerDuty: the integration key of an "Events API v2" integration.
# [[channel]]
# type = "pagerduty"
# least = "critical"
# routing_key = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"
# In the EU: url = "https://events.eu.pagerduty.com/v2/enqueue"`,
    fields: {
      ...service('https://events.pagerduty.com/v2/enqueue'),
      routing_key: matching(/^[A-Za-z0-9]{32}$/, 'the integration key of 32 letters and digits'),
    },
    keep: ({ url, routing_key }) => ({ url, routingKey: routing_key }),
    secrets: ({ routingKey }) => [routingKey],
    keepsOpen: true,
    sends: ({ url, routingKey }, message) => post(url, forPagerDuty(routingKey, message)),
  }),
  ntfy: row({
    example: `# ntfy: a topic that nobody can guess; the token only where the server asks for one.
# [[channel]]
# type = "ntfy"
# name = "phone"
# url = "https://ntfy.sh"
# topic = "<topic>"
# token = "tk_XXXXXXXX"`,
    fields: {
      ...service('https://ntfy.sh', serverUrl),
      topic: matching(/^[A-Za-z0-9_-]{1,64}$/, 'a topic of 1 to 64 letters, digits, - and _'),
      token: accessToken,
    },
    keep: ({ url, topic, token }): { url: string; topic: string; token?: string } => ({
      url,
      topic,
      ...(token === undefined ? {} : { token }),
    }),
    secrets: ({ topic, token = '' }) => [topic, token],
    sends: ({ url, topic, token }, message) =>
      post(url, forNtfy(topic, message), token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }),
  exec: row({
    example: `# A program of yours: fixed arguments, the event as JSON on its standard input. Exit code 0 means delivered.
# [[channel]]
# type = "exec"
# name = "own program"
# command = ["/usr/local/bin/on-alarm", "--from", "bearings"]
# time_limit = "30s"`,
    fields: { command: channelCommand, time_limit: timeLimit },
    keep: ({ command, time_limit }) => ({ command, timeLimitMs: time_limit }),
    secrets: ({ command }) => command.slice(1),
    sends: (kept, message) => ({
      by: 'program',
      ...kept,
      input: `${JSON.stringify(eventDocument(message))}\n`,
    }),
  }),
}

type Kind = keyof typeof CHANNELS
type KindOf<T extends Kind> = Common & { type: T } & ReturnType<(typeof CHANNELS)[T]['keep']>

/** One way to reach the user. */
export type Channel = { [T in Kind]: KindOf<T> }[Kind]

const KINDS = Object.keys(CHANNELS) as Kind[]

const common = {
  type: oneOf(KINDS),
  name: optional(drawableName),
  least: orElse(EVENT_FIELDS.severity, 'info'),
  quiet_hours: orElse(bool, true),
}

/** The row of a channel, for what is kept of it. */
const rowOf = ({ type }: Pick<Channel, 'type'>): AnyRow => CHANNELS[type] as unknown as AnyRow
type AnyRow = Row<Readonly<Record<string, unknown>>, Channel>

/**
 * One `[[channel]]` of the file. A channel without a name has that of its type. Nothing in it is ever repeated in a
 * fault but its type: a secret may stand in any other place.
 */
export const channel: Decoder<Channel> = (value, path) => {
  const found: unknown =
    typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  const isWord = found === undefined || (typeof found === 'string' && /^[a-z]{1,12}$/i.test(found))
  const kind = oneOf(KINDS)
  const type = (isWord ? kind : hidden(kind))(found, `${path}.type`)
  return hidden((fields, at) => ofType(type, fields, at))(value, path)
}

function ofType(type: Kind, value: unknown, path: string): Channel {
  const { fields, keep } = rowOf({ type })
  const read = table({ ...common, ...fields }, safeOnTheWay)(value, path)
  const { name = type, least, quiet_hours: quiet } = read as Decoded<typeof common>
  const kept: object = keep(read)
  return { name, least, quiet, type, ...kept } as Channel
}

/**
 * Makes the request or program call that sends an event through a channel. Every form names the event by its stable
 * id.
 */
export const sendingOf = (channel: Channel, message: Message): Sending =>
  rowOf(channel).sends(channel, message)

/** Lists every secret of a channel, whole and in the parts in which a reply might repeat it. */
export function secretsOf(channel: Channel): readonly string[] {
  const own = rowOf(channel).secrets?.(channel) ?? []
  return secretForms('url' in channel ? [...partsOf(channel.url), ...own] : own)
}

/** Lists the secrets of an address alone, as `secretsOf` does. */
export const addressSecrets = (url: string): readonly string[] => secretForms(partsOf(url))

/** The URL, and each of its parts: any of them may be what opens the door. */
function partsOf(url: string): string[] {
  return [url, new URL(url).href, ...urlSecrets(url)]
}

/** Names what a channel needs on this computer, if anything. */
export const needsOf = (channel: Channel): AnyRow['needs'] => rowOf(channel).needs

/** Whether the service behind a channel keeps an alarm open until it hears that it is over. */
export const keepsOpen = (channel: Channel): boolean => rowOf(channel).keepsOpen === true

const DISCORD_CHARACTERS = 2000
const TELEGRAM_CHARACTERS = 4096
const NTFY_BYTES = 4096
const PAGERDUTY_SUMMARY = 1024
const PAGERDUTY_KEY = 255
const DISCORD_NO_PREVIEWS = 4

/** Slack reads three characters as its own. */
function forSlack(message: Message): object {
  const text = plainText(message).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return { text, mrkdwn: false, unfurl_links: false }
}

/** Discord reads Markdown; a backslash takes a character as it is. */
function forDiscord(message: Message): object {
  const text = plainText(message).replace(/[\\*_~`|<>#[\]]/g, String.raw`\$&`)
  return {
    content: shortened(text, DISCORD_CHARACTERS),
    allowed_mentions: { parse: [] },
    flags: DISCORD_NO_PREVIEWS,
  }
}

/** Returns a message of a bot; what is over, and what is a note, arrives without a sound. */
function forTelegram(chatId: string, message: Message): object {
  return {
    chat_id: chatId,
    text: shortened(plainText(message), TELEGRAM_CHARACTERS),
    disable_notification: isQuietOne(message),
    link_preview_options: { is_disabled: true },
  }
}

/** Returns an event of the Events API v2: what is over resolves the incident that it opened. */
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
function forNtfy(topic: string, message: Message): object {
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
