import { bool, type Decoder, oneOf, optional, refuse, text } from '../format/decode.ts'
import { isDrawable } from '../format/drawable.ts'
import { endpointFault, isLoopbackUrl } from '../format/endpoint-url.ts'
import { EVENT_FIELDS, type Severity } from '../watch/event.ts'
import { duration, hidden, listOf, matching, orElse, table } from './collect.ts'

/** Which text for the desktop a terminal is sent: by its name, one of two forms, or none beside the bell. */
type TerminalSequence = 'auto' | 'osc9' | 'osc777' | 'bell'

/** What every channel has. */
type Common = {
  /** Unique; what waits for it is kept under this name. */
  name: string
  /** What is less bad than this is not sent. */
  least: Severity
  /** Whether quiet hours hold back what is not critical. */
  quiet: boolean
}

/** One way to reach the user. */
export type Channel = Common &
  (
    | { type: 'terminal'; sequence: TerminalSequence }
    | { type: 'desktop' }
    | { type: 'webhook'; url: string; headers: Readonly<Record<string, string>> }
    | { type: 'slack'; url: string }
    | { type: 'discord'; url: string }
    | { type: 'telegram'; url: string; token: string; chatId: string }
    | { type: 'pagerduty'; url: string; routingKey: string }
    | { type: 'ntfy'; url: string; topic: string; token?: string }
    | { type: 'exec'; command: readonly [string, ...string[]]; timeLimitMs: number }
  )

const TYPES = [
  'terminal',
  'desktop',
  'webhook',
  'slack',
  'discord',
  'telegram',
  'pagerduty',
  'ntfy',
  'exec',
] as const

const URL_WORDS = {
  'no-address': 'an https URL',
  credentials: 'a URL without a user name or password; give them in headers or token',
}

/** What is sent over plain http can be read by everybody on the way, the secret included. */
export function safeOnTheWay({ url, allow_http }: Readonly<Record<string, unknown>>, path: string): void {
  const isPlain = typeof url === 'string' && endpointFault(url) === undefined && /^http:/i.test(url)
  if (isPlain && !isLoopbackUrl(url) && allow_http !== true)
    refuse(`${path}.url`, 'https, or allow_http = true beside it', url)
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,80}$/
const HEADER_VALUE = /^[\x20-\x7e]{1,4000}$/
/** What the exchange itself decides. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'content-type',
  'expect',
])

/** A name for people: it can be drawn, and is at most 40 characters long. */
export const drawableName: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 40 && [...value].every(isDrawable)
    ? value
    : refuse(path, 'a name of 1 to 40 letters, digits and signs', value)

/** The address of a service of the user: https, or http where it is this computer. It may hold a secret. */
export const serviceUrl: Decoder<string> = (value, path) => {
  const read = text(value, path)
  const fault = endpointFault(read)
  return fault === undefined ? read : refuse(path, URL_WORDS[fault], value)
}

/** Headers of a webhook. Their values may be secrets, so a fault names the header alone. */
const headers: Decoder<Readonly<Record<string, string>>> = (value = {}, path) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(path, 'a table', value)
  for (const [name, content] of Object.entries(value) as [string, unknown][]) {
    if (!HEADER_NAME.test(name)) return refuse(path, 'names of HTTP headers', value)
    if (OWN_HEADERS.has(name.toLowerCase()))
      return refuse(`${path}.${name}`, 'no header of this name', content)
    if (typeof content !== 'string' || !HEADER_VALUE.test(content))
      return refuse(`${path}.${name}`, 'a text of printable ASCII characters', content)
  }
  return { ...(value as Record<string, string>) }
}

const chatId: Decoder<string> = (value, path) =>
  matching(/^(?:-?\d{1,20}|@\w{4,40})$/, 'the number of a chat, or @name of a channel')(
    typeof value === 'bigint' ? String(value) : value,
    path,
  )

const words = listOf(matching(/^[^\0]{1,4000}$/, 'a text'), 50)
const command: Decoder<readonly [string, ...string[]]> = (value, path) => {
  const [program, ...rest] = words(value, path)
  const isWhole = program !== undefined && (/^\/[^\0]+$/.test(program) || /^[A-Za-z]:[\\/]/.test(program))
  return isWhole
    ? [program, ...rest]
    : refuse(path, 'a list that begins with the whole path of a program', value)
}

const common = {
  type: oneOf(TYPES),
  name: optional(drawableName),
  least: orElse(EVENT_FIELDS.severity, 'info'),
  quiet_hours: orElse(bool, true),
}
const web = { ...common, allow_http: orElse(bool, false) }

const SHAPES = {
  terminal: table({ ...common, sequence: orElse(oneOf(['auto', 'osc9', 'osc777', 'bell']), 'auto') }),
  desktop: table(common),
  webhook: table({ ...web, url: serviceUrl, headers }, safeOnTheWay),
  slack: table({ ...web, url: serviceUrl }, safeOnTheWay),
  discord: table({ ...web, url: serviceUrl }, safeOnTheWay),
  telegram: table(
    {
      ...web,
      url: orElse(serviceUrl, 'https://api.telegram.org'),
      token: matching(/^\d{3,20}:[A-Za-z0-9_-]{20,100}$/, 'the token of a bot, such as 123456:ABC…'),
      chat_id: chatId,
    },
    safeOnTheWay,
  ),
  pagerduty: table(
    {
      ...web,
      url: orElse(serviceUrl, 'https://events.pagerduty.com/v2/enqueue'),
      routing_key: matching(/^[A-Za-z0-9]{32}$/, 'the integration key of 32 letters and digits'),
    },
    safeOnTheWay,
  ),
  ntfy: table(
    {
      ...web,
      url: orElse(serviceUrl, 'https://ntfy.sh'),
      topic: matching(/^[A-Za-z0-9_-]{1,64}$/, 'a topic of 1 to 64 letters, digits, - and _'),
      token: optional(matching(/^[\x21-\x7e]{8,200}$/, 'an access token')),
    },
    safeOnTheWay,
  ),
  exec: table({
    ...common,
    command,
    time_limit: orElse(duration(1000, 300_000), '30s'),
  }),
} as const

/**
 * One `[[channel]]` of the file. A channel without a name has that of its type. Nothing in it is ever repeated in a
 * fault but its type: a secret may stand in any other place.
 */
export const channel: Decoder<Channel> = (value, path) => {
  const found: unknown =
    typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  const isWord = found === undefined || (typeof found === 'string' && /^[a-z]{1,12}$/i.test(found))
  const type = (isWord ? oneOf(TYPES) : hidden(oneOf(TYPES)))(found, `${path}.type`)
  return hidden((table, at) => ofType(type, table, at))(value, path)
}

function ofType(type: Channel['type'], value: unknown, path: string): Channel {
  switch (type) {
    case 'terminal': {
      const read = SHAPES.terminal(value, path)
      return { ...commonOf(read), type, sequence: read.sequence }
    }
    case 'desktop':
      return { ...commonOf(SHAPES.desktop(value, path)), type }
    case 'webhook': {
      const read = SHAPES.webhook(value, path)
      return { ...commonOf(read), type, url: read.url, headers: read.headers }
    }
    case 'slack':
    case 'discord': {
      const read = SHAPES[type](value, path)
      return { ...commonOf(read), type, url: read.url }
    }
    case 'telegram': {
      const read = SHAPES.telegram(value, path)
      return {
        ...commonOf(read),
        type,
        url: read.url,
        token: read.token,
        chatId: read.chat_id,
      }
    }
    case 'pagerduty': {
      const read = SHAPES.pagerduty(value, path)
      return { ...commonOf(read), type, url: read.url, routingKey: read.routing_key }
    }
    case 'ntfy': {
      const read = SHAPES.ntfy(value, path)
      const token = read.token === undefined ? {} : { token: read.token }
      return { ...commonOf(read), type, url: read.url, topic: read.topic, ...token }
    }
    case 'exec': {
      const read = SHAPES.exec(value, path)
      return { ...commonOf(read), type, command: read.command, timeLimitMs: read.time_limit }
    }
  }
}

function commonOf(read: ReturnType<typeof SHAPES.desktop>): Common {
  return { name: read.name ?? read.type, least: read.least, quiet: read.quiet_hours }
}
