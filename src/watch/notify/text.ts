import type { Static } from 'typebox'
import { formatCount, formatDuration, formatMinute } from '../../core/base/format/amount.ts'
import { documentOf, isoTime } from '../../core/base/format/document.ts'
import type { WatchEvent } from '../../core/view/alarm-event.ts'
import type { EventShape } from './event-shape.ts'

/** An event as it is sent, with how many before it never reached this channel. */
export type Message = { event: WatchEvent; droppedBefore: number }

const LEVEL = { critical: 'CRITICAL', warning: 'Warning', info: 'Note' } as const
const CHANGE = { fired: '', repeated: ' (still so)', worse: ' (worse)' } as const

/** Returns the headline of an event, in one line. */
export function headline({ event }: Message): string {
  if (event.change === 'cleared') return `Over: ${event.title}`
  return `${LEVEL[event.severity]}${CHANGE[event.change]}: ${event.title}`
}

/** Returns the lines below the headline of an event. */
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

/** Returns an event as its document: what the webhook and the command get, and `watch --json` prints. */
export function eventDocument({ event, droppedBefore }: Message): Record<string, unknown> {
  const { id, sequence, atMs, network, validator, alarm, change, severity, title, what, next, until } = event
  const fields: Static<typeof EventShape> = {
    id,
    sequence,
    alarm,
    change,
    severity,
    validator: validator && { index: null, name: null, ...validator },
    until: until && { epoch: until.epoch, slot: until.slot, at: isoTime(until.atMs) },
    droppedBefore,
    words: { title, what, next },
  }
  const verdict = change === 'cleared' ? 'yes' : 'no'
  return documentOf({ document: 'event', command: 'watch', network, verdict, atMs }, fields)
}

/** Names a validator by its name, the ends of its key and its index, as far as each is known. */
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

/** Returns the sentence of an event. */
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
  acknowledged: (title: string) => `Acknowledged: ${title}`,
  noneStands: () => 'No alarm stands.',
  keptAgain: () => 'The memory of the watch is written again.',
  outputLost: () => 'The output cannot be written any more. The watch goes on and sends its alarms.',
  pingFails: (reason: string) => `The ping is not taken: ${reason} It is tried again each period.`,
  pingWorks: () => 'The ping is taken again.',
  pingWaits: () => 'No look was finished for a whole period, so no ping is sent.',
  takeNothing: (channels: readonly string[]) =>
    `The watch lives. Alarms do not arrive through: ${channels.join(', ')}.`,
  fault: (what: string) => `This is a fault of the program (${what}).`,
  exitCode: (code: number) => `The program ended with exit code ${code}.`,
  answered: (status: number, reply: string) =>
    `It answered with HTTP ${status}${reply === '' ? '' : `: "${reply}"`}.`,
  chatMoved: (id: string) => `The group has a new id: set chat_id to ${id} in the configuration.`,
  openToOthers: (path: string) =>
    `Others on this computer may read ${path}, which may hold secrets: chmod 600 closes it.`,
  testSent: (channel: string, ms: number) => `${channel}: sent, ${formatDuration(ms)}`,
  testFailed: (channel: string, reason: string) => `${channel}: not sent. ${reason}`,
  noChannels: () => 'No channel is configured: add a [[channel]] to the configuration.',
  testTitle: 'Test alarm: nothing is wrong',
  testWhat: 'Somebody asked for this test of the channel. No validator, node or chain is meant.',
} as const

/** Returns an event as plain text of several lines. */
export function plainText(message: Message): string {
  return [headline(message), ...bodyLines(message), `id ${message.event.id}`].join('\n')
}
