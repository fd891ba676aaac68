import { isActive } from '../consensus/active-set.ts'
import { FAR_FUTURE_EPOCH } from '../consensus/state.ts'
import { type KnownHead, type KnownValidator, knownOf, type WatchMemory } from './memory.ts'
import type { SeenHead, SeenValidator, Sighting, WatchContext } from './sighting.ts'

/** Blocks of which it is remembered whether they were signed. */
const SIGNED_KEPT = 100
/** A block that more than a third of the others missed as well says little of one validator. */
const SHARED_AT = 1 / 3
/** So many slots without a look: what was silent before may have answered in between. */
const GAP_SLOTS = 10
const DAY_MS = 24 * 3_600_000

/** What is known after a look, apart from its alarms. What was not seen stays as it was. */
export function rememberSighting(
  memory: WatchMemory,
  sighting: Sighting,
  { network }: Pick<WatchContext, 'network'>,
): WatchMemory {
  const isGap = Math.abs(sighting.atMs - memory.lookedMs) > GAP_SLOTS * network.slotMs
  const isWatched = sighting.validators.some(({ pubkey }) => pubkey === sighting.nodeKey)
  const nodeKey = isWatched ? sighting.nodeKey : memory.nodeKey
  const depositsTo = sighting.depositsTo ?? memory.depositsTo
  return {
    ...memory,
    lookedMs: sighting.atMs,
    heads: sighting.heads.map((head) => knownHead(memory, head, { atMs: sighting.atMs, isGap })),
    validators: sighting.validators.map((seen) => knownValidator(memory, seen, sighting.atMs)),
    ...(depositsTo === undefined ? {} : { depositsTo }),
    ...(nodeKey === undefined ? {} : { nodeKey }),
  }
}

/** Silence and stillness count from when somebody looked: after a gap they begin anew. */
function knownHead(
  { heads }: WatchMemory,
  { name, role, slot }: SeenHead,
  { atMs, isGap }: { atMs: number; isGap: boolean },
): KnownHead {
  const before = heads.find((head) => head.name === name && head.role === role)
  if (before === undefined)
    return { name, role, sinceMs: atMs, atMs, ...(slot === undefined ? {} : { slot }) }
  const isNew = slot !== undefined && slot !== before.slot
  const sinceMs = isNew || isGap ? atMs : before.sinceMs
  const known = slot ?? before.slot
  return {
    name,
    role,
    sinceMs,
    atMs: slot === undefined && !isGap ? before.atMs : atMs,
    ...(known === undefined ? {} : { slot: known }),
  }
}

function knownValidator(memory: WatchMemory, seen: SeenValidator, atMs: number): KnownValidator {
  const { pubkey, record, operator, signed = [] } = seen
  const before = knownOf(memory, pubkey)
  const own = record === 'absent' ? undefined : record
  const isIn = own !== undefined && isActive(own.validator, own.epoch)
  const leaves = own !== undefined && own.validator.exitEpoch !== FAR_FUTURE_EPOCH
  const isNews = signed.filter(({ height }) => before.signedTo === undefined || height > before.signedTo)
  const marks = isNews.map(({ signed: did, othersMissed, others }) => {
    if (did) return '1'
    return othersMissed > others * SHARED_AT ? 's' : '0'
  })
  const signedTo = isNews.at(-1)?.height ?? before.signedTo
  const changed = memory.alarms.find(
    ({ alarm, subject }) => alarm === 'operator-change' && subject === pubkey,
  )
  const isOld = changed !== undefined && atMs - changed.sinceMs > DAY_MS && operator?.queued === undefined
  const manager = isOld ? (operator?.operator ?? before.operator) : (before.operator ?? operator?.operator)
  return {
    pubkey,
    wasActive: before.wasActive || isIn,
    wasLeaving: before.wasLeaving || (isIn && leaves),
    ...(manager === undefined ? {} : { operator: manager }),
    signed: (before.signed + marks.join('')).slice(-SIGNED_KEPT),
    ...(signedTo === undefined ? {} : { signedTo }),
  }
}
