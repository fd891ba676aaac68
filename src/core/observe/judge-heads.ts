import { MOST_SLOTS_APART, type Network } from '../chain/network/network.ts'
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

/** A head at a time; by slot time it tells how far a chain can be later. */
type Mark = { slot: bigint; atMs: number }
type HeadReply = HeadPicture & { slot: bigint }

/** Blocks may come somewhat faster than slots; after a halt much faster, until the chain is back on its line. */
const FASTEST = 1.25
/** Somebody else's endpoint that is further behind is asked for nothing. */
const MOST_SLOTS_BEHIND = 32n

/**
 * Says in each look which heads count. Those of the own endpoints do. One of somebody else counts beside them; further
 * ahead only where slot time allows it, and either a second one of another host says the same, or no own endpoint goes on.
 * Slot time allows what is near the newest own head, and what is near the line on which the chain was before it halted.
 * Any other one is left out, with its slot in `farOff`. `known` are the heads of before a restart.
 */
export function createHeadJudge(network: Network) {
  const { clockIsWall, spec } = network
  const genesis = clockIsWall ? { slot: 0n, atMs: Number(spec.genesisTimeSeconds) * 1000 } : undefined
  const mostAt = (mark: Mark | undefined, nowMs: number, pace = FASTEST): bigint | undefined =>
    mark &&
    mark.slot +
      BigInt(Math.floor((Math.max(0, nowMs - mark.atMs) / network.slotMs) * pace)) +
      MOST_SLOTS_APART
  /** The newest own head, and when it was new. */
  let last: Mark | undefined
  const onTime = createOwnLine(network)

  return (
    heads: readonly HeadPicture[],
    { known, nowMs }: { known: readonly KnownHead[]; nowMs: number },
  ): HeadPicture[] => {
    const ownKnown = known.filter((one) => heads.some((head) => isOwn(head) && isSame(head, one)))
    last ??= newestOf(ownKnown)
    onTime.begin(
      newestOf(ownKnown.map(({ slot, sinceMs }) => ({ ...(slot !== undefined && { slot }), atMs: sinceMs }))),
    )
    const answers = heads.filter((head): head is HeadReply => head.slot !== undefined)
    const mostByOwn = greater(mostAt(last, nowMs), mostAt(onTime.line(), nowMs, 1))
    const own = ownAnswers(answers, mostByOwn)
    const [base] = own
    if (base !== undefined) onTime.see({ slot: base.slot, atMs: nowMs })
    const newest = newestOf(own.map(({ slot }) => ({ slot, atMs: nowMs })))
    const before = last
    if (newest !== undefined && newest.slot !== last?.slot) last = newest
    const goesOn =
      newest !== undefined &&
      (newest.slot !== before?.slot || nowMs - before.atMs <= Number(MOST_SLOTS_APART) * network.slotMs)
    const counts = (one: HeadReply): boolean => {
      if (isOwn(one)) return own.includes(one)
      const least = newest ?? last
      if (least !== undefined && one.slot + MOST_SLOTS_BEHIND < least.slot) return false
      if (newest !== undefined && one.slot <= newest.slot + MOST_SLOTS_APART) return true
      if (answers.some((other) => isSecond(other, one))) return isWithin(one.slot, mostAt(genesis, nowMs))
      return !goesOn && isWithin(one.slot, mostByOwn ?? mostAt(genesis, nowMs))
    }
    const counted = new Set<HeadPicture>(answers.filter(counts))
    return heads.map((one) => {
      const { slot, ...bare } = one
      return slot === undefined || counted.has(one) ? one : { ...bare, farOff: slot }
    })
  }
}

/**
 * The line on which the chain is when it makes a block in each slot: the own head that was furthest for its time. A halt
 * does not lower it. What one look alone says neither moves it ahead nor ends it: two in a row do, of which the one that moves it
 * less counts. It begins anew where the own head is back by more than heads are ever apart: it was wrong then, or is now.
 */
function createOwnLine(network: Network) {
  const aheadMs = ({ slot, atMs }: Mark) => Number(slot) * network.slotMs - atMs
  let before: Mark | undefined
  let line: Mark | undefined
  return {
    /** With what is known of before a restart, unless this run has seen the own head. */
    begin(known: Mark | undefined) {
      before ??= known
    },
    see(now: Mark) {
      if (before !== undefined) {
        const borneOut = aheadMs(now) < aheadMs(before) ? now : before
        const newest = now.slot > before.slot ? now.slot : before.slot
        const isBack = line !== undefined && newest + MOST_SLOTS_APART < line.slot
        if (line === undefined || isBack || aheadMs(borneOut) > aheadMs(line)) line = borneOut
      }
      before = now
    },
    line: () => line ?? before,
  }
}

const greater = (a: bigint | undefined, b: bigint | undefined) =>
  a === undefined || (b !== undefined && b > a) ? b : a

const isOwn = ({ place }: Pick<HeadPicture, 'place'>) => place === 0
const isSame = (head: HeadPicture, one: KnownHead) => head.role === one.role && head.name === one.name
const isWithin = (slot: bigint, most: bigint | undefined) => most === undefined || slot <= most

/** The own node is the one that the others of its computer are measured by, else its engine. */
const OWN_ORDER = ['node', 'engine', 'execution'] as const

function ownAnswers(answers: readonly HeadReply[], most: bigint | undefined): readonly HeadReply[] {
  const own = OWN_ORDER.flatMap((role) => answers.filter((one) => isOwn(one) && one.role === role))
  const [base] = own
  if (base === undefined) return []
  return own.filter(
    (one) =>
      one === base || one.slot <= base.slot + MOST_SLOTS_APART || (most !== undefined && one.slot <= most),
  )
}

/** Whether one of somebody else at another host is where this one is. */
function isSecond(other: HeadReply, one: HeadReply): boolean {
  const apart = other.slot > one.slot ? other.slot - one.slot : one.slot - other.slot
  return !isOwn(other) && hostOf(other) !== hostOf(one) && apart <= MOST_SLOTS_APART
}

const hostOf = ({ name }: HeadPicture) => name.replace(/:\d+$/, '')

function newestOf(marks: readonly { slot?: bigint; atMs: number }[]): Mark | undefined {
  return marks.reduce<Mark | undefined>(
    (newest, { slot, atMs }) =>
      slot !== undefined && (newest === undefined || slot > newest.slot) ? { slot, atMs } : newest,
    undefined,
  )
}
