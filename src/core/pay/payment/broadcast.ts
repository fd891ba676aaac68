import { holdsStill } from '../gate/holds-still.ts'
import { broadcastTo, bytesToBroadcast, timesSent } from './candidates.ts'
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
      memory?: Partial<RoundMemory>
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
      memory: RoundMemory
      status?: PaymentStatus
      events: readonly PaymentBody[]
      broadcasts: readonly Broadcast[]
    }

/**
 * The same bytes to each endpoint that was not given them a moment ago. A line is in the journal before the first time
 * that an endpoint gets any bytes, then before the second, fourth, eighth … attempt: an endpoint that never takes them
 * must not fill the journal. A cancellation is never held back, and after the word that agrees to one nothing else leaves.
 */
export function broadcastNewest(s: PaymentPicture, broadcast: BroadcastTargets | undefined): BroadcastPlan {
  const { state, payment, round, limits, memory } = s
  const nothing = { memory, events: [], broadcasts: [] }
  const bytes = bytesToBroadcast(state)
  if (bytes === undefined || broadcast === undefined) return nothing
  const placeOf = (endpoint: string) => `${endpoint} ${bytes.hash}`
  const isDue = (endpoint: string) => {
    const atMs = memory.broadcastAtMs[placeOf(endpoint)]
    return atMs === undefined || round.atMs - atMs >= limits.betweenAttempts * round.slotMs
  }
  const due = broadcast.to.filter(isDue)
  if (due.length === 0) return nothing
  let { recheckedAtMs } = memory
  if (bytes.kind !== 'cancellation') {
    if (payment.heldBack !== undefined) return nothing
    const isFirst = !round.byEndpoint.some(
      ({ endpoint }) => (broadcastTo(state, endpoint, bytes.hash)?.times ?? 0) > 0,
    )
    const check = holdsStill(s, { isFirst })
    if ('wants' in check) return check
    if (check.is !== 'holds') {
      const isBad = check.is === 'bad'
      const status: PaymentStatus = { is: isBad ? 'held-back' : 'world-unknown', why: check.why }
      const isHeld = isBad && broadcast.lagging !== true && payment.included === undefined
      return { ...nothing, status, events: isHeld ? [{ type: 'held-back', reason: check.why }] : [] }
    }
    recheckedAtMs = check.recheckedAtMs
  }
  const broadcasts = due.map((endpoint, at) => ({ endpoint, bytes, attempt: payment.attempts + 1 + at }))
  const events = broadcasts.map(({ endpoint, attempt }): PaymentBody => {
    const isNew = memory.broadcastAtMs[placeOf(endpoint)] === undefined
    const type = isNew || Number.isInteger(Math.log2(attempt)) ? 'handed-over' : 'handed-again'
    return { type, attempt, endpoint }
  })
  const now = Object.fromEntries(due.map((endpoint) => [placeOf(endpoint), round.atMs]))
  const isUnsent = timesSent(state) === 0
  const since = isUnsent ? { ...memory.since, waiting: round.atMs } : memory.since
  const isStuck = memory.isStuck && !isUnsent
  const given = {
    ...memory,
    since,
    isStuck,
    recheckedAtMs,
    broadcastAtMs: { ...memory.broadcastAtMs, ...now },
  }
  return { memory: given, status: { is: 'handed-over' }, events, broadcasts }
}

/**
 * What is exported may be shown as long as there is no deposit for the key since it was made, no pool has its nonce, and
 * what was agreed to holds; a cancellation always. While that is not known, what is shown stays.
 */
export function shown(s: PaymentPicture): RowResult {
  const { payment, memory, round, byEach, nonces } = s
  const { draft, replacement, heldBack } = payment
  if (byEach === undefined) return { wants: 'deposits' }
  const made = byEach.flat()
  if (made.some((one) => isBy(one, draft)) || isBeforeSent(s)) return { status: { is: 'looking' } }
  const [other] = made
  // A cancellation makes sure that ours does not count beside it.
  if (other !== undefined && replacement?.kind !== 'cancellation')
    return {
      status: { is: 'other-deposit' },
      memory: { shown: undefined, otherDeposit: { hash: other.hash } },
    }
  let { recheckedAtMs } = memory
  if (replacement?.kind !== 'cancellation') {
    if (heldBack !== undefined)
      return { status: { is: 'held-back', why: heldBack }, memory: { shown: undefined } }
    const check = holdsStill(s, { isFirst: false })
    if ('wants' in check) return check
    if (check.is === 'bad') {
      const status: PaymentStatus = { is: 'held-back', why: check.why }
      return { status, memory: { shown: undefined }, events: [{ type: 'held-back', reason: check.why }] }
    }
    if (check.is === 'unknown' && memory.shown === undefined)
      return { status: { is: 'world-unknown', why: check.why } }
    if (check.is === 'holds') ({ recheckedAtMs } = check)
  }
  const status: PaymentStatus = { is: draft.signer === 'contract' ? 'not-there' : 'unused' }
  if (memory.shown !== undefined) return { status, memory: { recheckedAtMs, gapFrom: undefined } }
  const { toExport } = round
  if (toExport === undefined) return { wants: 'toExport' }
  if (!toExport.accountHeld) return { status: { is: 'in-use' } }
  const isTaken = nonces.some(({ pending }) => pending > draft.transaction.nonce)
  if (payment.phase === 'exported' && isTaken) return { status: { is: 'in-pool' } }
  if (byEach.length < round.byEndpoint.length) return { status: { is: 'deposits-unknown' } }
  const { digest } = toExport
  return { status, memory: { recheckedAtMs, gapFrom: undefined, shown: { digest }, otherDeposit: undefined } }
}

/** Whether an endpoint is behind the block at which the payment was seen to be sent when its draft was made. */
function isBeforeSent({ payment, replies }: PaymentPicture): boolean {
  const { seenSentAt } = payment.draft.baseline
  return seenSentAt !== undefined && replies.some(({ head }) => head === undefined || head < seenSentAt)
}
