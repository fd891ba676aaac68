import { GWEI_PER_TOKEN } from '../core/base/format/amount.ts'
import { isActive } from '../core/chain/consensus/state.ts'
import { type Danger, dangerOf } from '../core/chain/key-state/ahead.ts'
import { isLost } from '../core/chain/key-state/own.ts'
import { MOST_SLOTS_APART, SLOTS_TO_STAND } from '../core/chain/network/network.ts'
import type { KnownHead } from '../core/observe/judge-heads.ts'
import type { Alarm, Finding } from '../core/observe/memory.ts'
import {
  type AheadPicture,
  besideGuard,
  headOf,
  type ValidatorPicture,
  type Watched,
} from '../core/observe/picture.ts'
import type { InDanger } from '../core/view/alarm-view.ts'
import type { About } from './endpoint-findings.ts'
import * as words from './words.ts'

type On = Extract<Finding, { is: 'on' }>

/**
 * Finds whether the rules send the validator away at a boundary ahead. The finding names an amount only before the
 * last block that counts; past the boundary only the own record decides, not a set that was read earlier.
 */
export function dropsOutFinding(watched: ValidatorPicture, about: About): Finding[] {
  const { pubkey, record, ahead } = watched
  const shape = { alarm: 'drops-out', subject: pubkey } as const
  const before = about.memory.alarms.find(({ alarm, subject }) => alarm === shape.alarm && subject === pubkey)
  if (record === undefined || record === 'absent') return aged(watched, before, about)
  // Nobody else's word about the record ends it.
  const isOwnWord = !about.picture.others?.includes('node')
  if (isLost(record))
    return isOwnWord ? [{ ...shape, is: 'off', words: () => words.placeIsLost(watched, record) }] : []
  const danger = ahead && dangerOf(ahead)
  const now = headOf(about.picture) ?? record.slot
  if (ahead !== undefined && danger !== undefined && boundaryOf(danger.outAtEpoch, about) > now)
    return [stillAhead(watched, { ahead, danger, now, before }, about)]
  // With no way left only the earliest epoch that was told is known.
  const [told] = before?.degree ?? []
  const earliest = ahead === undefined || told === undefined ? undefined : BigInt(-told)
  const toldEpoch = danger?.outAtEpoch ?? before?.until?.epoch ?? earliest
  const isPast = toldEpoch !== undefined && record.epoch >= toldEpoch
  const isOver = isOwnWord && isPast && isActive(record.validator, record.epoch)
  const isSure = danger === undefined && ahead?.isWhole === true && !ahead.isReported
  if (!isSure && !isOver) return aged(watched, before, about)
  return [{ ...shape, is: 'off', words: () => words.keepsPlace(watched, isSure ? ahead : undefined) }]
}

const boundaryOf = (epoch: bigint, { context }: About) => epoch * context.network.spec.slotsPerEpoch

/** It drops out at a boundary that is still to come, by the newest head that counts. */
function stillAhead(
  watched: ValidatorPicture,
  {
    ahead,
    danger,
    now,
    before,
  }: { ahead: AheadPicture; danger: Danger; now: bigint; before: Alarm | undefined },
  about: About,
): On {
  const { outAtEpoch, rescue } = danger
  const last = rescue?.lastGoodBlock
  const chain =
    last === undefined ? undefined : headFor({ epoch: outAtEpoch, slot: last }, before?.until, about)
  const atMs = chain?.atMs ?? about.picture.atMs
  // Between two heads time runs on: a block that may be past is named by nobody.
  const slot = last === undefined ? now : slotByTime({ epoch: outAtEpoch, slot: last, atMs }, about)
  const isLate = last !== undefined && last <= slot
  const guard = about.picture.guards?.find(({ pubkey }) => pubkey === watched.pubkey)
  const sent = besideGuard(danger, guard, { slot: ahead.slot, network: about.context.network })
  const degree = [
    -Number(outAtEpoch),
    rescue === undefined || isLate ? 1 : 0,
    rescue === undefined ? 0 : Number(rescue.leastTopUpGwei / GWEI_PER_TOKEN),
    // What asks for nothing is told again once it asks.
    sent.isEnough ? 0 : 1,
  ]
  const text = isLate
    ? lateWords(watched, { epoch: outAtEpoch, slot: last, atMs }, about)
    : words.dropsOut(watched, { ...sent, ahead, now: slot, atMs }, about)
  return { alarm: 'drops-out', subject: watched.pubkey, is: 'on', severity: 'critical', degree, ...text }
}

/** Past the last block by the head that counts it is too late; past it by slot time alone it may be. */
function lateWords(watched: Watched, until: NonNullable<Alarm['until']>, about: About) {
  const now = headOf(about.picture)
  const { epoch: outAtEpoch, slot: lastGoodBlock } = until
  return now !== undefined && now < lastGoodBlock
    ? { ...words.helpNotKnown(watched, { lastGoodBlock, head: now }), until }
    : { ...words.tooLate(watched, { outAtEpoch, lastGoodBlock, now }, about) }
}

/** The alarm that stands, of which nothing new is known: past its last block it does not say any more that paying helps. */
function aged(watched: ValidatorPicture, before: Alarm | undefined, about: About): On[] {
  const { until, degree = [] } = before ?? {}
  if (until === undefined) return []
  const { atMs } = about.picture
  const head = headOf(about.picture)
  // While nobody tells the head, the time that was worked out for it counts.
  if (slotByTime(until, about) < until.slot) return []
  const boundary = boundaryOf(until.epoch, about)
  const slotMs = about.context.network.slotMs
  const isPast =
    head === undefined ? until.atMs + Number(boundary - until.slot) * slotMs <= atMs : boundary <= head
  const text = isPast
    ? words.placeNotKnown(watched, { outAtEpoch: until.epoch, readSlot: watched.ahead?.slot })
    : lateWords(watched, until, about)
  const [epoch = 0, , amount = 0] = degree
  const shape = { alarm: 'drops-out', subject: watched.pubkey, is: 'on', severity: 'critical' } as const
  return [{ ...shape, degree: [epoch, 1, amount], ...text, until }]
}

/**
 * What stands of a validator that drops out, after a look, for whoever says it in words of their own; undefined where no
 * last block was told. Where time is past it while the own head may only be late, whether paying helps is not known.
 */
export function inDanger(watched: Watched, about: About): InDanger | undefined {
  const alarm = about.memory.alarms.find(
    (each) => each.alarm === 'drops-out' && each.subject === watched.pubkey,
  )
  if (alarm?.until === undefined) return undefined
  const { until, nextIs, title, what, next } = alarm
  const now = slotByTime(until, about)
  const standing = { epoch: until.epoch, now }
  if (nextIs !== 'command')
    return { ...standing, instead: { title, what, ...(next !== undefined && { next }) } }
  return { ...standing, instead: now < until.slot ? undefined : lateWords(watched, until, about) }
}

/** A block that counts last for an epoch. */
type Deadline = { epoch: bigint; slot: bigint }

/**
 * The slot that the chain is at for a deadline, and when the deadline is (Unix milliseconds): `slot` by the head that
 * counts, `atMs` by the moment in which that head was new. While the head may be older than it seems (it stands still and nobody
 * else stands there, somebody is further, or the engine catches up) slot time says how far the chain is, and no look gives
 * a deadline that was told before its time back. Undefined where nobody tells the head.
 */
function headFor(
  deadline: Deadline,
  before: Alarm['until'],
  about: About,
): { slot: bigint; atMs: number } | undefined {
  const head = headOf(about.picture)
  if (head === undefined) return undefined
  const { slotMs } = about.context.network
  const nowMs = about.picture.atMs
  const sinceMs = Math.min(nowMs, ...leadersOf(about, head).map((known) => known.sinceMs))
  const byHeadMs = sinceMs + Number(deadline.slot - head) * slotMs
  if (isHalted(about, head)) return { slot: head, atMs: nowMs + Number(deadline.slot - head) * slotMs }
  const isSame = before?.epoch === deadline.epoch && before.slot === deadline.slot
  const isOld =
    nowMs - sinceMs > SLOTS_TO_STAND * slotMs || isFurther(about, head) || about.picture.node?.catchesUp
  if (isOld !== true) return { slot: head, atMs: byHeadMs }
  const atMs = isSame ? Math.min(before.atMs, byHeadMs) : byHeadMs
  const byTime = deadline.slot - BigInt(Math.floor((atMs - nowMs) / slotMs))
  return { slot: byTime > head ? byTime : head, atMs }
}

/** The slot that the chain is at by the time that runs on between two heads; never behind the one that counts. */
function slotByTime(deadline: NonNullable<Alarm['until']>, about: About): bigint {
  const chain = headFor(deadline, deadline, about)
  const leftMs = (chain?.atMs ?? deadline.atMs) - about.picture.atMs
  const byTime = deadline.slot - BigInt(Math.floor(leftMs / about.context.network.slotMs))
  return chain !== undefined && chain.slot > byTime ? chain.slot : byTime
}

/** Who has answered in this look with the newest head that counts. */
function leadersOf({ memory, picture }: About, head: bigint): readonly KnownHead[] {
  const has = ({ name, role }: KnownHead) =>
    picture.heads.some((reply) => reply.name === name && reply.role === role && reply.slot === head)
  return memory.heads.filter(has)
}

/** Whether somebody, who may be left out, names a block that the head is far behind of. */
function isFurther({ picture }: About, head: bigint): boolean {
  return picture.heads.some(({ farOff }) => farOff !== undefined && farOff > head + MOST_SLOTS_APART)
}

/** Whether the chain itself makes no block: somebody else is where the own node is, and nobody is further. */
function isHalted(about: About, head: bigint): boolean {
  const { picture, context } = about
  const standMs = SLOTS_TO_STAND * context.network.slotMs
  const isThere = picture.heads.some(
    ({ place, slot }) => place > 0 && slot !== undefined && slot + MOST_SLOTS_APART >= head,
  )
  const stand = leadersOf(about, head).every(({ sinceMs }) => picture.atMs - sinceMs > standMs)
  return isThere && stand && !isFurther(about, head)
}
