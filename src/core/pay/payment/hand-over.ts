import { holdsStill } from '../gate/holds-still.ts'
import { handedTo, newestBytes, timesSent } from './candidates.ts'
import type { DurableBody, PaymentBody, PaymentStatus, RoundMemory } from './payment.ts'
import { type Giving, isBy, type RoundPart } from './round.ts'
import type { Sight } from './sight.ts'

/** To whom the newest bytes are to be given. `lagging`: another endpoint has them in a block, or a used nonce. */
export type Give = { to: readonly string[]; lagging?: true }

/** What a row of the table says; `by` is the endpoint that told it. */
export type RowResult =
  | { wants: RoundPart }
  | {
      told?: PaymentStatus
      by?: string
      watch?: Partial<RoundMemory>
      events?: readonly DurableBody[]
      give?: Give
    }

type BroadcastPlan =
  | { wants: RoundPart }
  | { watch: RoundMemory; told?: PaymentStatus; events: readonly PaymentBody[]; givings: readonly Giving[] }

/**
 * The same bytes to each endpoint that was not given them a moment ago. A line is in the journal before the first time
 * that an endpoint gets any bytes, then before the second, fourth, eighth … attempt: an endpoint that never takes them
 * must not fill the journal. A cancellation is never held back.
 */
export function giveOut(s: Sight, give: Give | undefined): BroadcastPlan {
  const { state, payment, round, limits, watch } = s
  const nothing = { watch, events: [], givings: [] }
  const bytes = newestBytes(state)
  if (bytes === undefined || give === undefined) return nothing
  const placeOf = (endpoint: string) => `${endpoint} ${bytes.hash}`
  const isDue = (endpoint: string) => {
    const atMs = watch.givenAtMs[placeOf(endpoint)]
    return atMs === undefined || round.atMs - atMs >= limits.betweenAttempts * round.slotMs
  }
  const due = give.to.filter(isDue)
  if (due.length === 0) return nothing
  let { recheckedAtMs } = watch
  if (bytes.kind !== 'cancellation') {
    if (payment.heldBack !== undefined) return nothing
    const isFirst = !round.said.some(
      ({ endpoint }) => (handedTo(state, endpoint, bytes.hash)?.times ?? 0) > 0,
    )
    const world = holdsStill(s, { isFirst })
    if ('wants' in world) return world
    if (world.is !== 'holds') {
      const isBad = world.is === 'bad'
      const told: PaymentStatus = { is: isBad ? 'held-back' : 'world-unknown', why: world.why }
      const isHeld = isBad && give.lagging !== true && payment.included === undefined
      return { ...nothing, told, events: isHeld ? [{ type: 'held-back', reason: world.why }] : [] }
    }
    recheckedAtMs = world.recheckedAtMs
  }
  const givings = due.map((endpoint, at) => ({ endpoint, bytes, attempt: payment.attempts + 1 + at }))
  const events = givings.map(({ endpoint, attempt }): PaymentBody => {
    const isNew = watch.givenAtMs[placeOf(endpoint)] === undefined
    const type = isNew || Number.isInteger(Math.log2(attempt)) ? 'handed-over' : 'handed-again'
    return { type, attempt, endpoint }
  })
  const now = Object.fromEntries(due.map((endpoint) => [placeOf(endpoint), round.atMs]))
  const isUnsent = timesSent(state) === 0
  const since = isUnsent ? { ...watch.since, waiting: round.atMs } : watch.since
  const isStuck = watch.isStuck && !isUnsent
  const given = { ...watch, since, isStuck, recheckedAtMs, givenAtMs: { ...watch.givenAtMs, ...now } }
  return { watch: given, told: { is: 'handed-over' }, events, givings }
}

/**
 * What is exported may be shown as long as there is no deposit for the key since it was made, no pool has its nonce, and
 * what was agreed to holds; a cancellation always. While that is not known, what is shown stays.
 */
export function shown(s: Sight): RowResult {
  const { payment, watch, round, byEach, nonces } = s
  const { draft, replacement, heldBack } = payment
  if (byEach === undefined) return { wants: 'deposits' }
  const made = byEach.flat()
  if (made.some((one) => isBy(one, draft))) return { told: { is: 'looking' } }
  const [other] = made
  // A cancellation makes sure that ours does not count beside it.
  if (other !== undefined && replacement?.kind !== 'cancellation')
    return { told: { is: 'other-deposit' }, watch: { shown: undefined, otherDeposit: { hash: other.hash } } }
  let { recheckedAtMs } = watch
  if (replacement?.kind !== 'cancellation') {
    if (heldBack !== undefined)
      return { told: { is: 'held-back', why: heldBack }, watch: { shown: undefined } }
    const world = holdsStill(s, { isFirst: false })
    if ('wants' in world) return world
    if (world.is === 'bad') {
      const told: PaymentStatus = { is: 'held-back', why: world.why }
      return { told, watch: { shown: undefined }, events: [{ type: 'held-back', reason: world.why }] }
    }
    if (world.is === 'unknown' && watch.shown === undefined)
      return { told: { is: 'world-unknown', why: world.why } }
    if (world.is === 'holds') ({ recheckedAtMs } = world)
  }
  const told: PaymentStatus = { is: draft.signer === 'contract' ? 'not-there' : 'unused' }
  if (watch.shown !== undefined) return { told, watch: { recheckedAtMs, gapFrom: undefined } }
  const { toExport } = round
  if (toExport === undefined) return { wants: 'toExport' }
  if (!toExport.accountHeld) return { told: { is: 'in-use' } }
  const isTaken = nonces.some(({ pending }) => pending > draft.transaction.nonce)
  if (payment.phase === 'exported' && isTaken) return { told: { is: 'in-pool' } }
  if (byEach.length < round.said.length) return { told: { is: 'deposits-unknown' } }
  const { digest } = toExport
  return { told, watch: { recheckedAtMs, gapFrom: undefined, shown: { digest }, otherDeposit: undefined } }
}
