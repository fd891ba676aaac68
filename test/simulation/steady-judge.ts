import type { SimDisk } from './disk.ts'
import type { SeenEvent } from './event.ts'
import type { GuardJudge } from './guard-judge.ts'
import type { Objection } from './judge.ts'
import { type Network, type Role, URLS } from './network.ts'

const MINUTE_MS = 60_000
/** An answer that was on its way may still be told so long after its endpoint fell silent. */
const ON_ITS_WAY_MS = 20_000

/** Who sees what a watch tells, and objects where an alarm comes and goes without its cause. */
export type SteadyJudge = {
  /** A watch begins. */
  begins(who: string): void
  told(event: SeenEvent, who: string): void
  /** The service has taken an event. */
  arrived(event: SeenEvent): void
  /** A block was made. */
  look(): void
  /** Whether an alarm of a kind stands, by what was told. */
  stands(alarm: string): boolean
  /** The alarms that stand though nothing is wrong any more, by what was told and by what arrived. */
  standing(): readonly string[]
}

/** What the world is like now. */
export type Conditions = {
  nowMs(): number
  isSilent(role: Role | 'webhook'): boolean
  isDiskFull(): boolean
  /** Whether all endpoints show a chain that the validator set did not sign. */
  isForged(): boolean
}

/** What an alarm is about, without when it began. */
const aboutOf = ({ id }: Pick<SeenEvent, 'id'>): string => id.slice(0, id.lastIndexOf('/'))

export function createSteadyJudge({
  network,
  disk,
  ofGuard,
  object,
  conditions,
}: {
  network: Network
  disk: SimDisk
  ofGuard: Pick<GuardJudge, 'truthNow' | 'isLost' | 'isTaken' | 'isUsed'>
  object: (rule: Objection['rule'], words: string) => void
  conditions: Conditions
}): SteadyJudge {
  const silentSince = new Map<Role | 'webhook', number>()
  const fired = new Map<string, { atMs: number; who: string; id: string; blocks: number }>()
  const told = new Map<string, string>()
  const taken = new Map<string, string>()
  /** Alarms that a full disk did not keep: whoever was told of them may hear no end. */
  const excused = new Set<string>()
  let isSafeAt = -1
  let fullMs = Number.NEGATIVE_INFINITY

  const memory = () => {
    const path = disk.paths().find((each) => each.endsWith('/watch.json'))
    return path === undefined ? '' : (disk.textAt(path) ?? '')
  }
  const isSilent = (role: Role | 'webhook') => {
    const since = silentSince.get(role)
    return conditions.isSilent(role) && since !== undefined && conditions.nowMs() - since > ON_ITS_WAY_MS
  }

  /** Why the cause of an alarm holds all the same; undefined where it does not, or nobody here can say. */
  function causeOf({ alarm, id }: SeenEvent): string | undefined {
    const silent = (...roles: (Role | 'webhook')[]) =>
      roles.every(isSilent) ? `${roles.join(', ')} silent` : undefined
    const place = ofGuard.isLost()
    switch (alarm) {
      case 'node-silent':
      case 'guard-blind':
        return place && alarm === 'guard-blind' ? undefined : silent('node')
      case 'execution-silent':
        return id.includes('/logs/') ? undefined : silent('execution')
      case 'endpoints-silent':
        return silent('node', 'execution', 'second', 'engine')
      case 'endpoint-far-off':
        return id.includes(new URL(URLS.second).host) ? silent('second') : undefined
      case 'channel-failing':
        return silent('webhook')
      case 'chain-halted':
        return fired.get(aboutOf({ id }))?.blocks === network.blocks.length ? 'no block was made' : undefined
      case 'drops-out':
        return !place && isSafeAt < network.blocks.length - 4 && ofGuard.truthNow()?.needGwei !== undefined
          ? 'the danger holds'
          : undefined
      case 'chain-unsigned':
        return conditions.isForged() ? 'all endpoints show a chain that nobody signed' : undefined
      case 'guard-unproven':
        return place || ofGuard.isUsed() === true ? undefined : silent('execution', 'second')
      case 'guard-nonce':
        return !place && ofGuard.isTaken() ? 'the nonce is used by another transaction' : undefined
      case 'guard-sent':
        return !place && ofGuard.isUsed() !== true ? 'its nonce is not used' : undefined
      default:
        return undefined
    }
  }

  /** A memory that the disk did not take is none: the next watch finds what it finds. */
  const isForgotten = (about: string, who: string): boolean => {
    const before = fired.get(about)
    return before !== undefined && before.who !== who && excused.has(before.id)
  }

  return {
    begins(who) {
      const text = memory()
      for (const { id, who: by, atMs } of fired.values())
        if (by !== who && !text.includes(id) && (conditions.isDiskFull() || fullMs >= atMs)) excused.add(id)
      // What was saved and not printed before its process ended, the channels tell.
      for (const id of told.keys()) if (!text.includes(id)) told.delete(id)
    },
    told(event, who) {
      const { id, change } = event
      const about = aboutOf(event)
      // What is told beside a full disk isn't kept, though there may be room again before the next block.
      if (conditions.isDiskFull()) fullMs = conditions.nowMs()
      if (change === 'cleared') {
        told.delete(id)
        const why = causeOf(event)
        if (why !== undefined) object('alternates', `${event.alarm} ended while its cause holds: ${why}`)
        return
      }
      told.set(id, event.alarm)
      if (change !== 'fired') return
      const before = fired.get(about)
      const isAgain = before !== undefined && conditions.nowMs() - before.atMs < MINUTE_MS
      const isNewDanger = event.alarm === 'drops-out' && isSafeAt >= (before?.blocks ?? 0)
      if (isAgain && !isNewDanger && !isForgotten(about, who))
        object('alternates', `${about} fired twice in ${conditions.nowMs() - before.atMs} ms`)
      fired.set(about, { atMs: conditions.nowMs(), who, id, blocks: network.blocks.length })
    },
    arrived({ id, change, alarm }) {
      if (change === 'cleared') taken.delete(id)
      else taken.set(id, alarm)
    },
    look() {
      if (conditions.isDiskFull()) fullMs = conditions.nowMs()
      for (const role of [...(Object.keys(URLS) as Role[]), 'webhook' as const]) {
        if (!conditions.isSilent(role)) silentSince.delete(role)
        else if (!silentSince.has(role)) silentSince.set(role, conditions.nowMs())
      }
      if (ofGuard.truthNow()?.needGwei === undefined) isSafeAt = network.blocks.length
    },
    stands: (alarm) => [...told.values()].includes(alarm),
    standing() {
      const stays = new Set<string>([
        ...(ofGuard.isLost() ? ['dropped-out'] : []),
        ...(ofGuard.isTaken() && !ofGuard.isLost() ? ['guard-nonce'] : []),
      ])
      const open = [
        ...[...told].map(([id, alarm]) => ({ id, alarm, how: 'told' })),
        ...[...taken].map(([id, alarm]) => ({ id, alarm, how: 'delivered' })),
      ]
      return open
        .filter(({ id, alarm }) => !stays.has(alarm) && !excused.has(id))
        .map(({ id, how }) => `${id} (${how})`)
    },
  }
}
