import type { Hex } from '../../src/core/base/format/hex.ts'
import type { DepositEvent, MadeDeposit } from '../../src/core/chain/deposit/event.ts'
import { liveOf } from '../../src/core/pay/payment/candidates.ts'
import { decide, TABLE } from '../../src/core/pay/payment/decide.ts'
import { paymentTransition } from '../../src/core/pay/payment/machine.ts'
import type { PaymentBody, PaymentState, PaymentStatus } from '../../src/core/pay/payment/payment.ts'
import { paymentPicture, THRESHOLDS } from '../../src/core/pay/payment/payment-picture.ts'
import {
  type Broadcast,
  isReply,
  type PaymentReply,
  type ReceiptFacts,
  type ReplyOrError,
  type Round,
  type RoundPart,
} from '../../src/core/pay/payment/round.ts'
import type { ErrorFacts } from '../../src/core/view/observation.ts'
import { hash, INCLUDED, NONCE, PUBKEY, SENDER, SIGNED } from './payments.ts'

export const SLOT_MS = 2_000
/** When the first round is. */
export const START_MS = 1_000_000
export const GOOD = { good: true, words: '' } as const
const ERROR: ErrorFacts = {
  code: 'client.unreachable',
  shortMessage: 'no answer',
  details: [],
  nextSteps: [],
  retryable: true,
  money: 'unknown',
}

/** What an endpoint says; with nothing else said it has never heard of the payment, and the nonce is its turn. */
export function answer(
  endpoint: string,
  {
    latest = NONCE,
    pending = latest,
    ...over
  }: Partial<PaymentReply> & { latest?: number; pending?: number } = {},
): PaymentReply {
  return {
    endpoint,
    receipt: undefined,
    knows: false,
    nonces: [{ address: SENDER, final: latest, latest, pending }],
    headIsRecent: true,
    head: undefined,
    finalizedNumber: -1n,
    deposits: undefined,
    notedIsGone: false,
    ...over,
  }
}

export const silent = (endpoint: string): ReplyOrError => ({ endpoint, error: ERROR })

/** Where the payment is, as `INCLUDED` has it. */
export const receipt = (over: Partial<ReceiptFacts> = {}): ReceiptFacts => ({
  hash: SIGNED.hash,
  status: 'success',
  blockNumber: INCLUDED.blockNumber,
  blockHash: INCLUDED.blockHash,
  feeWei: INCLUDED.feeWei,
  ...over,
})

/** A deposit for the key: the very payment, where nothing else is said. */
export function made(
  over: Partial<Omit<MadeDeposit, 'event'>> & { event?: Partial<DepositEvent> } = {},
): MadeDeposit {
  return {
    hash: hash(8),
    block: 224n,
    valueWei: 10_000n * 10n ** 18n,
    input: undefined,
    sender: { from: SENDER, nonce: NONCE },
    ...over,
    event: {
      pubkey: PUBKEY,
      withdrawalCredentials: `0x${'00'.repeat(32)}`,
      amountGwei: 10_000n * 10n ** 9n,
      signature: `0x${'00'.repeat(96)}`,
      index: 1n,
      ...over.event,
    },
  }
}

/** A round of looks. `atSlot` counts from the start. */
export const round = (
  said: readonly ReplyOrError[],
  { atSlot = 0, ...over }: Partial<Round> & { atSlot?: number } = {},
): Round => ({
  atMs: START_MS + atSlot * SLOT_MS,
  slotMs: SLOT_MS,
  byEndpoint: said,
  gateOpenAtMs: undefined,
  keyChecks: undefined,
  toExport: undefined,
  reason: undefined,
  ...over,
})

/** What is answered once a part is wanted. `deposits`: by every endpoint alike, or by each. */
export type Parts = {
  deposits?: PaymentReply['deposits'] | Readonly<Record<string, PaymentReply['deposits']>>
  keyChecks?: Round['keyChecks']
  toExport?: Round['toExport']
  reason?: string
}

/** A world in which everything holds, no deposit is there, and nothing stops an export. */
const ALL_GOOD: Parts = {
  deposits: [],
  keyChecks: [GOOD],
  toExport: { accountHeld: true, digest: hash(77) },
  reason: 'execution reverted',
}

/** The round with a part that was wanted. */
export function withPart(before: Round, part: RoundPart, parts: Parts): Round {
  const all = { ...ALL_GOOD, ...parts }
  if (part !== 'deposits') return { ...before, [part]: all[part] }
  const { deposits } = all
  const of = (endpoint: string) =>
    typeof deposits === 'object' && !Array.isArray(deposits)
      ? (deposits as Readonly<Record<string, PaymentReply['deposits']>>)[endpoint]
      : (deposits as PaymentReply['deposits'])
  return {
    ...before,
    byEndpoint: before.byEndpoint.map((one) =>
      isReply(one) ? { ...one, deposits: of(one.endpoint) ?? 'unknown' } : one,
    ),
  }
}

/** What was decided on a round, once every part that was wanted had been asked. */
export type Decided = {
  /** The row of the table that decided. */
  row: string | undefined
  wanted: readonly RoundPart[]
  told: PaymentStatus | undefined
  /** Everything but what was watched. */
  events: readonly PaymentBody[]
  broadcasts: readonly Broadcast[]
  /** The payment after all that, none of the givings carried out. */
  after: PaymentState
}

/** Decides a round, asks what is wanted for it, and applies what follows. Throws where a part is wanted twice. */
export function decided(before: PaymentState, looked: Round, parts: Parts = {}): Decided {
  const wanted: RoundPart[] = []
  let now = looked
  let decision = decide(before, now)
  while ('wants' in decision) {
    if (wanted.includes(decision.wants)) throw new Error(`${decision.wants} is wanted twice`)
    wanted.push(decision.wants)
    now = withPart(now, decision.wants, parts)
    decision = decide(before, now)
  }
  const watched = decision.events.find((event) => event.type === 'watched')
  return {
    row: rowOf(before, now),
    wanted,
    told: watched?.tracking.status === 'known' ? watched.tracking.value : undefined,
    events: decision.events.filter(({ type }) => type !== 'watched'),
    broadcasts: decision.broadcasts,
    after: applied(before, decision.events),
  }
}

function rowOf(state: PaymentState, looked: Round): string | undefined {
  const payment = liveOf(state)
  if (payment === undefined) return undefined
  const sight = paymentPicture(state, payment, looked, THRESHOLDS)
  return TABLE.find(({ holds }) => holds(sight))?.name
}

/** The payment after some events. */
export const applied = (before: PaymentState, events: readonly PaymentBody[]): PaymentState =>
  events.reduce((state, body) => paymentTransition(state, { step: 'topup', ...body })[0], before)

/** The last of some rounds, in which every endpoint says the same of the payment in each. */
export function lastOf(
  before: PaymentState,
  said: readonly ReplyOrError[],
  { slots, parts, ...over }: { slots: readonly number[]; parts?: Parts } & Partial<Round>,
): Decided {
  const [first = 0, ...later] = slots
  const once = (state: PaymentState, atSlot: number) =>
    decided(state, round(said, { atSlot, ...over }), parts)
  return later.reduce((last, atSlot) => once(last.after, atSlot), once(before, first))
}

/** A payment whose bytes each of the endpoints may have. */
export const givenTo = (state: PaymentState, ...endpoints: readonly string[]): PaymentState =>
  applied(
    state,
    endpoints.map((endpoint, at) => ({ type: 'handed-over', endpoint, attempt: at + 1 })),
  )

/** The hash of the newest bytes of what was given. */
export const bytesGiven = (broadcasts: readonly Broadcast[]): readonly (readonly [string, Hex])[] =>
  broadcasts.map(({ endpoint, bytes }) => [endpoint, bytes.hash])
