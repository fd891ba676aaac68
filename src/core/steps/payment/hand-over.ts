import type { Judgement } from '../gate/rules.ts'
import { type Fate, fateOfAbandoned } from './abandoned.ts'
import { handedTo, newestBytes, timesSent } from './candidates.ts'
import type { DurableBody, PaymentBody } from './payment.ts'
import { type Giving, isBy, type Part } from './round.ts'
import type { Sight } from './sight.ts'
import type { Told, Watch } from './watch.ts'

/** To whom the newest bytes are to be given. `lagging`: another endpoint has them in a block, or a used nonce. */
export type Give = { to: readonly string[]; lagging?: true }

/** What a row of the table says; `by` is the endpoint that told it. */
export type Result =
  | { wants: Part }
  | { told?: Told; by?: string; watch?: Partial<Watch>; events?: readonly DurableBody[]; give?: Give }

/** Whether what was agreed to holds. While it is unknown the bytes stay, and it is asked again. */
type World = { is: 'holds'; worldAtMs: number } | { is: 'unknown' | 'bad'; why: string } | { wants: Part }

type Given =
  | { wants: Part }
  | { watch: Watch; told?: Told; events: readonly PaymentBody[]; givings: readonly Giving[] }

/**
 * Whether a payment may leave, or be exported: what was agreed to must hold in the moment before its first byte leaves,
 * after every start, and every ten slots. Where something is bad it is bad, whatever else is unknown.
 */
function holdsStill(s: Sight, { isFirst }: { isFirst: boolean }): World {
  const { state, payment, round, watch, limits, silent, answers } = s
  const { worldAtMs } = watch
  if (payment.draft.agreement.world === undefined) return { is: 'bad', why: WITHOUT_WORLD }
  if (!isFirst && worldAtMs !== undefined && round.atMs - worldAtMs < limits.look * round.slotMs)
    return { is: 'holds', worldAtMs }
  const [gone] = silent
  const { gateOpenAtMs } = round
  const isExcused = gateOpenAtMs !== undefined && round.atMs - gateOpenAtMs <= limits.gateHoldsMs
  if (gone !== undefined && !isExcused) return { is: 'unknown', why: `${gone.endpoint} must answer` }
  if (state.abandoned.length > 0 && answers.some(({ deposits }) => deposits === undefined))
    return { wants: 'deposits' }
  if (round.world === undefined) return { wants: 'world' }
  const fate = FATES[fateOfAbandoned(state, answers).is]
  const bad = [fate, ...round.world].find((one) => one !== undefined && !one.good && one.unknown !== true)
  if (bad !== undefined) return { is: 'bad', why: bad.words }
  const open = [fate, inPools(s), ...round.world].find((one) => one !== undefined && !one.good)
  return open === undefined ? { is: 'holds', worldAtMs: round.atMs } : { is: 'unknown', why: open.words }
}

const WITHOUT_WORLD =
  'it was agreed to in an earlier version of this program, which did not write down for which validator'

const FATES: Readonly<Record<Fate['is'], Judgement | undefined>> = {
  unused: undefined,
  sent: { good: false, words: 'what you abandoned before was sent after all' },
  'may-be-sent': { good: false, unknown: true, words: 'what you abandoned before may have been sent' },
  unknown: { good: false, unknown: true, words: 'it is not known what became of what you abandoned' },
}

/** Whether a pool holds the nonce; once ours may be there, that tells nothing any more. */
function inPools({ payment, state, nonces, isKnown }: Sight): Judgement | undefined {
  const { nonce } = payment.draft.transaction
  if (timesSent(state) > 0 || isKnown || nonces.every(({ pending }) => pending <= nonce)) return undefined
  const words = `a pool holds another transaction with nonce ${nonce}`
  return { good: false, unknown: true, words }
}

/**
 * The same bytes to each endpoint that was not given them a moment ago. A line is in the journal before the first time
 * that an endpoint gets any bytes, then before the second, fourth, eighth … attempt: an endpoint that never takes them
 * must not fill the journal. A cancellation is never held back.
 */
export function giveOut(s: Sight, give: Give | undefined): Given {
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
  let { worldAtMs } = watch
  if (bytes.kind !== 'cancellation') {
    if (payment.heldBack !== undefined) return nothing
    const isFirst = !round.said.some(
      ({ endpoint }) => (handedTo(state, endpoint, bytes.hash)?.times ?? 0) > 0,
    )
    const world = holdsStill(s, { isFirst })
    if ('wants' in world) return world
    if (world.is !== 'holds') {
      const isBad = world.is === 'bad'
      const told: Told = { is: isBad ? 'held-back' : 'world-unknown', why: world.why }
      const isHeld = isBad && give.lagging !== true && payment.included === undefined
      return { ...nothing, told, events: isHeld ? [{ type: 'held-back', reason: world.why }] : [] }
    }
    worldAtMs = world.worldAtMs
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
  const given = { ...watch, since, isStuck, worldAtMs, givenAtMs: { ...watch.givenAtMs, ...now } }
  return { watch: given, told: { is: 'handed-over' }, events, givings }
}

/**
 * What is exported may be shown as long as there is no deposit for the key since it was made, no pool has its nonce, and
 * what was agreed to holds; a cancellation always. While that is not known, what is shown stays.
 */
export function shown(s: Sight): Result {
  const { payment, watch, round, byEach, nonces } = s
  const { draft, replacement, heldBack } = payment
  if (byEach === undefined) return { wants: 'deposits' }
  const made = byEach.flat()
  if (made.some((one) => isBy(one, draft))) return { told: { is: 'looking' } }
  const [other] = made
  // A cancellation makes sure that ours does not count beside it.
  if (other !== undefined && replacement?.kind !== 'cancellation')
    return { told: { is: 'other-deposit' }, watch: { shown: undefined, otherDeposit: { hash: other.hash } } }
  let { worldAtMs } = watch
  if (replacement?.kind !== 'cancellation') {
    if (heldBack !== undefined)
      return { told: { is: 'held-back', why: heldBack }, watch: { shown: undefined } }
    const world = holdsStill(s, { isFirst: false })
    if ('wants' in world) return world
    if (world.is === 'bad') {
      const told: Told = { is: 'held-back', why: world.why }
      return { told, watch: { shown: undefined }, events: [{ type: 'held-back', reason: world.why }] }
    }
    if (world.is === 'unknown' && watch.shown === undefined)
      return { told: { is: 'world-unknown', why: world.why } }
    if (world.is === 'holds') ({ worldAtMs } = world)
  }
  const told: Told = { is: draft.signer === 'contract' ? 'not-there' : 'unused' }
  if (watch.shown !== undefined) return { told, watch: { worldAtMs, gapFrom: undefined } }
  const { toExport } = round
  if (toExport === undefined) return { wants: 'toExport' }
  if (!toExport.accountHeld) return { told: { is: 'in-use' } }
  const isTaken = nonces.some(({ pending }) => pending > draft.transaction.nonce)
  if (payment.phase === 'exported' && isTaken) return { told: { is: 'in-pool' } }
  if (byEach.length < round.said.length) return { told: { is: 'deposits-unknown' } }
  const { digest } = toExport
  return { told, watch: { worldAtMs, gapFrom: undefined, shown: { digest }, otherDeposit: undefined } }
}
