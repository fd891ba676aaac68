import { formatCount, formatDuration } from '../core/base/format/amount.ts'
import type { KnownHead } from '../core/observe/judge-heads.ts'
import type { Finding, WatchMemory } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type WatchContext } from '../core/observe/picture.ts'
import type { Words } from './words.ts'

/** Words of the alarm that an endpoint is left out because its head is far off. */
function endpointFarOff(
  { name, role }: KnownHead,
  { slot, newest, forMs }: { slot: bigint; newest: bigint | undefined; forMs: number },
): Words {
  const beside = newest === undefined ? '' : `, the head that counts is ${formatCount(newest)}`
  return {
    title: `${name} is left out: its head is far off for ${formatDuration(forMs)}.`,
    what: `This ${ROLE_NAMES[role]} endpoint is at ${formatCount(slot)}${beside}. No second endpoint bears it out, so nothing that it says is used.`,
    next: 'Look whether its address is of this network. If your own node is the one that is behind, name a second endpoint of another host.',
  }
}

/** Words of the alarm that an endpoint of somebody else is left out because it gives no answer. */
function endpointSilent({ name, role, slot }: KnownHead, forMs: number): Words {
  const last =
    slot === undefined ? 'It has not answered yet.' : `Its last answer was block ${formatCount(slot)}.`
  return {
    title: `${name} is left out: it has not answered for ${formatDuration(forMs)}.`,
    what: `${last} This ${ROLE_NAMES[role]} endpoint proves and witnesses nothing. Bearings continues with the others.`,
    next: REPLACE_IT,
  }
}

/** Words of the alarm that an endpoint of somebody else is left out because its answers come too late. */
function endpointIsLate({ name }: KnownHead, forMs: number): Words {
  return {
    title: `${name} is left out: its answers have come too late for ${formatDuration(forMs)}.`,
    what: 'It takes longer than its share of each look at the validator set. Bearings continues with the other endpoints.',
    next: REPLACE_IT,
  }
}

const REPLACE_IT = 'Check its address, or name another endpoint in its place.'

/** Words of the end of that alarm. */
export function endpointNear({ name }: KnownHead): Words {
  return { title: `${name} counts again.`, what: 'Its head fits the others, and it answers in time.' }
}

/** Returns the own node shows no new block, and one that is left out names a further one. */
export function noNewBlockBeside(
  slot: bigint,
  forMs: number,
  further: { name: string; block: bigint },
): Words {
  return {
    title: `Your node shows no new block for ${formatDuration(forMs)}.`,
    what: `The newest is of slot ${formatCount(slot)}. Whether the chain goes on is not known: ${further.name} names block ${formatCount(further.block)}, and no second endpoint of another host bears that out.`,
    next: 'Look at a block explorer: if the chain goes on, restart the node. Name a second endpoint of another host, so that this can be told apart.',
  }
}

const ROLE_NAMES = { node: 'node API', execution: 'execution', engine: 'engine' } as const

/** An endpoint that was a little behind or late for a moment is not named. */
const SLOTS_TO_NAME = 30
/** Rounds may be an epoch apart: one that was late in a single one is not named. */
const ROUNDS_TO_NAME = 2
/** How an alarm of an endpoint that answers too late is told from that of a silent one. */
const IS_LATE = 1

/**
 * Finds the endpoints that are left out: their head fits neither the own endpoints nor a second one, or they are of somebody
 * else and give no answer, or none in time.
 */
export function farOffFindings(
  memory: WatchMemory,
  picture: NetworkPicture,
  { network }: Pick<WatchContext, 'network'>,
): Finding[] {
  const { atMs, late, heads } = picture
  const newest = headOf(picture)
  const isLong = (sinceMs: number) => atMs - sinceMs > SLOTS_TO_NAME * network.slotMs
  return heads.flatMap(({ role, name, place, slot, farOff }): Finding[] => {
    const known = memory.heads.find((head) => head.role === role && head.name === name)
    const shape = { alarm: 'endpoint-far-off', subject: `${role}/${name}` } as const
    const on = { ...shape, is: 'on', severity: 'warning', degree: [] } as const
    if (known === undefined) return []
    if (slot !== undefined) {
      const ofLate = role === 'execution' && typeof late === 'object' && late.name === name ? late : undefined
      if (ofLate !== undefined && ofLate.rounds >= ROUNDS_TO_NAME) {
        const words = endpointIsLate(known, atMs - ofLate.sinceMs)
        return isLong(ofLate.sinceMs) ? [{ ...on, degree: [IS_LATE], ...words }] : []
      }
      // That one was late is over once a set was read with it, and not for want of a look.
      const wasLate = memory.alarms.some(
        (one) => one.alarm === shape.alarm && one.subject === shape.subject && one.degree[0] === IS_LATE,
      )
      if (wasLate && (late === undefined || ofLate !== undefined)) return []
      return [{ ...shape, is: 'off', words: () => endpointNear(known) }]
    }
    if (farOff !== undefined) {
      const sinceMs = known.farOff?.sinceMs ?? atMs
      if (!isLong(sinceMs)) return []
      return [{ ...on, ...endpointFarOff(known, { slot: farOff, newest, forMs: atMs - sinceMs }) }]
    }
    // The own ones have alarms of their own, and where nobody answers, all have one.
    const isNamed = place > 0 && newest !== undefined && isLong(known.atMs)
    return isNamed ? [{ ...on, ...endpointSilent(known, atMs - known.atMs) }] : []
  })
}
