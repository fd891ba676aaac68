import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import type { Wei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { nothingAsked } from '../../view/rows.ts'
import { GATE_FACTS } from '../gate/facts.ts'
import type {
  Agreement,
  BroadcastRecord,
  Candidate,
  Draft,
  EndedPayment,
  FoundOnChain,
  Included,
  LivePayment,
  Payment,
  PaymentState,
  Replacement,
  RoundMemory,
  SignedBytes,
} from './payment.ts'

/** No round has shown anything yet. */
const NOTHING_WATCHED: RoundMemory = {
  since: {},
  blockHash: undefined,
  broadcastAtMs: {},
  recheckedAtMs: undefined,
  losses: 0,
  inMempool: false,
  hasIt: undefined,
  isStuck: false,
  heads: {},
  doubt: undefined,
  gapFrom: undefined,
  shown: undefined,
  otherDeposit: undefined,
}

/** No payment: nothing was asked, and nothing agreed to. */
export const initialPayment: PaymentState = {
  payment: { phase: 'open' },
  ordinal: 1,
  abandoned: [],
  settled: [],
  observed: nothingAsked(GATE_FACTS),
  external: false,
  sender: undefined,
  senderError: undefined,
  riskText: undefined,
  memory: NOTHING_WATCHED,
  tracking: { status: 'unasked' },
  quote: undefined,
  savedPath: undefined,
  wait: undefined,
  failure: undefined,
}

/** Gas of a plain transfer. */
export const TRANSFER_GAS = 21_000n

/** What holds a payment. */
type Holder = Pick<PaymentState, 'payment'>

/** The payment while the chain is watched for it: its bytes may be on their way, from here or from another signer. */
export function liveOf({ payment }: Holder): LivePayment | undefined {
  return payment.phase === 'exported' || payment.phase === 'under-way' ? payment : undefined
}

/** The payment once it has come to its end, proven or remembered. */
export function endedOf({ payment }: Holder): EndedPayment | undefined {
  return payment.phase === 'ended' ? payment : undefined
}

/** Whether a payment has ended as paid. */
export const isPaid = (holder: Holder): boolean => endedOf(holder)?.outcome.is === 'paid'

/** Returns the draft, in every phase that has one. */
export function draftOf({ payment }: Holder) {
  return payment.phase === 'open' || payment.phase === 'agreed' ? undefined : payment.draft
}

/** Every draft that may still be carried out: the payment's own, then those set aside. */
export function draftsOf(state: Pick<PaymentState, 'payment' | 'abandoned'>): readonly Draft[] {
  const draft = draftOf(state)
  return draft === undefined ? state.abandoned : [draft, ...state.abandoned]
}

/** Returns what was agreed to. */
export function agreementOf(state: Holder): Agreement | undefined {
  const { payment } = state
  return payment.phase === 'agreed' ? payment.agreement : draftOf(state)?.agreement
}

/** The block that holds one of the candidates, once there is one. */
export function includedOf(state: Holder): Included | undefined {
  const outcome = endedOf(state)?.outcome
  return outcome !== undefined && 'included' in outcome ? outcome.included : liveOf(state)?.included
}

/**
 * The block in which it was paid or canceled by an end of the journal, whether that end stands or was taken back: every
 * endpoint had called it final, so that its body proves it where the receipt is forgotten.
 */
export function finalBlockOf(state: Holder): Included | undefined {
  const ended = endedOf(state)
  const { outcome } = ended ?? {}
  return outcome !== undefined && 'included' in outcome
    ? outcome.included
    : (ended ?? liveOf(state))?.finalBefore
}

/** The plan that was agreed to. */
export const agreedPlan = (state: Holder) => agreementOf(state)?.plan

/** Returns what a block holds in the place of the payment, under a hash that was not made here. */
export function foundInBlock(state: Holder): FoundOnChain | undefined {
  const hash = includedOf(state)?.hash
  return candidatesOf(state).find((one): one is FoundOnChain => one.kind === 'found' && one.hash === hash)
}

/** Everything that was signed or found for the nonce, oldest first. */
export function candidatesOf({ payment }: Holder): readonly Candidate[] {
  return 'candidates' in payment ? payment.candidates : []
}

/** Hashes under which the payment, or what takes its nonce, may be found. */
export const hashesOf = (state: Holder): Hex[] => candidatesOf(state).map(({ hash }) => hash)

/** Returns what was signed, oldest first. */
export function signedOf(state: Holder): readonly SignedBytes[] {
  return candidatesOf(state).filter((one) => one.kind !== 'found')
}

/** The bytes of the payment itself. */
export const paymentBytes = (state: Holder): SignedBytes | undefined =>
  signedOf(state).find(({ kind }) => kind === 'payment')

/** The bytes that are handed over: the dearest, which take the place of all before them. */
export const newestBytes = (state: Holder): SignedBytes | undefined => signedOf(state).at(-1)

/**
 * Returns the bytes that may be given to an endpoint: the newest. After the word that agrees to cancel, until a word sends
 * the payment again, none but a cancellation.
 */
export function bytesToBroadcast(state: Holder): SignedBytes | undefined {
  const bytes = newestBytes(state)
  return liveOf(state)?.cancelAgreed === true && bytes?.kind !== 'cancellation' ? undefined : bytes
}

/** Returns what became of the given bytes at an endpoint; undefined where it was never tried. */
export function broadcastTo({ payment }: Holder, endpoint: string, hash: Hex) {
  const broadcasts = 'broadcasts' in payment ? payment.broadcasts : []
  return broadcasts.find((one) => one.endpoint === endpoint && one.hash === hash)
}

/** What became of the given bytes at an endpoint; that it says itself that it has them counts before an attempt that failed. */
export function standsAt(state: PaymentState, endpoint: string, hash: Hex) {
  const broadcast = broadcastTo(state, endpoint, hash)
  const { hasIt } = state.memory
  const isSaid = hasIt?.hash === hash && hasIt.endpoints.includes(endpoint)
  if (!isSaid || broadcast?.result === 'taken' || broadcast?.result === 'waits') return broadcast
  return { endpoint, hash, times: broadcast?.times ?? 0, result: 'has-it' } as const
}

/** Returns how often signed bytes may have reached an endpoint. */
export function timesSent({ payment }: Holder): number {
  return 'broadcasts' in payment ? payment.broadcasts.reduce((sum, { times }) => sum + times, 0) : 0
}

/**
 * Returns the payment before its newest bytes are given to an endpoint: from this moment they may have left. Attempts that
 * a journal left out, since it holds every one up to the second, and then the fourth, eighth …, count with the next one.
 */
export function withBroadcast(payment: LivePayment, endpoint: string, attempts: number): LivePayment {
  const hash = newestBytes({ payment })?.hash
  if (hash === undefined) return payment
  const before = broadcastTo({ payment }, endpoint, hash)
  const times = (before?.times ?? 0) + Math.max(1, attempts - payment.attempts)
  const record = { endpoint, hash, times, result: 'waits', said: before?.said } as const
  return { ...payment, attempts, broadcasts: withRecord(payment, record) }
}

/** The payment once it is known how that ended; only bytes that never left take the attempt back. */
export function withBroadcastResult(
  payment: Payment,
  { endpoint, hash, result, said: refusal }: Omit<BroadcastRecord, 'times'>,
): Payment {
  const before = broadcastTo({ payment }, endpoint, hash)
  if (!('broadcasts' in payment) || before?.result !== 'waits') return payment
  const times = before.times - (result === 'unreachable' || result === 'withheld' ? 1 : 0)
  const isAnswer = result === 'taken' || result === 'has-it' || result === 'refused'
  const said = isAnswer ? refusal : before.said
  return { ...payment, broadcasts: withRecord(payment, { ...before, result, times, said }) }
}

/** A reply that nobody waits for any more, because the program was left or the search began anew, never comes. */
export function withoutAwaited(broadcasts: readonly BroadcastRecord[]): readonly BroadcastRecord[] {
  return broadcasts.map((one) => (one.result === 'waits' ? { ...one, result: 'no-reply' } : one))
}

function withRecord(
  { broadcasts }: LivePayment | EndedPayment,
  now: BroadcastRecord,
): readonly BroadcastRecord[] {
  return [...broadcasts.filter(({ endpoint, hash }) => endpoint !== now.endpoint || hash !== now.hash), now]
}

type Fees = { maxFeePerGasWei: Wei; maxPriorityFeePerGasWei: Wei }

/** What may have been signed in the payment's place. What only the keystore here could sign, and has not, is nowhere. */
export function replacementsOut(
  state: Holder,
): readonly { kind: Exclude<SignedBytes['kind'], 'payment'>; transaction: UnsignedTransaction }[] {
  const { replacement, draft } = liveOf(state) ?? {}
  const signed = signedOf(state).flatMap(({ kind, transaction }) =>
    kind === 'payment' ? [] : [{ kind, transaction }],
  )
  return replacement !== undefined && draft?.signer === 'external' ? [...signed, replacement] : signed
}

/** A fee raised by an eighth, rounded up: what pools ask of a transaction that takes another one's place. */
export const raised = (feeWei: Wei): Wei => (feeWei * 9n + 7n) / 8n

/** Returns the highest fees per gas that anything with this nonce offers, signed or only exported. */
export function dearest(state: Holder): Fees {
  const all = [draftOf(state), ...replacementsOut(state)].flatMap((one) => one?.transaction ?? [])
  const highest = (values: readonly Wei[]) => values.reduce((a, b) => (a > b ? a : b), 0n)
  return {
    maxFeePerGasWei: highest(all.map((one) => one.maxFeePerGasWei)),
    maxPriorityFeePerGasWei: highest(all.map((one) => one.maxPriorityFeePerGasWei)),
  }
}

/** Returns the replacement of a kind with these fees; undefined while nothing is prepared. */
export function replacementOf(
  state: Holder,
  kind: Replacement['kind'],
  fees: Fees,
): UnsignedTransaction | undefined {
  const draft = draftOf(state)
  if (draft === undefined) return undefined
  const dearer = { ...draft.transaction, ...fees }
  if (kind === 'speed-up') return dearer
  return { ...dearer, to: draft.from, valueWei: 0n, data: '0x', gasLimit: TRANSFER_GAS }
}

/** A draft that the chain is watched for from now on. */
export const newlyLive = (draft: Draft): LivePayment => ({
  phase: 'exported',
  draft,
  candidates: [],
  attempts: 0,
  broadcasts: [],
  included: undefined,
  replacement: undefined,
  heldBack: undefined,
})

/** Returns the payment without a replacement that is not signed: where only the keystore here could have, it is nowhere. */
export function withoutUnsigned(state: PaymentState): PaymentState {
  const live = liveOf(state)
  if (live === undefined || live.draft.signer === 'external') return state
  return { ...state, payment: { ...live, replacement: undefined } }
}

/** What was seen of a payment so far says nothing of what is looked for now; the newest blocks are the same. */
export const followedAnew = (state: PaymentState): PaymentState => {
  const { heads, doubt } = state.memory
  return { ...state, memory: { ...NOTHING_WATCHED, heads, doubt } }
}

/** Whether something of the payment is between the user's word and signed bytes on this computer. */
export const isBeingSigned = (state: PaymentState): boolean =>
  state.payment.phase === 'agreed' || state.payment.phase === 'prepared' || signsReplacement(state)

/** Whether the keystore signs a replacement that was agreed to. */
export function signsReplacement(state: PaymentState): boolean {
  return liveOf(state)?.replacement !== undefined && draftOf(state)?.signer === 'keystore'
}
