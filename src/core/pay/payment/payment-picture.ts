import { sameHex } from '../../base/format/hex.ts'
import type { HashedDeposit, MadeDeposit } from '../../chain/deposit/event.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import { hashesOf, newestBytes } from './candidates.ts'
import { withHeads } from './heads.ts'
import type { ConditionClock, Draft, LivePayment, PaymentState, RoundMemory } from './payment.ts'
import {
  depositsOf,
  isReply,
  type NonceAt,
  nonceAt,
  type PaymentReply,
  type ReceiptFacts,
  type Round,
} from './round.ts'

/** How long something must hold in every round before anything follows from it. In slots, but for `gateHoldsMs`. */
export const THRESHOLDS = {
  /** Between the two equal reads that make a block final here. */
  final: 2,
  /** A block is missing everywhere; doubled each time. */
  orphaned: 5,
  /** Every endpoint says that the nonce is used, and none shows ours. */
  nonceTaken: 5,
  /** Every endpoint is behind the nonce of the payment. */
  gap: 5,
  /** In no block: then a replacement is offered. */
  stuck: 10,
  /** Before the same bytes are given to the same endpoint again. */
  betweenAttempts: 3,
  /** An endpoint that lacks what another one has for longer does not just lag. */
  lag: 2,
  /** A look at the world counts for so long, while the payment waits. */
  look: 10,
  /** Every endpoint contradicts what is remembered. */
  contradicted: 5,
  /** The whole gate, answered by every endpoint, excuses one that fell silent since. */
  gateHoldsMs: 120_000,
}

export type Limits = Readonly<typeof THRESHOLDS>

/** A round of a live payment, as the rows of the table look at it. */
export type PaymentPicture = {
  state: PaymentState
  payment: LivePayment
  round: Round
  limits: Limits
  replies: readonly PaymentReply[]
  silent: readonly { endpoint: string; error: ErrorFacts }[]
  /** The first endpoint that has one of the candidates in a block. */
  inBlock: { endpoint: string; receipt: ReceiptFacts } | undefined
  /** Some endpoint has the newest bytes. */
  isKnown: boolean
  /** The sender’s nonces, by each endpoint that answered; none of a contract account. */
  nonces: readonly NonceAt[]
  /** How many endpoints say that the nonce is used, and that it is not reached yet. */
  used: number
  behind: number
  /** The deposits for the key since the draft, by each endpoint that told them; nothing while nobody asked. */
  byEach: readonly (readonly MadeDeposit[])[] | undefined
  memory: RoundMemory
}

/** Returns what a round shows of a live payment, with the clocks of what has held until now. */
export function paymentPicture(
  state: PaymentState,
  payment: LivePayment,
  round: Round,
  limits: Limits,
): PaymentPicture {
  const { draft } = payment
  const replies = round.byEndpoint.filter(isReply)
  const silent = round.byEndpoint.flatMap((one) => (isReply(one) ? [] : [one]))
  const inBlock = replies.find(
    (one): one is PaymentReply & { receipt: ReceiptFacts } => one.receipt !== undefined,
  )
  const nonces = draft.signer === 'contract' ? [] : replies.map((reply) => nonceAt(reply, draft.from))
  const isAsked = replies.every(({ deposits }) => deposits !== undefined)
  const picture: PaymentPicture = {
    state,
    payment,
    round,
    limits,
    replies,
    silent,
    inBlock,
    isKnown: replies.some(({ knows }) => knows),
    nonces,
    used: nonces.filter(({ latest }) => latest > draft.transaction.nonce).length,
    behind: nonces.filter(({ latest }) => latest < draft.transaction.nonce).length,
    byEach: isAsked ? depositsOf(replies, draft, state) : undefined,
    memory: withHeads(state.memory, round),
  }
  return { ...picture, memory: withClocks(picture) }
}

/** Whether every endpoint answered. */
export const isWhole = ({ replies, round }: PaymentPicture): boolean =>
  replies.length === round.byEndpoint.length

/** What must hold in every round for its clock to go on. */
const CLOCKS: Readonly<
  Record<Exclude<ConditionClock, 'contradicted'>, (picture: PaymentPicture) => boolean>
> = {
  inBlock: ({ inBlock }) => inBlock !== undefined,
  orphaned: (s) =>
    s.payment.included !== undefined &&
    s.inBlock === undefined &&
    isWhole(s) &&
    s.replies.every(({ notedIsGone }) => notedIsGone),
  nonceLost: (s) => isWhole(s) && s.inBlock === undefined && !s.isKnown && s.used === s.replies.length,
  behind: (s) => isWhole(s) && s.inBlock === undefined && s.behind === s.replies.length && !othersWait(s),
  lagging: (s) => laggards(s).length > 0,
  waiting: (s) =>
    s.payment.included === undefined &&
    s.inBlock === undefined &&
    newestBytes(s.state) !== undefined &&
    (s.memory.since.waiting !== undefined || s.isKnown || s.used + s.behind === 0),
}

function withClocks(picture: PaymentPicture): RoundMemory {
  const { memory, round, inBlock } = picture
  const blockHash = inBlock?.receipt.blockHash
  const running = Object.entries(CLOCKS).flatMap(([clock, holds]) => {
    if (!holds(picture)) return []
    const isOther = clock === 'inBlock' && memory.blockHash !== blockHash
    const before = isOther ? undefined : memory.since[clock as ConditionClock]
    return [[clock, before ?? round.atMs] as const]
  })
  return { ...memory, since: Object.fromEntries(running), blockHash, hasIt: hasIt(picture) }
}

/** Who has the newest bytes by its own word; of one that is silent now its last word stands. */
function hasIt({ state, replies, silent, memory }: PaymentPicture): RoundMemory['hasIt'] {
  const hash = newestBytes(state)?.hash
  if (hash === undefined) return undefined
  const before = memory.hasIt?.hash === hash ? memory.hasIt.endpoints : []
  const stillHas = silent.map(({ endpoint }) => endpoint).filter((endpoint) => before.includes(endpoint))
  const has = replies.filter(({ knows }) => knows).map(({ endpoint }) => endpoint)
  return { hash, endpoints: [...has, ...stillHas] }
}

/** Whether a condition has held for at least so many slots. */
export function heldFor({ round, memory }: PaymentPicture, clock: ConditionClock, slots: number): boolean {
  const since = memory.since[clock]
  return since !== undefined && round.atMs - since >= slots * round.slotMs
}

/**
 * Returns the endpoints that lack a block or a used nonce that another one has. One that has another transaction with
 * the nonce is left out, since it needs no bytes.
 */
export function laggards({ replies, inBlock, used, payment }: PaymentPicture): string[] {
  const { signer, from, transaction } = payment.draft
  if (signer === 'contract' || (inBlock === undefined && used === 0)) return []
  const lacks = (reply: PaymentReply) =>
    reply.receipt === undefined && nonceAt(reply, from).latest <= transaction.nonce
  return replies.filter(lacks).map(({ endpoint }) => endpoint)
}

/** Whether a mempool holds transactions of the account with a nonce before the payment's. */
export function othersWait({ nonces }: PaymentPicture): boolean {
  return Math.max(...nonces.map(({ pending }) => pending)) > Math.max(...nonces.map(({ latest }) => latest))
}

/** Whether every endpoint reports the same outcome of the same transaction in the same block. */
export function isAgreedByAll(s: PaymentPicture): boolean {
  return isWhole(s) && s.replies.every(({ receipt }) => isSameEnd(s, receipt))
}

/** Whether an endpoint reports another outcome than the first one: another block, or success there and failure here. */
export function isContradicted(s: PaymentPicture): boolean {
  return s.replies.some(({ receipt }) => receipt !== undefined && !isSameEnd(s, receipt))
}

function isSameEnd({ inBlock }: PaymentPicture, other: ReceiptFacts | undefined): boolean {
  if (inBlock === undefined || other === undefined) return false
  const { status, blockHash, hash } = inBlock.receipt
  return other.status === status && sameHex(other.blockHash, blockHash) && sameHex(other.hash, hash)
}

/** Whether every endpoint reported the same outcome twice, in a block that each of them calls final. */
export function isFinal(s: PaymentPicture): boolean {
  if (!isAgreedByAll(s) || !heldFor(s, 'inBlock', s.limits.final)) return false
  return s.replies.every(({ receipt, finalizedNumber }) => (receipt?.blockNumber ?? 0n) <= finalizedNumber)
}

/** Whether the nonce has been used at every endpoint for long enough, and none of them has our deposit in a block. */
export function nonceIsLost(s: PaymentPicture): boolean {
  return heldFor(s, 'nonceLost', s.limits.nonceTaken) && isWhole(s) && s.byEach?.length === s.replies.length
}

/**
 * A deposit of a kind that every endpoint has that told its deposits, for one alone may have made it up; under a hash that
 * is not one of the candidates yet.
 */
export function newDeposit(
  { byEach = [], payment, state }: PaymentPicture,
  isOfKind: (made: MadeDeposit, draft: Draft) => boolean,
): HashedDeposit | undefined {
  const isIn = (some: readonly MadeDeposit[], { hash }: MadeDeposit) =>
    some.some((one) => one.hash === hash && isOfKind(one, payment.draft))
  const made = byEach[0]?.find(
    (one): one is HashedDeposit => one.hash !== undefined && byEach.every((some) => isIn(some, one)),
  )
  return made === undefined || hashesOf(state).includes(made.hash) ? undefined : made
}

/** Returns the endpoints that are not known to have the signed bytes. */
export const withoutBytes = ({ round }: PaymentPicture): string[] =>
  round.byEndpoint.flatMap((one) => ('knows' in one && one.knows ? [] : [one.endpoint]))
