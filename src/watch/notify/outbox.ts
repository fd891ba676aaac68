import { formatCount, formatMinute } from '../../core/base/format/amount.ts'
import {
  moreUrgent,
  type Severity,
  type ToldAlarm,
  urgencyOf,
  type WatchEvent,
} from '../../core/view/alarm-event.ts'
import type { Channel } from './channels.ts'
import { type QuietHours, quietUntilMs } from './config.ts'
import type { DeliveryResult } from './deliver.ts'
import { type Message, type Saying, validatorText } from './text.ts'

/** What waits for one channel. What is kept on the disk comes first. */
export type ChannelQueue = {
  /** In the order in which they are sent. The first one may be under way. */
  waiting: readonly WatchEvent[]
  /** Held back by quiet hours, one for each alarm. */
  held: readonly WatchEvent[]
  /** Alarms that were sent or wait to be: their end is sent, too. */
  told: readonly { id: string; severity: Severity }[]
  /** Dropped since the last event that arrived. */
  dropped: number
  /** Failed tries of the first one, and how many of them were refusals. */
  failures: number
  refusals: number
  dueMs: number
  reason: string
  underWay: boolean
  /** Whether the last try arrived, and since when none has; neither is known before the first. */
  isWorking?: boolean
  failingSinceMs?: number
}

/** All events that are not delivered yet. */
export type Outbox = {
  queues: Readonly<Record<string, ChannelQueue>>
  /** The last events that were taken in: none of them is taken in again. */
  taken: readonly string[]
}

export type OutboxRules = {
  channels: readonly Pick<Channel, 'name' | 'least' | 'quiet'>[]
  quiet: QuietHours | undefined
  /** How many may wait for one channel. */
  most: number
}

export type OutboxInput =
  | { type: 'happened'; event: WatchEvent }
  | { type: 'answered'; channel: string; message: Message; outcome: DeliveryResult }
  | { type: 'woke' }

export type OutboxCommand =
  | { type: 'deliver'; channel: string; message: Message }
  | { type: 'say'; saying: Saying }

type Step = { queue: ChannelQueue; sayings: readonly Saying[] }
type Rule = OutboxRules['channels'][number]

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 300_000
/** Longer than this nobody is left alone, whatever a service asks for. */
const LONGEST_ASKED_MS = 3_600_000
/** A refusal may be a passing fault of the other side; so often it is none. */
const REFUSED_TRIES = 5
const TAKEN_KEPT = 100
const TOLD_KEPT = 2000

export const EMPTY_OUTBOX: Outbox = { queues: {}, taken: [] }

/** What is kept of no try: after a start each channel is tried at once. */
export const UNTRIED = { failures: 0, refusals: 0, dueMs: 0, reason: '', underWay: false } as const
const EMPTY_QUEUE: ChannelQueue = { waiting: [], held: [], told: [], dropped: 0, ...UNTRIED }

/**
 * Takes an outbox up again after a start: queues of the channels that there are now, and what became of the others. `lacks`
 * says what this computer lacks for a channel: that one takes nothing from the start.
 */
export function resumeOutbox(
  outbox: Outbox,
  rules: OutboxRules,
  { lacks, nowMs }: { lacks: ReadonlyMap<string, string>; nowMs: number } = { lacks: new Map(), nowMs: 0 },
): { outbox: Outbox; sayings: readonly Saying[] } {
  const names = rules.channels.map(({ name }) => name)
  const sayings = Object.entries(outbox.queues).flatMap(([channel, { waiting, held }]): Saying[] => {
    const count = waiting.length + held.length
    return names.includes(channel) || count === 0 ? [] : [{ what: 'channel-gone', channel, count }]
  })
  const queues = names.map((name): [string, ChannelQueue] => {
    const queue = { ...(queueOf(outbox, name) ?? EMPTY_QUEUE), ...UNTRIED }
    const reason = lacks.get(name)
    return [
      name,
      reason === undefined ? queue : { ...queue, reason, isWorking: false, failingSinceMs: nowMs },
    ]
  })
  return { outbox: { ...outbox, queues: Object.fromEntries(queues) }, sayings }
}

/**
 * Makes the next outbox from an event. Each channel has its own queue and sends one event at a time: the next begins
 * when it has arrived or was dropped, and a dead channel holds up no other. Pure.
 */
export function outboxTransition(
  outbox: Outbox,
  input: OutboxInput,
  rules: OutboxRules,
  nowMs: number,
): { outbox: Outbox; commands: readonly OutboxCommand[] } {
  if (input.type === 'happened' && outbox.taken.includes(eventKey(input.event)))
    return { outbox, commands: [] }
  const quietMs = quietUntilMs(rules.quiet, nowMs)
  const commands: OutboxCommand[] = []
  const queues = rules.channels.map((rule): [string, ChannelQueue] => {
    const context = { rule, most: rules.most, isQuiet: rule.quiet && quietMs !== undefined, nowMs }
    const before = queueOf(outbox, rule.name) ?? EMPTY_QUEUE
    const changed = inputStep(before, input, context)
    const released = context.isQuiet ? { queue: changed.queue, sayings: [] } : release(changed.queue, context)
    for (const saying of [...changed.sayings, ...released.sayings]) commands.push({ type: 'say', saying })
    const begun = begin(released.queue, nowMs)
    if (begun.message !== undefined)
      commands.push({ type: 'deliver', channel: rule.name, message: begun.message })
    return [rule.name, begun.queue]
  })
  const taken =
    input.type === 'happened' ? [...outbox.taken, eventKey(input.event)].slice(-TAKEN_KEPT) : outbox.taken
  return { outbox: { queues: Object.fromEntries(queues), taken }, commands }
}

/** Returns the alarms whose end has not gone the way to this channel: those it was told of, and those that wait for it. */
export function toldIn({ told, waiting, held }: ChannelQueue): readonly ToldAlarm[] {
  const ending = held.filter(({ change }) => change === 'cleared').map(({ id }) => id)
  const known = [...told, ...held.filter(({ id }) => told.every((one) => one.id !== id))]
  return known
    .filter(({ id }) => !ending.includes(id))
    .map(({ id, severity }) => {
      const event = [...waiting, ...held].findLast((one) => one.id === id)
      return { id, severity, ...(event !== undefined && { event }) }
    })
}

/** When the outbox has to be looked at again; undefined while it waits for nothing but answers and events. */
export function nextWakeMs({ queues }: Outbox, { quiet }: OutboxRules, nowMs: number): number | undefined {
  const all = Object.values(queues)
  const due = all.filter(({ underWay, waiting }) => !underWay && waiting.length > 0).map(({ dueMs }) => dueMs)
  const quietMs = all.some(({ held }) => held.length > 0) ? [quietUntilMs(quiet, nowMs) ?? nowMs] : []
  const times = [...due, ...quietMs]
  return times.length === 0 ? undefined : Math.max(nowMs, Math.min(...times))
}

type Context = { rule: Rule; most: number; isQuiet: boolean; nowMs: number }

function inputStep(queue: ChannelQueue, input: OutboxInput, context: Context): Step {
  if (input.type === 'happened') return takeIn(queue, input.event, context)
  if (input.type === 'answered' && input.channel === context.rule.name) return hear(queue, input, context)
  return { queue, sayings: [] }
}

/** An event that nobody was told of through this channel need not end there; one that was told of always does. */
function takeIn(queue: ChannelQueue, event: WatchEvent, context: Context): Step {
  const before = queue.told.find(({ id }) => id === event.id)
  const others = { ...queue, held: queue.held.filter(({ id }) => id !== event.id) }
  const isOver = event.change === 'cleared'
  if (isOver && before === undefined) return { queue: others, sayings: [] }
  const isWorth = urgencyOf(event.severity) >= urgencyOf(context.rule.least)
  if (!isWorth && before === undefined) return { queue, sayings: [] }
  const isCritical = event.severity === 'critical' || (isOver && before?.severity === 'critical')
  if (isCritical || !context.isQuiet) return append(others, event, context)
  return bounded({ ...others, held: [...others.held, event] }, context)
}

function append(queue: ChannelQueue, event: WatchEvent, context: Context): Step {
  const before = queue.told.find(({ id }) => id === event.id)
  const others = queue.told.filter(({ id }) => id !== event.id)
  const severity = moreUrgent(event.severity, before?.severity ?? 'info')
  const told = event.change === 'cleared' ? others : [...others, { id: event.id, severity }].slice(-TOLD_KEPT)
  return bounded({ ...queue, told, waiting: [...queue.waiting, event] }, context)
}

/** Quiet hours are over: what is held goes the way of all others, in its order. */
function release(queue: ChannelQueue, context: Context): Step {
  return queue.held.reduce<Step>(
    (step, event) => {
      const next = append(step.queue, event, context)
      return { queue: next.queue, sayings: [...step.sayings, ...next.sayings] }
    },
    { queue: { ...queue, held: [] }, sayings: [] },
  )
}

/** Where too many wait, what says least is dropped: a repetition, else the oldest that is not critical, else the oldest. */
function bounded(queue: ChannelQueue, { rule, most }: Context): Step {
  if (queue.waiting.length + queue.held.length <= most) return { queue, sayings: [] }
  const free = [...queue.held, ...queue.waiting.slice(queue.underWay ? 1 : 0)]
  const victim =
    free.find(({ change, severity }) => change === 'repeated' && severity !== 'critical') ??
    free.find(({ change }) => change === 'repeated') ??
    free.find(({ severity }) => severity !== 'critical') ??
    free[0]
  if (victim === undefined) return { queue, sayings: [] }
  return {
    queue: {
      ...queue,
      held: queue.held.filter((event) => event !== victim),
      waiting: queue.waiting.filter((event) => event !== victim),
      dropped: queue.dropped + 1,
    },
    sayings: [{ what: 'dropped', channel: rule.name, title: victim.title, why: 'full' }],
  }
}

function hear(
  queue: ChannelQueue,
  input: Extract<OutboxInput, { type: 'answered' }>,
  context: Context,
): Step {
  const { message, outcome } = input
  const [first, ...rest] = queue.waiting
  if (!queue.underWay || first === undefined || eventKey(first) !== eventKey(message.event))
    return { queue, sayings: [] }
  const channel = context.rule.name
  const { failingSinceMs, isWorking: _, ...known } = queue
  const fresh = { ...known, ...UNTRIED, waiting: rest }
  if (outcome.result === 'delivered') {
    const sayings: Saying[] =
      queue.failures === 0 ? [] : [{ what: 'works-again', channel, failures: queue.failures }]
    const dropped = queue.dropped - message.droppedBefore
    return { queue: { ...fresh, dropped, isWorking: true }, sayings }
  }
  const { reason } = outcome
  const refusals = queue.refusals + (outcome.result === 'refused' ? 1 : 0)
  if (refusals >= REFUSED_TRIES)
    return {
      queue: { ...fresh, dropped: queue.dropped + 1 },
      sayings: [{ what: 'dropped', channel, title: first.title, why: 'refused', reason }],
    }
  const retryInMs = pauseMs(queue.failures, outcome.retryAfterMs)
  const isNews = queue.reason !== reason
  return {
    queue: {
      ...queue,
      refusals,
      reason,
      failures: queue.failures + 1,
      isWorking: false,
      // By a clock that was set back it begins now.
      failingSinceMs: Math.min(failingSinceMs ?? context.nowMs, context.nowMs),
      dueMs: context.nowMs + retryInMs,
      underWay: false,
    },
    sayings: isNews ? [{ what: 'failing', channel, reason, retryInMs, waiting: queue.waiting.length }] : [],
  }
}

function pauseMs(failures: number, askedMs = 0): number {
  const own = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20))
  return Math.max(own, Math.min(askedMs, LONGEST_ASKED_MS))
}

function begin(queue: ChannelQueue, nowMs: number): { queue: ChannelQueue; message?: Message } {
  const [first] = queue.waiting
  // A clock that was set back must not silence a channel.
  const isDue = queue.dueMs <= nowMs || queue.dueMs > nowMs + LONGEST_ASKED_MS
  if (first === undefined || queue.underWay || !isDue) return { queue }
  return {
    queue: { ...queue, underWay: true },
    message: { event: asSent(first, nowMs), droppedBefore: queue.dropped },
  }
}

function queueOf({ queues }: Outbox, name: string): ChannelQueue | undefined {
  return Object.hasOwn(queues, name) ? queues[name] : undefined
}

/** What makes an event this one: after a death between two writes the same may be told again. */
function eventKey({ id, sequence, change }: WatchEvent): string {
  return `${sequence} ${change} ${id}`
}

/**
 * An event as it is sent at `nowMs` (Unix milliseconds, by the clock of this computer): one that had to wait until the last
 * block for its amount may be past names none any more.
 */
function asSent(event: WatchEvent, nowMs: number): WatchEvent {
  const { alarm, change, validator, until, atMs } = event
  const isLate = until !== undefined && until.atMs <= nowMs
  if (alarm !== 'drops-out' || change === 'cleared' || validator === undefined || !isLate) return event
  const { until: _, ...kept } = event
  return {
    ...kept,
    title: `Whether a top-up still keeps the place of ${validatorText(validator)} is not known.`,
    what: `This warning is of ${formatMinute(atMs)} and could not be sent before. By the time that has passed block ${formatCount(until.slot)}, the last one that counts for a top-up, is past.`,
    next: 'Send nothing on this warning. Read the newest one, and look at your node.',
  }
}
