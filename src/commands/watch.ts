import { adoptedHere } from '../compose/journal-files.ts'
import type { MetricsServer } from '../compose/metrics-server.ts'
import { BaseError, badUsage, onceSettled } from '../core/base/errors/base.ts'
import { formatCount } from '../core/base/format/amount.ts'
import { command, parts } from '../core/base/format/next.ts'
import { safeText } from '../core/base/format/text.ts'
import type { Network } from '../core/chain/network/network.ts'
import { signedChainOf } from '../core/clients/signed/signed-chain.ts'
import { createLooker, type Looker } from '../core/observe/ask-network.ts'
import type { WatchMemory } from '../core/observe/memory.ts'
import {
  headOf,
  limitsOf,
  type NetworkPicture,
  type UnreadFile,
  type WatchContext,
} from '../core/observe/picture.ts'
import type { WatchEvent } from '../core/view/alarm-event.ts'
import { type CommandIo, EXIT, type ExitCode, nextWords } from '../output/io.ts'
import { acknowledgeOnDisk, openWatchFile, type WatchFile } from '../watch/keep.ts'
import type { WatchedGuards } from '../watch/keep-guards.ts'
import { NOTHING_COUNTED, samplesOf, tallyAfter } from '../watch/metrics.ts'
import { exampleConfig } from '../watch/notify/test-alarm.ts'
import { eventDocument, SENTENCES } from '../watch/notify/text.ts'
import type { WatchScreen } from '../watch/screen.ts'
import { acknowledge, acknowledgeTold, adoptOrphans, watchTransition } from '../watch/transition.ts'
import { watchView } from '../watch/view.ts'
import { type Call, commandOf } from './command.ts'
import { setupOf, wizardOptionsOf } from './setup.ts'
import {
  configOf,
  type Delivery,
  endpointLists,
  endpointsOf,
  firstOf,
  marginOf,
  metricsAddressOf,
  openDelivery,
  sendTestAlarm,
  validatorsOf,
  withConfig,
} from './watch-delivery.ts'
import { guardsOf } from './watch-guards.ts'

/** A look is finished with each slot; one that asks for the whole state takes longer. */
const SLOTS_OF_PATIENCE = 30
const LEAST_PATIENCE_MS = 60_000

/** The command `watch`. */
export const watch = commandOf('watch', run, { stopsItself: true })

async function run(asked: Call): Promise<ExitCode> {
  if (asked.flags.has('example-config')) {
    asked.io.out(exampleConfig().trimEnd())
    return EXIT.done
  }
  const config = await configOf(asked)
  if (asked.flags.has('test-alarm')) return sendTestAlarm(asked, config)
  const notes = openNotes(asked.io)
  const call = withConfig({ ...asked, io: { ...asked.io, err: notes.say } }, config)
  const lists = endpointLists(asked, config)
  const limits = limitsOf(config, marginOf(call))
  const address = metricsAddressOf(call)
  const setup = await setupOf({ ...call, options: { ...call.options, ...firstOf(lists) } })
  const { effects } = call
  const { network, journalDirectory: directory } = setup
  if (call.options.acknowledge !== undefined)
    return acknowledgeAlarms(call, { directory, network }, call.options.acknowledge)
  const endpoints = endpointsOf(setup, lists)
  const own = await adoptedHere(directory, network.genesisValidatorsRoot)
  const validators = await validatorsOf(call, { network, endpoints, own: own.validators })
  const context: WatchContext = {
    network,
    wizardOptions: wizardOptionsOf(call, setup.network),
    limits,
  }
  let guards: WatchedGuards | undefined
  const looker = createLooker({
    effects,
    network,
    endpoints,
    validators,
    signed: signedChainOf(effects, { network, engines: endpoints.engine, directory }),
    isOwnTransaction: (hash) =>
      own.transactions.has(hash) ||
      guards?.pictures().guards.some(({ hashes }) => hashes.some((one) => one === hash)) === true,
  })
  const file = await openWatchFile(effects.store, { directory, network })
  try {
    const delivery = await openDelivery(call, { config, directory })
    try {
      const metrics = await openMetrics(call, address, network)
      try {
        guards = await guardsOf(call, { setup, endpoints, validators })
        try {
          return await follow(call, {
            file,
            delivery,
            looker,
            context,
            metrics,
            notes,
            guards,
            unread: own.unread,
          })
        } finally {
          await guards?.close()
        }
      } finally {
        await metrics?.close()
      }
    } catch (thrown) {
      if (!call.io.signal.aborted) await delivery.fail(thrown)
      throw thrown
    } finally {
      await delivery.close()
    }
  } finally {
    await file.close()
  }
}

/** Says to a watch on this state directory, one that runs or the next one, that somebody knows of its alarms. */
async function acknowledgeAlarms(
  { effects, io, json }: Call,
  { directory, network }: { directory: string; network: Network },
  id: string,
): Promise<ExitCode> {
  const nowMs = effects.clock.nowMs()
  const known = await acknowledgeOnDisk(effects.store, { directory, network, nowMs }, id)
  if (known.length === 0 && id !== 'all')
    throw badUsage({
      sentence: 'No alarm with this id stands.',
      found: safeText(id, 200),
      next: parts`Copy the id from the message of the alarm, or acknowledge all: ${command('watch', '--acknowledge', 'all')}.`,
    })
  if (!json) for (const { title } of known) io.out(SENTENCES.acknowledged(title))
  if (!json && known.length === 0) io.out(SENTENCES.noneStands())
  return EXIT.done
}

type Followed = {
  file: WatchFile
  delivery: Delivery
  looker: Looker
  context: WatchContext
  metrics: MetricsServer | undefined
  notes: WatchNotes
  guards: WatchedGuards | undefined
  unread: readonly UnreadFile[]
}

/** Looks and tells, slot by slot, until it is stopped. */
async function follow(
  call: Call,
  { file, delivery, looker, context, metrics, notes, guards, unread }: Followed,
): Promise<ExitCode> {
  const { effects, io } = call
  const { network } = context
  let memory = adoptOrphans(file.memory, delivery.told())
  let tally = NOTHING_COUNTED
  const screen = call.json
    ? undefined
    : await call.openScreen?.({
        clock: effects.clock,
        onAcknowledge: (ids) => {
          memory = ids.reduce(acknowledge, memory)
        },
      })
  notes.showOn(screen)
  const tell = printer(call, { context, screen })
  const write = keeper(file, io.err)
  // What is told is on the disk first: after a crash it is not told under another number, and it is sent.
  const keep: WatchFile['write'] = async (...kept) => {
    if (delivery.isKept()) await write(...kept)
  }
  const acknowledged = acknowledgedOf(file, io)
  const quit = new AbortController()
  const ended = screen?.end.finally(() => quit.abort())
  const signal = AbortSignal.any([io.signal, quit.signal])
  try {
    while (!signal.aborted) {
      const startedMs = effects.clock.monotonicMs()
      const seen = await looker.look(memory)
      const picture = { ...seen, ...keptNow(guards, unread), ...delivery.picture() }
      const known = acknowledgeTold(memory, await acknowledged())
      for (const { title } of known.news) io.err(SENTENCES.acknowledged(title))
      memory = known.memory
      if (signal.aborted) break
      const next = watchTransition(memory, picture, context)
      memory = next.memory
      await Promise.all(next.events.map(delivery.add))
      await keep(memory)
      delivery.tick()
      if (metrics !== undefined) {
        tally = tallyAfter(tally, picture)
        const samples = samplesOf({ memory, picture, tally }, { network, version: call.version ?? '' })
        metrics.show(samples, { isAnswered: headOf(picture) !== undefined })
      }
      for (const event of next.events) tell.event(event)
      tell.picture(picture, memory)
      const restMs = network.slotMs - (effects.clock.monotonicMs() - startedMs)
      await onceSettled(effects.clock.sleep(Math.max(restMs, network.slotMs / 4), signal))
    }
    io.signal.throwIfAborted()
    return EXIT.done
  } finally {
    notes.showOn(undefined)
    screen?.close()
    await ended
    await keep(memory, { last: true })
  }
}

/** What is known of guards and journals here. Before the journals were looked at it isn't known which can't be read. */
function keptNow(guards: WatchedGuards | undefined, atStart: readonly UnreadFile[]) {
  if (guards === undefined) return { unread: atStart }
  const { unread, ...pictures } = guards.pictures()
  if (unread === undefined) return pictures
  const also = atStart.filter(({ path }) => unread.every((file) => file.path !== path))
  return { ...pictures, unread: [...unread, ...also] }
}

/** What was acknowledged by a command; what can't be read is said once, and is none. */
function acknowledgedOf(file: WatchFile, io: CommandIo): WatchFile['acknowledged'] {
  let said: string | undefined
  return async () => {
    try {
      const known = await file.acknowledged()
      said = undefined
      return known
    } catch (thrown) {
      if (!(thrown instanceof BaseError)) throw thrown
      const { shortMessage, details, nextSteps } = thrown
      if (said !== thrown.message) {
        io.err([shortMessage, ...details].join(' '))
        for (const next of nextSteps) io.err(nextWords(next, io))
      }
      said = thrown.message
      return []
    }
  }
}

async function openMetrics(
  { effects: { clock }, io }: Call,
  address: ReturnType<typeof metricsAddressOf>,
  { slotMs }: Network,
): Promise<MetricsServer | undefined> {
  if (address === undefined) return undefined
  const { openMetricsServer } = await import('../compose/metrics-server.ts')
  const patienceMs = Math.max(LEAST_PATIENCE_MS, SLOTS_OF_PATIENCE * slotMs)
  const server = await openMetricsServer({ ...address, clock, patienceMs })
  io.err(`metrics at ${server.url}/metrics`)
  return server
}

const HOUR_MS = 3_600_000

type Printer = { event(event: WatchEvent): void; picture(picture: NetworkPicture, memory: WatchMemory): void }

/** A table on a terminal; else one line an event, with what to do below it, or one object a line. */
function printer(
  { io, json, effects }: Call,
  given: { context: WatchContext; screen: WatchScreen | undefined },
): Printer {
  const { context, screen } = given
  const asRun = <T extends Pick<WatchEvent, 'next' | 'nextIs'>>(each: T): T =>
    each.next === undefined || each.nextIs !== 'command'
      ? each
      : { ...each, next: nextWords({ command: each.next }, io) }
  let last: { slot: bigint; atMs: number } | undefined
  let toldAtMs: number | undefined
  /** Says on stderr at the start, and then once an hour, that the watch is alive. Returns when it was said last. */
  const tellLife = (
    { rows }: ReturnType<typeof watchView>,
    { slot, toldAtMs: before, memory }: { slot: bigint; toldAtMs: number | undefined; memory: WatchMemory },
  ): number => {
    const nowMs = effects.clock.nowMs()
    if (before !== undefined && nowMs - before < HOUR_MS) return before
    const seen = rows.map(({ name, status, rank }) => `${name} (${status}, ${rank})`).join(', ')
    const at = formatCount(slot)
    const words =
      before === undefined
        ? `Watching ${seen}, slot ${at}. A line follows when something changes.`
        : `Still watching ${seen}, slot ${at}.`
    io.err(`${timeText(nowMs)} ${words}`)
    // At the start of each run, also where the alarm is an old one.
    if (before === undefined)
      for (const { alarm, title } of memory.alarms) if (alarm === 'not-validating') io.err(title)
    return nowMs
  }
  return {
    event(event) {
      if (screen !== undefined) {
        if (event.severity === 'critical' && event.change !== 'cleared') screen.notify(event.title)
        return
      }
      const ofRun = asRun(event)
      if (json) io.out(JSON.stringify(eventDocument({ event: ofRun, droppedBefore: 0 })))
      else for (const line of eventLines(ofRun)) io.out(line)
    },
    picture(picture, memory) {
      const slot = headOf(picture)
      if (slot !== undefined && slot !== last?.slot) last = { slot, atMs: picture.atMs }
      if (json) return
      const view = watchView({ ...memory, alarms: memory.alarms.map((each) => asRun(each)) }, picture, {
        context,
        last,
      })
      if (screen === undefined) {
        if (slot !== undefined) toldAtMs = tellLife(view, { slot, toldAtMs, memory })
        return
      }
      const rows = view.rows.map((row) => ({
        ...row,
        details: row.details.map((each) =>
          'command' in each && each.by === undefined
            ? { ...each, command: nextWords({ command: each.command }, io) }
            : each,
        ),
      }))
      screen.show({ ...view, rows })
    },
  }
}

const CHANGES: Readonly<Record<WatchEvent['change'], string>> = {
  fired: 'fired',
  repeated: 'repeated',
  worse: 'worse',
  cleared: 'cleared',
}
const SEVERITIES: Readonly<Record<WatchEvent['severity'], string>> = {
  info: 'info',
  warning: 'warning',
  critical: 'critical',
}

function eventLines({ atMs, change, severity, title, what, next }: WatchEvent): string[] {
  const how = CHANGES[change]
  return [
    `${timeText(atMs)} ${change === 'cleared' ? how : `${SEVERITIES[severity]} ${how}`}: ${title} ${what}`,
    ...(next === undefined ? [] : [`  next: ${next}`]),
  ]
}

/** A time as people read it in a log, to the second. */
function timeText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** What a watch says beside its alarms: on its table while that stands, which it would tear, else as errors are told. */
type WatchNotes = {
  say(text: string): void
  /** Where notes go from now on; undefined: as errors are told. */
  showOn(screen: Pick<WatchScreen, 'note'> | undefined): void
}

/** Notes of a watch whose table is not open yet. */
export function openNotes({ err }: Pick<CommandIo, 'err'>): WatchNotes {
  let table: Pick<WatchScreen, 'note'> | undefined
  return {
    say: (text) => (table === undefined ? err(text) : table.note(text)),
    showOn: (screen) => {
      table = screen
    },
  }
}

/** Writes the memory; a disk that does not take it is said once, and ends nothing: an alarm may be under way. */
function keeper(file: WatchFile, say: (sentence: string) => void): WatchFile['write'] {
  let isLost = false
  return async (memory, options) => {
    try {
      await file.write(memory, options)
      if (isLost) say(SENTENCES.keptAgain())
      isLost = false
    } catch (thrown) {
      if (!(thrown instanceof BaseError)) throw thrown
      if (!isLost) say(SENTENCES.notKept(reasonOf(thrown)))
      isLost = true
    }
  }
}

const reasonOf = ({ cause, shortMessage }: BaseError) =>
  cause instanceof BaseError ? cause.shortMessage : shortMessage
