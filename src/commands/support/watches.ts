import { BaseError } from '../../core/base/errors/base.ts'
import { record } from '../../core/base/format/decode.ts'
import type { Alarm, WatchMemory } from '../../core/observe/memory.ts'
import { ALARMS, SEVERITIES } from '../../core/view/alarm-event.ts'
import { anyMemory, readMemoryBy } from '../../watch/keep.ts'
import { decodeOutbox } from '../../watch/notify/outbox-file.ts'
import type { Call } from '../command.ts'
import { count, NONE, type ReportFacts, seconds, wordOf } from './closed.ts'
import { heldAt } from './journals.ts'
import { codeOf, networkWord } from './words.ts'

const alarmWord = wordOf(ALARMS)
const severity = wordOf(SEVERITIES)
const role = wordOf(['node', 'execution', 'engine'])
const keeper = wordOf(['watch', 'status-screen'])

/** A file with alarms: what a watch remembers, or the status screen of one validator. */
type Kept = { path: string; network: string; by: 'watch' | 'status-screen' }

/** The same memory lies in both files, in that of the status screen as a part. */
const inScreen = record({ memory: anyMemory })
const DECODERS = {
  watch: anyMemory,
  'status-screen': (value: unknown, path: string) => inScreen(value, path).memory,
} as const

/** Returns what the alarms of one file come to. Spans count back from its last look. */
export async function watchAt({ effects }: Call, { path, network, by }: Kept): Promise<ReportFacts> {
  const known = { network: networkWord(network), by: keeper(by), openElsewhere: await heldAt(path) }
  try {
    const text = await effects.store.readText(path)
    if (text === undefined) return { ...known, fault: NONE, ...NO_MEMORY }
    const memory = readMemoryBy(DECODERS[by], text, path)
    return { ...known, fault: NONE, ...memoryFacts(memory, effects.clock.nowMs()) }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { ...known, fault: codeOf(thrown), ...NO_MEMORY }
  }
}

const NO_MEMORY = { lookedSecondsAgo: NONE, told: NONE, validators: NONE, heads: [], alarms: [] }

function memoryFacts({ lookedMs, sequence, validators, heads, alarms }: WatchMemory, nowMs: number) {
  const since = (ms: number | undefined) => (ms === undefined ? NONE : seconds(lookedMs - ms))
  return {
    lookedSecondsAgo: lookedMs === 0 ? NONE : seconds(nowMs - lookedMs),
    told: count(sequence),
    validators: count(validators.length),
    heads: heads.map((head) => ({
      role: role(head.role),
      sameForSeconds: since(head.sinceMs),
      behindForSeconds: since(head.behindSinceMs),
      farOffForSeconds: since(head.farOff?.sinceMs),
    })),
    alarms: alarms.map(({ sinceMs, ...alarm }) => ({ ...alarmFacts(alarm), forSeconds: since(sinceMs) })),
  }
}

type ReportedAlarm = Pick<Alarm, 'alarm' | 'severity' | 'times' | 'spells' | 'acknowledged'>

function alarmFacts({ alarm, severity: how, times, spells = 1, acknowledged }: ReportedAlarm) {
  return {
    alarm: alarmWord(alarm),
    severity: severity(how),
    told: count(times),
    spells: count(spells),
    acknowledged,
  }
}

/** Returns what waits in an outbox, channel by channel, without their names. */
export async function outboxAt(
  { effects }: Call,
  { path, network }: Pick<Kept, 'path' | 'network'>,
): Promise<ReportFacts> {
  const known = { network: networkWord(network) }
  try {
    const text = await effects.store.readText(path)
    const queues = text === undefined ? [] : Object.values(decodeOutbox(text, path).queues)
    const channels = queues.map(({ waiting, held, dropped }) => ({
      waiting: count(waiting.length),
      held: count(held.length),
      dropped: count(dropped),
    }))
    return { ...known, fault: NONE, channels }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { ...known, fault: codeOf(thrown), channels: [] }
  }
}
