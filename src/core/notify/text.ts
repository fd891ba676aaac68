import { formatCount, formatDuration, formatMinute } from '../format/amount.ts'
import type { WatchEvent } from '../watch/event.ts'
import type { Channel } from './channels.ts'

/** An event as it is sent, with how many before it never reached this channel. */
export type Message = { event: WatchEvent; droppedBefore: number }

const LEVEL = { critical: 'CRITICAL', warning: 'Warning', info: 'Note' } as const
const CHANGE = { fired: '', repeated: ' (still so)', worse: ' (worse)' } as const

/** An event in one line. */
export function headline({ event }: Message): string {
  if (event.change === 'cleared') return `Over: ${event.title}`
  return `${LEVEL[event.severity]}${CHANGE[event.change]}: ${event.title}`
}

/** What stands below the headline, line by line. */
export function bodyLines({ event, droppedBefore }: Message): string[] {
  const { validator, what, next, until, network } = event
  const whose = validator === undefined ? [] : [validatorText(validator)]
  return [
    what,
    ...(next === undefined ? [] : [`What to do: ${next}`]),
    ...(until === undefined ? [] : [untilText(until)]),
    [...whose, `network ${network}`].join(' · '),
    ...(droppedBefore === 0 ? [] : [droppedText(droppedBefore)]),
  ]
}

/**
 * An event as one JSON object, the same in every version: what the webhook and the command give, and `--json` without `dropped_before`. Slots and
 * epochs are decimal texts, times are ISO 8601 in UTC.
 */
export function eventObject({ event, droppedBefore }: Message) {
  return { ...eventFields(event), dropped_before: droppedBefore }
}

/** The same without what only a channel knows. */
export function eventFields(event: WatchEvent) {
  const { id, sequence, atMs, network, validator, alarm, change, severity, title, what, next, until } = event
  return {
    version: 1,
    id,
    sequence,
    at: isoTime(atMs),
    network,
    ...(validator === undefined ? {} : { validator }),
    alarm,
    change,
    severity,
    title,
    what,
    ...(next === undefined ? {} : { next }),
    ...(until === undefined
      ? {}
      : { until: { epoch: String(until.epoch), slot: String(until.slot), at: isoTime(until.atMs) } }),
  }
}

/** A time in ISO 8601. */
function isoTime(atMs: number): string {
  return new Date(atMs).toISOString()
}

/** A validator by its name, the ends of its key and its index, as far as they are known. */
export function validatorText({ name, pubkey, index }: NonNullable<WatchEvent['validator']>): string {
  const key = `${pubkey.slice(0, 10)}…${pubkey.slice(-6)}`
  const known = index === undefined ? key : `${key}, index ${index}`
  return name === undefined ? `validator ${known}` : `validator ${name} (${known})`
}

function untilText({ epoch, slot, atMs }: NonNullable<WatchEvent['until']>): string {
  return `Before slot ${formatCount(slot)} (epoch ${formatCount(epoch)}, about ${formatMinute(atMs)})`
}

function droppedText(count: number): string {
  return count === 1
    ? 'One event before this one could not be sent here and was dropped.'
    : `${count} events before this one could not be sent here and were dropped.`
}

/** What the watch says about the way of its events. */
export type Saying =
  | { what: 'failing'; channel: string; reason: string; retryInMs: number; waiting: number }
  | { what: 'works-again'; channel: string; failures: number }
  | { what: 'dropped'; channel: string; title: string; why: 'full' }
  | { what: 'dropped'; channel: string; title: string; why: 'refused'; reason: string }
  | { what: 'channel-gone'; channel: string; count: number }

/** The sentence of it. */
export function sayingText(saying: Saying): string {
  const channel = `Channel ${saying.channel}`
  switch (saying.what) {
    case 'failing': {
      const rest = saying.waiting === 1 ? 'one event waits' : `${saying.waiting} events wait`
      return `${channel} does not take the alarm: ${saying.reason} Next try in ${formatDuration(saying.retryInMs)}; ${rest}.`
    }
    case 'works-again':
      return `${channel} works again after ${saying.failures === 1 ? 'one failed try' : `${saying.failures} failed tries`}.`
    case 'dropped':
      return saying.why === 'full'
        ? `${channel}: too many events wait, so one was dropped and is not sent: ${saying.title}`
        : `${channel} refuses an event, so it was dropped: ${saying.title} ${saying.reason}`
    case 'channel-gone': {
      const lost =
        saying.count === 1
          ? 'one event that waited for it is'
          : `${saying.count} events that waited for it are`
      return `${channel} is not configured, or cannot be used here: ${lost} dropped.`
    }
  }
}

/** Sentences about channels that cannot be used here, the ping and the test. */
export const SENTENCES = {
  noTerminal: (channel: string) =>
    `Channel ${channel}: there is no terminal here, so nothing is sent through it.`,
  noDesktop: (channel: string) =>
    `Channel ${channel}: none of notify-send, osascript and powershell.exe is installed, so nothing is sent through it.`,
  unsaved: (reason: string) =>
    `Alarms that wait to be sent could not be saved (${reason}). They are sent all the same; after a restart some may be sent again.`,
  notKept: (reason: string) =>
    `The memory of the watch cannot be written (${reason}). The watch goes on and sends its alarms; after a restart some may be sent again.`,
  keptAgain: () => 'The memory of the watch is written again.',
  outputLost: () => 'The output cannot be written any more. The watch goes on and sends its alarms.',
  pingFails: (reason: string) => `The ping is not taken: ${reason} It is tried again each period.`,
  pingWorks: () => 'The ping is taken again.',
  pingWaits: () => 'No look was finished for a whole period, so no ping is sent.',
  fault: (what: string) => `This is a fault of the program (${what}).`,
  exitCode: (code: number) => `The program ended with exit code ${code}.`,
  answered: (status: number, said: string) =>
    `It answered with HTTP ${status}${said === '' ? '' : `: "${said}"`}.`,
  openToOthers: (path: string) =>
    `Others on this computer may read ${path}, which may hold secrets: chmod 600 closes it.`,
  testSent: (channel: string, ms: number) => `${channel}: sent, ${formatDuration(ms)}`,
  testFailed: (channel: string, reason: string) => `${channel}: not sent. ${reason}`,
  noChannels: () => 'No channel is configured: add a [[channel]] to the configuration.',
  testTitle: 'Test alarm: nothing is wrong',
  testWhat: 'Somebody asked for this test of the channel. No validator, node or chain is meant.',
} as const

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
