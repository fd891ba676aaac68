import type { Effects } from '../../core/base/effects/effects.ts'
import { effectsUntil } from '../../core/base/effects/effects-until.ts'
import { BaseError, onceSettled } from '../../core/base/errors/base.ts'
import { watchError } from '../../core/base/errors/watch-config.ts'
import {
  type Decoder,
  decodeWhole,
  exactRecord,
  FieldFault,
  isRecord,
  laterThan,
  list,
  oneOf,
  present,
  real,
  refuse,
  text,
  uintIndex,
} from '../../core/base/format/decode.ts'
import { JsonFault, jsonText, parseStrictJson } from '../../core/base/format/strict-json.ts'
import { safeText, shortened } from '../../core/base/format/text.ts'
import {
  type ChannelPicture,
  EVENT_FIELDS,
  type ToldAlarm,
  type WatchEvent,
} from '../../core/view/alarm-event.ts'
import { type Channel, needsOf } from './channels.ts'
import type { WatchConfig } from './config.ts'
import { type DeliveryEffects, type DeliveryResult, deliver, desktopProgram } from './deliver.ts'
import { drawableName } from './fields.ts'
import {
  type ChannelQueue,
  EMPTY_OUTBOX,
  nextWakeMs,
  type Outbox,
  type OutboxCommand,
  type OutboxInput,
  type OutboxRules,
  outboxTransition,
  resumeOutbox,
  toldIn,
  UNTRIED,
} from './outbox.ts'
import { type Message, type Saying, SENTENCES, sayingText } from './text.ts'

/** More than all alarms of many validators at once. */
const MOST_WAITING = 500
/** So long after a disk took nothing it is tried again: if this process ends before, what it has told may be lost. */
const UNSAVED_MS = 2_000

export type OutboxOptions = {
  /** A file of its own below the state directory. */
  path: string
  config: Pick<WatchConfig, 'channels' | 'quiet'>
  /** Hears in a sentence what fails, what works again and what is dropped. */
  say: (sentence: string) => void
  ring?: DeliveryEffects['ring']
  /** Ends every try, as `close` does. */
  signal: AbortSignal
}

/** The way of events to the user, by this process alone. */
export type OpenOutbox = {
  /**
   * Takes an event in; it is on the disk when this resolves, where the disk takes it, and is delivered from then on through
   * failures and restarts. The same event twice counts once, so it is given here before anything else remembers that it was told.
   */
  add(event: WatchEvent): Promise<void>
  /** Whether all of it is on the disk: while it is not, nothing else may remember what was told. */
  isKept(): boolean
  standing(): readonly ChannelPicture[]
  /** The alarms that have not ended for every channel that was told of them, or is going to be. */
  told(): readonly ToldAlarm[]
  /** Ends every try; what has not arrived waits for the next start. */
  close(): Promise<void>
}

type OutboxEffects = Pick<Effects, 'http' | 'exec' | 'files' | 'clock' | 'store'>

/**
 * Opens the outbox at `path` and goes on with what waits in it. Where another watch on the same state directory sends
 * already, the answer is a sentence that says who. Throws `outbox.damaged` and `file.*`.
 */
export async function openOutbox(
  effects: OutboxEffects,
  options: OutboxOptions,
): Promise<{ outbox: OpenOutbox; heldBy?: never } | { heldBy: string; outbox?: never }> {
  const { release, heldBy } = await effects.store.lock(`${options.path}.lock`)
  if (release === undefined) return { heldBy }
  try {
    const written = await effects.store.readText(options.path)
    const before = written === undefined ? EMPTY_OUTBOX : decodeOutbox(written, options.path)
    const lacks = await lackedBy(effects, options)
    const stop = new AbortController()
    const signal = AbortSignal.any([stop.signal, options.signal])
    const runner = run(effectsUntil(effects, signal), { ...options, lacks, before, written, signal })
    return {
      outbox: {
        add: runner.add,
        isKept: runner.isKept,
        standing: runner.standing,
        told: runner.told,
        async close() {
          stop.abort()
          await runner.ended()
          await release()
        },
      },
    }
  } catch (thrown) {
    await release()
    throw thrown
  }
}

/** What this computer lacks for a channel, by its name: said once, not for each event, which waits all the same. */
async function lackedBy(
  { files }: OutboxEffects,
  { config, say, ring }: OutboxOptions,
): Promise<ReadonlyMap<string, string>> {
  const needed = new Set(config.channels.map(needsOf))
  const lacks = {
    terminal: ring === undefined ? SENTENCES.noTerminal : undefined,
    desktop:
      needed.has('desktop') && (await desktopProgram(files)) === undefined ? SENTENCES.noDesktop : undefined,
  }
  const found = new Map<string, string>()
  for (const channel of config.channels) {
    const needs = needsOf(channel)
    const lack = needs && lacks[needs]?.(channel.name)
    if (lack === undefined) continue
    say(lack)
    found.set(channel.name, lack)
  }
  return found
}

type Run = OutboxOptions & {
  lacks: ReadonlyMap<string, string>
  before: Parameters<typeof resumeOutbox>[0]
  written: string | undefined
}

function run(effects: OutboxEffects, options: Run) {
  const { config, path, say, ring, signal, lacks } = options
  const { channels } = config
  const { clock } = effects
  const delivery: DeliveryEffects = { ...effects, ...(ring === undefined ? {} : { ring }) }
  const rules: OutboxRules = { channels, quiet: config.quiet, most: MOST_WAITING }
  const resumed = resumeOutbox(options.before, rules, { lacks, nowMs: clock.nowMs() })
  let { outbox } = resumed
  let saved = options.written
  let isSaved = true
  let wake = new AbortController()
  const inputs: OutboxInput[] = []
  let batch: Promise<void> = Promise.resolve()
  let queue: Promise<void> = Promise.resolve()
  const underWay = new Set<Promise<void>>()
  const sayText = (saying: Saying) => say(sayingText(saying))

  const inBackground = (work: Promise<void>) => {
    const guarded = work.catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown
    })
    underWay.add(guarded)
    void guarded.finally(() => underWay.delete(guarded))
  }

  /** What cannot be saved is sent all the same: an alarm that comes twice is better than none. */
  const save = async () => {
    const text = encodeOutbox(outbox)
    const wasSaved = isSaved
    isSaved = text === saved
    if (isSaved) return
    try {
      await effects.store.writeText(path, text, { replace: true })
      saved = text
      isSaved = true
    } catch (thrown) {
      if (!(thrown instanceof BaseError)) throw thrown
      if (wasSaved) say(SENTENCES.unsaved(thrown.shortMessage))
    }
  }

  /** What came in while the disk was busy is decided together: one write for all of it, and only then its commands. */
  const step = async (): Promise<void> => {
    const commands: OutboxCommand[] = []
    for (const input of inputs.splice(0)) {
      if (signal.aborted && input.type === 'woke') continue
      const next = outboxTransition(outbox, input, rules, clock.nowMs())
      outbox = next.outbox
      commands.push(...next.commands)
    }
    await save()
    for (const command of commands) carryOut(command)
    setAlarm()
  }
  const dispatch = (input: OutboxInput): Promise<void> => {
    const isFirst = inputs.push(input) === 1
    if (isFirst) {
      batch = queue.then(step)
      queue = onceSettled(batch)
    }
    return batch
  }

  function carryOut(command: OutboxCommand): void {
    if (command.type === 'say') {
      sayText(command.saying)
      return
    }
    const channel = channels.find(({ name }) => name === command.channel)
    if (channel !== undefined && !signal.aborted) inBackground(tryOnce(channel, command.message))
  }

  async function tryOnce(channel: Channel, message: Message): Promise<void> {
    const outcome = await deliver(delivery, channel, message).catch((thrown: unknown): DeliveryResult => {
      if (signal.aborted) throw thrown
      // A fault of this program in one channel is said, and stops no other.
      return { result: 'failed', reason: SENTENCES.fault(safeText(thrown)) }
    })
    await dispatch({ type: 'answered', channel: channel.name, message, outcome })
  }

  function setAlarm(): void {
    wake.abort()
    const nowMs = clock.nowMs()
    const wakeMs = nextWakeMs(outbox, rules, nowMs)
    const atMs = isSaved ? wakeMs : Math.min(wakeMs ?? Number.POSITIVE_INFINITY, nowMs + UNSAVED_MS)
    if (atMs === undefined || signal.aborted) return
    wake = new AbortController()
    inBackground(sleepUntil(atMs, wake.signal))
  }

  async function sleepUntil(atMs: number, woken: AbortSignal): Promise<void> {
    try {
      await clock.sleep(Math.max(0, atMs - clock.nowMs()), woken)
    } catch (thrown) {
      if (woken.aborted) return
      throw thrown
    }
    if (!woken.aborted) void dispatch({ type: 'woke' })
  }

  resumed.sayings.forEach(sayText)
  inBackground(dispatch({ type: 'woke' }))

  return {
    isKept: () => isSaved,
    add: (event: WatchEvent) => dispatch({ type: 'happened', event: boundedEvent(event) }),
    standing: (): ChannelPicture[] =>
      Object.entries(outbox.queues).map(
        ([name, { waiting, held, isWorking, failingSinceMs: sinceMs, reason }]) => ({
          name,
          waiting: waiting.length,
          held: held.length,
          isWorking,
          ...(sinceMs === undefined ? {} : { failing: { sinceMs, reason } }),
        }),
      ),
    told: () => Object.values(outbox.queues).flatMap(toldIn),
    async ended(): Promise<void> {
      wake.abort()
      await Promise.all(underWay)
      await queue
    },
  }
}

const VERSION = 1
const LONGEST = { title: 200, what: 1000, next: 1000 } as const

const event: Decoder<WatchEvent> = present(
  exactRecord({
    id: text,
    sequence: uintIndex,
    atMs: real,
    network: text,
    change: oneOf(['fired', 'repeated', 'worse', 'cleared']),
    title: text,
    what: text,
    ...EVENT_FIELDS,
  }),
)

const queue = exactRecord({
  waiting: list(event),
  held: list(event),
  told: list(exactRecord({ id: text, severity: EVENT_FIELDS.severity })),
  dropped: uintIndex,
})

const queues: Decoder<Record<string, ChannelQueue>> = (value, path) => {
  if (!isRecord(value)) return refuse(path, 'a record', value)
  const entries = Object.entries(value).map(([name, content]: [string, unknown]): [string, ChannelQueue] => [
    drawableName(name, path),
    { ...queue(content, `${path}.${name}`), ...UNTRIED },
  ])
  return Object.fromEntries(entries)
}

const file = exactRecord({
  version: (value: unknown, path: string) => (value === VERSION ? VERSION : refuse(path, '1', value)),
  taken: list(text),
  queues,
})

/** Returns what of the outbox is kept: events and the names of channels, never an address or a key of one. */
export function encodeOutbox({ queues: all, taken }: Outbox): string {
  const kept = Object.entries(all).map(([name, { waiting, held, told, dropped }]) => [
    name,
    { waiting, held, told, dropped },
  ])
  const body = { version: VERSION, taken, queues: Object.fromEntries(kept) as object }
  return `${jsonText(body)}\n`
}

/** Reads what `encodeOutbox` wrote. Throws `outbox.damaged` and `outbox.newer`. */
export function decodeOutbox(written: string, path: string): Outbox {
  try {
    const value = parseStrictJson(written)
    const found = laterThan(VERSION, value, 'version')
    if (found !== undefined) throw watchError('outbox.newer', path, { found, known: VERSION })
    const { taken, queues: read } = decodeWhole(file, value)
    return { taken, queues: read }
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault)
      throw watchError('outbox.damaged', path, fault.message)
    throw fault
  }
}

/** Returns the same event with texts of a bounded length, so that the file is bounded, too. */
function boundedEvent(event: WatchEvent): WatchEvent {
  const { title, what, next } = event
  return {
    ...event,
    title: shortened(title, LONGEST.title),
    what: shortened(what, LONGEST.what),
    ...(next === undefined ? {} : { next: shortened(next, LONGEST.next) }),
  }
}
