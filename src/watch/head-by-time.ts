import { MOST_SLOTS_APART, SLOTS_TO_STAND } from '../core/chain/network/limits.ts'
import type { KnownHead } from '../core/observe/known-head.ts'
import type { Alarm } from '../core/observe/memory.ts'
import { headOf } from '../core/observe/picture.ts'
import type { About } from './endpoint-findings.ts'

/** A block that counts last for an epoch. */
type Deadline = { epoch: bigint; slot: bigint }

/**
 * The slot that the chain is at for a deadline, and when the deadline is (Unix milliseconds): `slot` by the head that
 * counts, `atMs` by the moment in which that head was new. While the head may be older than it seems (it stands still and nobody
 * else stands there, somebody is further, or the engine catches up) slot time says how far the chain is, and no look gives
 * a deadline that was told before its time back. Undefined where nobody tells the head.
 */
export function headFor(
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
export function slotByTime(deadline: NonNullable<Alarm['until']>, about: About): bigint {
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
