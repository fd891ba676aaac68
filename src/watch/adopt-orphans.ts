import type { Hex } from '../core/base/format/hex.ts'
import type { Alarm, WatchMemory } from '../core/observe/memory.ts'
import { ALARMS, type ToldAlarm } from '../core/view/alarm-event.ts'
import { firedBefore } from './words.ts'

/**
 * Adds the alarms that channels were told of and the memory doesn't hold: a process that ended between the two writes leaves
 * them. Each goes on under its id, so that whoever was told of it is told once, and hears its end.
 */
export function adoptOrphans(memory: WatchMemory, told: readonly ToldAlarm[]): WatchMemory {
  const lost = told.flatMap((one): Alarm[] => {
    const found = memory.alarms.some(({ id }) => id === one.id) ? undefined : alarmOf(one, memory.network)
    return found === undefined ? [] : [found]
  })
  const news = lost.filter(
    ({ alarm, subject }, at) =>
      !memory.alarms.some((each) => each.alarm === alarm && each.subject === subject) &&
      lost.findIndex((each) => each.alarm === alarm && each.subject === subject) === at,
  )
  return news.length === 0 ? memory : { ...memory, alarms: [...memory.alarms, ...news] }
}

/** Returns the alarm of an id: network, subject, kind, and when it began; undefined for an id of another network or program. */
function alarmOf({ id, severity, event }: ToldAlarm, network: string): Alarm | undefined {
  if (!id.startsWith(`${network}/`)) return undefined
  const parts = id.slice(network.length + 1).split('/')
  const [name, since = ''] = parts.slice(-2)
  const alarm = ALARMS.find((each) => each === name)
  const sinceMs = Date.parse(since)
  if (alarm === undefined || parts.length < 3 || Number.isNaN(sinceMs)) return undefined
  const subject = parts.slice(0, -2).join('/')
  const [pubkey] = /^0x[0-9a-f]{96}/.exec(subject) ?? []
  const validator = event?.validator ?? (pubkey === undefined ? undefined : { pubkey: pubkey as Hex })
  return {
    id,
    alarm,
    subject,
    ...(validator === undefined ? {} : { validator }),
    sinceMs,
    toldMs: event?.atMs ?? sinceMs,
    times: 1,
    severity,
    degree: [],
    acknowledged: false,
    ...(event === undefined ? firedBefore(alarm) : { title: event.title, what: event.what }),
    ...(event?.next === undefined ? {} : { next: event.next }),
    ...(event?.nextIs === undefined ? {} : { nextIs: event.nextIs }),
    ...(event?.until === undefined ? {} : { until: event.until }),
  }
}
