import { holdsStill } from '../gate/holds-still.ts'
import { broadcastTo, newestBytes, timesSent } from './candidates.ts'
import type { DurableBody, PaymentBody, PaymentStatus, RoundMemory } from './payment.ts'
import { heldFor, laggards, type PaymentPicture } from './payment-picture.ts'
import { type Broadcast, isBy, type RoundPart } from './round.ts'

/** To whom the newest bytes are to be given. `lagging`: another endpoint has them in a block, or a used nonce. */
export type BroadcastTargets = { to: readonly string[]; lagging?: true }

/** What a row of the table says; `by` is the endpoint that told it. */
export type RowResult =
  | { wants: RoundPart }
  | {
      status?: PaymentStatus
      by?: string
      watch?: Partial<RoundMemory>
      events?: readonly DurableBody[]
      broadcast?: BroadcastTargets
    }

/** The endpoints that lack for longer what another one has: these get the bytes. */
export const late = (s: PaymentPicture): BroadcastTargets => ({
  to: heldFor(s, 'lagging', s.limits.lag) ? laggards(s) : [],
  lagging: true,
})

type BroadcastPlan =
  | { wants: RoundPart }
  | {
      watch: RoundMemory
      status?: PaymentStatus
      events: readonly PaymentBody[]
      broadcasts: readonly Broadcast[]
    }

/**
 * The same bytes to each endpoint that was not given them a moment ago. A line is in the journal before the first time
 * that an endpoint gets any bytes, then before the second, fourth, eighth … attempt: an endpoint that never takes them
 * must not fill the journal. A cancellation is never held back.
 */
export function broadcastNewest(s: PaymentPicture, broadcast: BroadcastTargets | undefined): BroadcastPlan {
  const { state, payment, round, limits, watch } = s
  const nothing = { watch, events: [], broadcasts: [] }
  const bytes = newestBytes(state)
  if (bytes === undefined || broadcast === undefined) return nothing
  const placeOf = (endpoint: string) => `${endpoint} ${bytes.hash}`
  const isDue = (endpoint: string) => {
    const atMs = watch.broadcastAtMs[placeOf(endpoint)]
    return atMs === undefined || round.atMs - atMs >= limits.betweenAttempts * round.slotMs
  }
  const due = broadcast.to.filter(isDue)
  if (due.length === 0) return nothing
  let { recheckedAtMs } = watch
  if (bytes.kind !== 'cancellation') {
    if (payment.heldBack !== undefined) return nothing
    const isFirst = !round.byEndpoint.some(
      ({ endpoint }) => (broadcastTo(state, endpoint, bytes.hash)?.times ?? 0) > 0,
    )
    const world = holdsStill(s, { isFirst })
    if ('wants' in world) return world
    if (world.is !== 'holds') {
      const isBad = world.is === 'bad'
      const status: PaymentStatus = { is: isBad ? 'held-back' : 'world-unknown', why: world.why }
      const isHeld = isBad && broadcast.lagging !== true && payment.included === undefined
      return { ...nothing, status, events: isHeld ? [{ type: 'held-back', reason: world.why }] : [] }
    }
    recheckedAtMs = world.recheckedAtMs
  }
  const broadcasts = due.map((endpoint, at) => ({ endpoint, bytes, attempt: payment.attempts + 1 + at }))
  const events = broadcasts.map(({ endpoint, attempt }): PaymentBody => {
    const isNew = watch.broadcastAtMs[placeOf(endpoint)] === undefined
    const type = isNew || Number.isInteger(Math.log2(attempt)) ? 'handed-over' : 'handed-again'
    return { type, attempt, endpoint }
  })
  const now = Object.fromEntries(due.map((endpoint) => [placeOf(endpoint), round.atMs]))
  const isUnsent = timesSent(state) === 0
  const since = isUnsent ? { ...watch.since, waiting: round.atMs } : watch.since
  const isStuck = watch.isStuck && !isUnsent
  const given = { ...watch, since, isStuck, recheckedAtMs, broadcastAtMs: { ...watch.broadcastAtMs, ...now } }
  return { watch: given, status: { is: 'handed-over' }, events, broadcasts }
}

/**
 * What is exported may be shown as long as there is no deposit for the key since it was made, no pool has its nonce, and
 * what was agreed to holds; a cancellation always. While that is not known, what is shown stays.
 */
export function shown(s: PaymentPicture): RowResult {
  const { payment, watch, round, byEach, nonces } = s
  const { draft, replacement, heldBack } = payment
  if (byEach === undefined) return { wants: 'deposits' }
  const made = byEach.flat()
  if (made.some((one) => isBy(one, draft))) return { status: { is: 'looking' } }
  const [other] = made
  // A cancellation makes sure that ours does not count beside it.
  if (other !== undefined && replacement?.kind !== 'cancellation')
    return {
      status: { is: 'other-deposit' },
      watch: { shown: undefined, otherDeposit: { hash: other.hash } },
    }
  let { recheckedAtMs } = watch
  if (replacement?.kind !== 'cancellation') {
    if (heldBack !== undefined)
      return { status: { is: 'held-back', why: heldBack }, watch: { shown: undefined } }
    const world = holdsStill(s, { isFirst: false })
    if ('wants' in world) return world
    if (world.is === 'bad') {
      const status: PaymentStatus = { is: 'held-back', why: world.why }
      return { status, watch: { shown: undefined }, events: [{ type: 'held-back', reason: world.why }] }
    }
    if (world.is === 'unknown' && watch.shown === undefined)
      return { status: { is: 'world-unknown', why: world.why } }
    if (world.is === 'holds') ({ recheckedAtMs } = world)
  }
  const status: PaymentStatus = { is: draft.signer === 'contract' ? 'not-there' : 'unused' }
  if (watch.shown !== undefined) return { status, watch: { recheckedAtMs, gapFrom: undefined } }
  const { toExport } = round
  if (toExport === undefined) return { wants: 'toExport' }
  if (!toExport.accountHeld) return { status: { is: 'in-use' } }
  const isTaken = nonces.some(({ pending }) => pending > draft.transaction.nonce)
  if (payment.phase === 'exported' && isTaken) return { status: { is: 'in-pool' } }
  if (byEach.length < round.byEndpoint.length) return { status: { is: 'deposits-unknown' } }
  const { digest } = toExport
  return { status, watch: { recheckedAtMs, gapFrom: undefined, shown: { digest }, otherDeposit: undefined } }
}
