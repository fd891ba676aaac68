import type { Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { endedOf, followedAnew, initialPayment, liveOf, newlyLive } from '../payment/candidates.ts'
import { paymentTransition } from '../payment/machine.ts'
import type { Candidate, Draft, DurableBody, PaymentBody, PaymentState } from '../payment/payment.ts'
import { asRemembered, resumePayment } from '../payment/remembered.ts'
import { type GuardTerms, ladderOf, type SignedMember } from './terms.ts'

/** For which boundary a rung is handed over, the last block in which it helps, and the proven block that decided it. */
export type GuardTarget = { outAtEpoch: bigint; lastBlock: bigint; provenBlock: bigint }

/** A guard, from its terms to the end of its nonce. */
export type GuardState = {
  terms: GuardTerms
  /** Hashes of the signed members, in their order; none while they are only exported. */
  hashes: readonly Hex[]
  /** The payment that a rung has become once it was handed over, with what takes its place. */
  send: PaymentState
  /** What the rung that was handed over last is for. */
  target: GuardTarget | undefined
  /** The nonce was used by something else, in a block that is final at every endpoint. */
  isVoid: boolean
  /** It never sends again, as its validator has left. Its signed bytes stay valid until its nonce is used. */
  isGivenUp: boolean
}

/** A member that is handed over, as the journal holds it before any byte leaves. `target` is none for a cancellation. */
type HandingBody = {
  type: 'handing'
  member: number
  raw: Hex
  hash: Hex
  target: GuardTarget | undefined
  baseline: Draft['baseline']
}

/** What a guard decides by itself. */
export type GuardBody =
  /** To be signed by an external signer: from now on the nonce is held. */
  | { type: 'exported'; terms: GuardTerms }
  | { type: 'armed'; terms: GuardTerms; hashes: readonly Hex[] }
  | HandingBody
  | { type: 'void' }
  /** Before anything was handed over. Another guard may be armed with the same nonce from then on. */
  | { type: 'given-up' }

/** What the chain makes of a member that was handed over. */
export type GuardPaymentBody = Extract<
  DurableBody,
  { type: 'handed-over' | 'found' | 'included' | 'orphaned' | 'ended' | 'contradicted' }
>

/** Everything that the journal of a guard holds. */
export type GuardEvent = GuardBody | GuardPaymentBody

const GUARD_PAYMENT: readonly string[] = [
  'handed-over',
  'found',
  'included',
  'orphaned',
  'ended',
  'contradicted',
] satisfies readonly GuardPaymentBody['type'][]

/** Whether an event of the payment belongs into the journal of its guard. */
export function isGuardPayment(body: PaymentBody): body is GuardPaymentBody {
  return GUARD_PAYMENT.includes(body.type)
}

/** A guard that nothing was handed over of. */
const begun = (terms: GuardTerms, hashes: readonly Hex[]): GuardState => ({
  terms,
  hashes,
  send: initialPayment,
  target: undefined,
  isVoid: false,
  isGivenUp: false,
})

/**
 * A guard after one event; undefined before the first. A member is handed over only while nothing of this nonce is in a
 * block, each one is dearer than those before it, and after the cancellation none is.
 */
export function guardTransition(
  state: GuardState | undefined,
  event: GuardEvent | PaymentBody,
): GuardState | undefined {
  const isGone = state === undefined || phaseOf(state) === 'given-up'
  if (event.type === 'exported') return isGone ? begun(event.terms, []) : state
  if (event.type === 'armed')
    return isGone || state.hashes.length === 0 ? begun(event.terms, event.hashes) : state
  if (state === undefined) return undefined
  if (event.type === 'handing') return mayHand(state, event.member) ? handed(state, event) : state
  const isUnsent = liveOf(state.send) === undefined
  if (event.type === 'void') return isUnsent ? { ...state, isVoid: true } : state
  if (event.type === 'given-up') return isUnsent ? { ...state, isGivenUp: true } : state
  const [send] = paymentTransition(state.send, { step: 'topup', ...event })
  return send === state.send ? state : { ...state, send }
}

/** Whether a member may be handed over after all that was. */
export function mayHand(state: GuardState, member: number): boolean {
  const { hashes, send, isVoid, isGivenUp } = state
  if (isVoid || isGivenUp || endedOf(send) !== undefined || hashes[member] === undefined) return false
  if (liveOf(send)?.included !== undefined) return false
  return member > (handedMember(state) ?? -1)
}

/** The place of the member, or of the rung alone, that was handed over last; undefined where none was. */
export function handedMember(
  { send, hashes }: Pick<GuardState, 'send' | 'hashes'>,
  { kind }: { kind?: 'rung' } = {},
): number | undefined {
  const candidates = 'candidates' in send.payment ? send.payment.candidates : []
  const places = candidates
    .map(({ hash }) => hashes.indexOf(hash))
    .filter((place) => place >= 0 && (kind === undefined || place < hashes.length - 1))
  return places.length === 0 ? undefined : Math.max(...places)
}

/** Whether the cancellation was handed over. */
export function isCancelling(state: GuardState): boolean {
  return handedMember(state) === state.hashes.length - 1
}

function handed(state: GuardState, event: HandingBody): GuardState {
  const { member, raw, hash, target, baseline } = event
  const members = ladderOf(state.terms)
  const made = members[member]
  const [least] = members
  if (made === undefined || least === undefined || state.hashes[member] !== hash) return state
  const live = liveOf(state.send)
  const isFirst = live === undefined && made.kind === 'rung'
  const kind = isFirst ? 'payment' : made.kind
  const candidate: Candidate = { kind, raw, hash, transaction: made.transaction }
  const draft = draftFor(state.terms, made.kind === 'rung' ? made.transaction : least.transaction, baseline)
  const before = live ?? newlyLive(draft)
  const payment = { ...before, phase: 'under-way', candidates: [...before.candidates, candidate] } as const
  return {
    ...state,
    send: followedAnew({ ...state.send, payment }),
    target: target ?? state.target,
  }
}

/** What the payment room is given of a guard: its terms are its own, and judged in the guard's tables. */
function draftFor(
  { from }: GuardTerms,
  transaction: SignedMember['transaction'],
  baseline: Draft['baseline'],
): Draft {
  const { to, valueWei, data, maxFeePerGasWei, gasLimit, nonce } = transaction
  const feeLimitWei: Wei = gasLimit * maxFeePerGasWei
  const world = {
    about: 'validator',
    block: baseline.blockNumber,
    balanceGwei: 0n,
    stakeToBeGwei: undefined,
    outcome: 'drops-out',
  } as const
  return {
    agreement: { plan: { to, valueWei, data }, world, terms: { from, nonce, feeLimitWei, deposits: [] } },
    signer: 'keystore',
    from,
    transaction,
    baseline,
  }
}

/** Returns a guard as its journal has it: what became of a member is looked for anew, and no end is believed before that. */
export function guardOf(events: readonly GuardEvent[]): GuardState | undefined {
  const last = events.reduce<GuardState | undefined>(guardTransition, undefined)
  if (last === undefined) return undefined
  const [send] = resumePayment(asRemembered(last.send), 'topup')
  return { ...last, send: { ...send, ordinal: last.send.ordinal } }
}

/**
 * Where a guard stands, in one word. `over`: its nonce is used, by a member or by something else. `given-up`: nothing of it is
 * sent any more, and its nonce is still held.
 */
export type GuardPhase = 'exported' | 'armed' | 'handed-over' | 'in-block' | 'given-up' | 'over'

export function phaseOf({ hashes, send, isVoid, isGivenUp }: GuardState): GuardPhase {
  if (isVoid || endedOf(send) !== undefined) return 'over'
  if (isGivenUp) return 'given-up'
  const live = liveOf(send)
  if (live !== undefined) return live.included === undefined ? 'handed-over' : 'in-block'
  return hashes.length === 0 ? 'exported' : 'armed'
}

/** Whether a guard never sends again. */
export function isOver(state: GuardState): boolean {
  const phase = phaseOf(state)
  return phase === 'over' || phase === 'given-up'
}
