import type { CheckResult } from '../gate/facts.ts'
import { GATE_TEXT } from '../gate/text.ts'
import { type AbandonedFate, fateOfAbandoned } from './abandoned.ts'
import { broadcastTo, bytesToBroadcast, hashesOf, timesSent } from './candidates.ts'
import type { DurableBody, PaymentBody, PaymentStatus, RoundMemory } from './payment.ts'
import { heldFor, laggards, type PaymentPicture } from './payment-picture.ts'
import { type Broadcast, isBy, type RoundPart } from './round.ts'

/** Whether what was agreed to holds. While it is unknown the bytes stay, and it is asked again. */
type AgreementCheck =
  | { is: 'holds'; recheckedAtMs: number }
  | { is: 'unknown' | 'bad'; why: string }
  | { wants: RoundPart }

/**
 * Whether a payment may leave, or be exported: what was agreed to must hold in the moment before its first byte leaves,
 * after every start, and every ten slots. Between these, every endpoint must tell that no other deposit for the key came;
 * else it is all asked anew. Where something is bad it is bad, whatever else is unknown.
 */
function holdsStill(s: PaymentPicture, { isFirst }: { isFirst: boolean }): AgreementCheck {
  const { state, payment, round, memory, limits, silent, replies } = s
  const { recheckedAtMs } = memory
  if (payment.draft.agreement.world === undefined) return { is: 'bad', why: GATE_TEXT.held.olderVersion }
  const isRecent =
    !isFirst && recheckedAtMs !== undefined && round.atMs - recheckedAtMs < limits.look * round.slotMs
  const [gone] = silent
  const { gateOpenAtMs } = round
  const isExcused = gateOpenAtMs !== undefined && round.atMs - gateOpenAtMs <= limits.gateHoldsMs
  if (gone !== undefined && !isExcused) return { is: 'unknown', why: GATE_TEXT.held.silent(gone.endpoint) }
  if ((isRecent || state.abandoned.length > 0) && replies.some(({ deposits }) => deposits === undefined))
    return { wants: 'deposits' }
  if (isRecent && isAlone(s)) return { is: 'holds', recheckedAtMs }
  if (round.keyChecks === undefined) return { wants: 'keyChecks' }
  const fate = unusedAbandoned(fateOfAbandoned(state, replies))
  const bad = [fate, ...round.keyChecks].find((one) => one !== undefined && !one.good && one.unknown !== true)
  if (bad !== undefined) return { is: 'bad', why: bad.words }
  const open = [fate, inPools(s), ...round.keyChecks].find((one) => one !== undefined && !one.good)
  if (open === undefined) return { is: 'holds', recheckedAtMs: round.atMs }
  return { is: 'unknown', why: replies.find(({ unread }) => unread !== undefined)?.unread ?? open.words }
}

/** Whether every endpoint that answered tells that no deposit for the key came beside the payment since its draft. */
function isAlone({ state, payment, replies, byEach }: PaymentPicture): boolean {
  const { blockNumber } = payment.draft.baseline
  const own = hashesOf(state)
  const tells = replies.every(({ deposits, head }) => Array.isArray(deposits) && (head ?? -1n) >= blockNumber)
  return tells && byEach?.flat().every(({ hash }) => hash !== undefined && own.includes(hash)) === true
}

function unusedAbandoned({ is }: AbandonedFate): CheckResult | undefined {
  if (is === 'unused') return undefined
  const words = GATE_TEXT.held.abandoned[is]
  return is === 'sent' ? { good: false, words } : { good: false, unknown: true, words }
}

/** Whether a pool holds the nonce; once ours may be there, that tells nothing any more. */
function inPools({ payment, state, nonces, isKnown }: PaymentPicture): CheckResult | undefined {
  const { nonce } = payment.draft.transaction
  if (timesSent(state) > 0 || isKnown || nonces.every(({ pending }) => pending <= nonce)) return undefined
  return { good: false, unknown: true, words: GATE_TEXT.held.inPool(nonce) }
}

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
