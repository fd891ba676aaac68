import type { Network } from '../network/network.ts'
import { MOST_SLOTS_APART } from '../network/standstill.ts'
import type { KnownHead } from './known-head.ts'
import type { SeenHead } from './sighting.ts'

/** A head at a time; by slot time it tells how far a chain can be later. */
type Mark = { slot: bigint; atMs: number }
type Answer = SeenHead & { slot: bigint }

/** Blocks may come somewhat faster than slots. */
const FASTEST = 1.25
/** Somebody else's endpoint that is further behind is asked for nothing. */
const MOST_SLOTS_BEHIND = 32n

/**
 * Says in each look which heads count. Those of the own endpoints do. One of somebody else counts beside them; further
 * ahead only where slot time allows it, and either a second one of another host says the same, or no own endpoint goes on.
 * Any other one is left out, with its slot in `farOff`. `known` are the heads of before a restart.
 */
export function createHeadJudge({ slotMs, clockIsWall, spec }: Network) {
  const genesis = clockIsWall ? { slot: 0n, atMs: Number(spec.genesisTimeSeconds) * 1000 } : undefined
  const mostAt = (mark: Mark | undefined, nowMs: number): bigint | undefined =>
    mark &&
    mark.slot + BigInt(Math.floor((Math.max(0, nowMs - mark.atMs) / slotMs) * FASTEST)) + MOST_SLOTS_APART
  /** The newest own head, and when it was new. */
  let last: Mark | undefined

  return (
    heads: readonly SeenHead[],
    { known, nowMs }: { known: readonly KnownHead[]; nowMs: number },
  ): SeenHead[] => {
    last ??= newestOf(known.filter((one) => heads.some((head) => isOwn(head) && isSame(head, one))))
    const answers = heads.filter((head): head is Answer => head.slot !== undefined)
    const mostByOwn = mostAt(last, nowMs)
    const own = ownAnswers(answers, mostByOwn)
    const newest = newestOf(own.map(({ slot }) => ({ slot, atMs: nowMs })))
    const before = last
    if (newest !== undefined && newest.slot !== last?.slot) last = newest
    const goesOn =
      newest !== undefined &&
      (newest.slot !== before?.slot || nowMs - before.atMs <= Number(MOST_SLOTS_APART) * slotMs)
    const counts = (one: Answer): boolean => {
      if (isOwn(one)) return own.includes(one)
      const least = newest ?? last
      if (least !== undefined && one.slot + MOST_SLOTS_BEHIND < least.slot) return false
      if (newest !== undefined && one.slot <= newest.slot + MOST_SLOTS_APART) return true
      if (answers.some((other) => isSecond(other, one))) return isWithin(one.slot, mostAt(genesis, nowMs))
      return !goesOn && isWithin(one.slot, mostByOwn ?? mostAt(genesis, nowMs))
    }
    const counted = new Set<SeenHead>(answers.filter(counts))
    return heads.map((one) => {
      const { slot, ...bare } = one
      return slot === undefined || counted.has(one) ? one : { ...bare, farOff: slot }
    })
  }
}

const isOwn = ({ place }: Pick<SeenHead, 'place'>) => place === 0
const isSame = (head: SeenHead, one: KnownHead) => head.role === one.role && head.name === one.name
const isWithin = (slot: bigint, most: bigint | undefined) => most === undefined || slot <= most

/** The own node is the one that the others of its computer are measured by, else its engine. */
const OWN_ORDER = ['node', 'engine', 'execution'] as const

function ownAnswers(answers: readonly Answer[], most: bigint | undefined): readonly Answer[] {
  const own = OWN_ORDER.flatMap((role) => answers.filter((one) => isOwn(one) && one.role === role))
  const [base] = own
  if (base === undefined) return []
  return own.filter(
    (one) =>
      one === base || one.slot <= base.slot + MOST_SLOTS_APART || (most !== undefined && one.slot <= most),
  )
}

/** Whether one of somebody else at another host is where this one is. */
function isSecond(other: Answer, one: Answer): boolean {
  const apart = other.slot > one.slot ? other.slot - one.slot : one.slot - other.slot
  return !isOwn(other) && hostOf(other) !== hostOf(one) && apart <= MOST_SLOTS_APART
}

const hostOf = ({ name }: SeenHead) => name.replace(/:\d+$/, '')

function newestOf(marks: readonly { slot?: bigint; atMs: number }[]): Mark | undefined {
  return marks.reduce<Mark | undefined>(
    (newest, { slot, atMs }) =>
      slot !== undefined && (newest === undefined || slot > newest.slot) ? { slot, atMs } : newest,
    undefined,
  )
}
