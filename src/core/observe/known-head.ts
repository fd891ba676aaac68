import { MOST_SLOTS_APART } from '../chain/network/limits.ts'
import { patienceOf } from '../chain/network/standstill.ts'
import { type HeadPicture, headOf, type NetworkPicture } from './picture.ts'

/** The newest slot of an endpoint, since when it is that, and its last answer. */
export type KnownHead = {
  name: string
  role: HeadPicture['role']
  slot?: bigint
  sinceMs: number
  atMs: number
  /** Since when others are further by more than heads are ever apart. */
  behindSinceMs?: number
  /** Since when what it says does not count, and what it said last. */
  farOff?: { sinceMs: number; slot: bigint }
}

/**
 * Updates the known head of an endpoint. Silence, standstill and lag count from when somebody looked: after a gap they
 * begin anew, as after a long silence, which is most likely a restart.
 */
export function knownHead(
  heads: readonly KnownHead[],
  { name, role, slot, farOff }: HeadPicture,
  { picture, isGap, slotMs }: { picture: NetworkPicture; isGap: boolean; slotMs: number },
): KnownHead {
  const { atMs } = picture
  const before = heads.find((head) => head.name === name && head.role === role)
  const isNew = slot !== undefined && slot !== before?.slot
  const isBack = slot !== undefined && before !== undefined && atMs - before.atMs > patienceOf(slotMs)
  const sinceMs = before === undefined || isNew || isBack || isGap ? atMs : before.sinceMs
  const known = slot ?? before?.slot
  const newest = headOf(picture)
  const isBehind = slot !== undefined && newest !== undefined && newest > slot + MOST_SLOTS_APART
  // One that gives no answer is neither: it is as it was.
  const behind = slot === undefined ? before?.behindSinceMs : (before?.behindSinceMs ?? atMs)
  const behindSinceMs = slot === undefined || isBehind ? behind : undefined
  const farSinceMs = isGap ? atMs : (before?.farOff?.sinceMs ?? atMs)
  const stays = slot === undefined ? before?.farOff : undefined
  const far = farOff === undefined ? stays : { sinceMs: farSinceMs, slot: farOff }
  return {
    name,
    role,
    sinceMs,
    atMs: slot === undefined && before !== undefined && !isGap ? before.atMs : atMs,
    ...(known === undefined ? {} : { slot: known }),
    ...(behindSinceMs === undefined ? {} : { behindSinceMs: isGap ? atMs : behindSinceMs }),
    ...(far === undefined ? {} : { farOff: far }),
  }
}
