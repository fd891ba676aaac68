import type { UnsignedTransaction } from '../../effects/effects.ts'
import type { Hex } from '../../format/hex.ts'
import { type ErrorFacts, nothingSeen, type Observation, type Seen, type SeenEntry } from '../observation.ts'
import type { AgreedWorld } from './consent.ts'
import { GATE_KEYS, type GateAnswers } from './gate-answers.ts'

/** The two steps that move money. */
export type Payer = 'deposit' | 'topup'

/** What is to be sent, fixed before the transaction is made; the value comes from what was signed. */
export type PaymentPlan = {
  to: Hex
  valueWei: bigint
  data: Hex
}

/** A transaction made for the plan, not signed yet, with the chain as it was then. */
export type Prepared = {
  transaction: UnsignedTransaction
  from: Hex
  baseline: { blockNumber: bigint; blockHash: Hex; balanceWei: bigint }
  /** Handed out to a wallet elsewhere: from then on it may be signed and sent without this program. */
  elsewhere?: true
  /** The payer is a contract account: its owners carry the call out, in a transaction of another account. */
  contract?: true
}

/** Another transaction with the number of the payment: the same one for more fee, or nothing sent to oneself. */
export type Replacement = { kind: 'bump' | 'cancel'; transaction: UnsignedTransaction }

/** A deposit that was sent without this program: the payment, or what the account paid in its place. */
type Stray = { hash: Hex; valueWei: bigint; nonce: number }

/** A deposit for the key that was made after the payment was prepared, and is not known to be it. */
type OtherDeposit = { hash: Hex | undefined }

/** How giving bytes to an endpoint ended; only `unreachable` proves that it did not get them. */
export type HandedResult = 'waits' | 'taken' | 'refused' | 'no-reply' | 'unreachable'

/** Signed bytes at one endpoint. `times`: how often it may have got them. */
export type HandOver = { endpoint: string; hash: Hex; times: number; result: HandedResult }

/** What a payment waits for. */
export type WaitFor = 'checks' | 'signature' | 'wallet' | 'chain'

export type SendPhase =
  | 'idle'
  | 'confirmed'
  | 'prepared'
  | 'external'
  | 'signed'
  | 'sending'
  | 'seen'
  | 'mined'
  | 'final'
  | 'cancelled'
  | 'reverted'
  | 'foreign'

export type SendState = {
  phase: SendPhase
  /** Its end is only what the journal says: nothing rests on it until the chain has confirmed it in this session. */
  remembered: boolean
  /** Which payment of its step this is, counted from 1. */
  ordinal: number
  seen: Seen<GateAnswers>
  /** The user lets a wallet elsewhere sign; it is always so where no keystore is set. */
  elsewhere: boolean
  /** The paying account, as it was typed. */
  payer: Hex | undefined
  payerError: string | undefined
  plan: PaymentPlan | undefined
  /** What the agreement is about, beside the plan. */
  world: AgreedWorld | undefined
  prepared: Prepared | undefined
  /** Handed-out transactions that, by the user's word, nobody signed. Their numbers are looked at before any other. */
  released: readonly { plan: PaymentPlan; prepared: Prepared }[]
  /** Hashes of the payments of this step that are final. */
  settled: readonly Hex[]
  /** A look at the chain has found nothing of the handed-out transaction: it may be shown. */
  clear: { digest: Hex } | undefined
  otherDeposit: OtherDeposit | undefined
  /** Why the payment must not leave any more: what was agreed to does not hold. Cancelling it is another thing. */
  withheld: string | undefined
  /** Where the command for the wallet was saved. */
  savedPath: string | undefined
  raw: Hex | undefined
  hash: Hex | undefined
  /** Signed replacements, oldest first, each dearer than the one before. */
  rivals: readonly (Replacement & { raw: Hex; hash: Hex })[]
  /** What it would cost to replace the payment; asked, not agreed to. */
  offer: { kind: Replacement['kind']; price: Observation<Price> } | undefined
  /** Agreed to, not signed yet. */
  replacement: Replacement | undefined
  strays: readonly Stray[]
  /** In no block for so long that replacing it is offered. */
  stalled: boolean
  /** The account’s next nonce, where that of the payment is too high. */
  gapFrom: number | undefined
  /** How often it was tried to hand bytes over, at least. */
  attempts: number
  /** What became of them at each endpoint. */
  handed: readonly HandOver[]
  /** When the wait that is under way began, on our own clock. */
  wait: { what: WaitFor; sinceMs: number } | undefined
  mined: { blockNumber: bigint; blockHash: Hex; feeWei: bigint; hash: Hex } | undefined
  reason: string | undefined
  foreignHash: Hex | undefined
  failure: ErrorFacts | undefined
  /** Where the search for the transaction stands; told, never trusted. */
  tracking: Observation<string>
}

/** A replacement's transaction, and the most that any may cost in wei. */
export type Price = { transaction: UnsignedTransaction; limitWei: bigint }

/** What can happen to a payment, whichever step it belongs to. */
export type SendEvent = { [P in Payer]: { step: P } & SendBody }[Payer]

type SendBody =
  | ({ type: 'observed' } & SeenEntry<GateAnswers>)
  | { type: 'checkAsked' }
  | { type: 'walletChosen'; elsewhere: boolean }
  | { type: 'payerTyped'; text: string }
  /** A top-up is agreed to for the validator as it was shown. */
  | { type: 'confirmed'; plan: PaymentPlan; world?: AgreedWorld }
  | { type: 'prepared'; prepared: Prepared }
  /** The handed-out transaction may be shown; with no digest it may not any more, as there is another deposit. */
  | { type: 'cleared'; digest: Hex | undefined; otherDeposit?: OtherDeposit }
  | { type: 'saveAsked' }
  | { type: 'saved'; path: string }
  | { type: 'brought'; text: string }
  | { type: 'released' }
  | { type: 'signed'; raw: Hex; hash: Hex }
  | { type: 'sending'; attempt: number; endpoint: string }
  | { type: 'resent'; attempt: number; endpoint: string }
  | { type: 'handed'; endpoint: string; hash: Hex; result: HandedResult }
  | { type: 'waiting'; what: WaitFor; sinceMs: number }
  | { type: 'sighted' }
  | { type: 'stalled' }
  | { type: 'gapped'; from: number | undefined }
  | { type: 'priceAsked'; kind: Replacement['kind'] }
  | { type: 'priced'; kind: Replacement['kind']; price: Observation<Price> }
  | { type: 'offerLeft' }
  | { type: 'replacing'; replacement: Replacement }
  | { type: 'replaced'; raw: Hex; hash: Hex }
  /** With the calldata of the released call that it turns out to be. */
  | ({ type: 'found'; from: Hex; data?: Hex } & Stray)
  | { type: 'mined'; blockNumber: bigint; blockHash: Hex; feeWei: bigint; hash?: Hex }
  | { type: 'unmined' }
  | { type: 'final' }
  /** The chain says of an end that is remembered what the journal says, or that it is not so. */
  | { type: 'upheld' }
  | { type: 'disproved' }
  | { type: 'withheld'; reason: string }
  | { type: 'reverted'; reason: string; feeWei: bigint }
  | { type: 'foreign'; hash: Hex | undefined; otherDeposit?: OtherDeposit }
  | { type: 'reopened' }
  | { type: 'tracked'; tracking: Observation<string> }
  | { type: 'failed'; error: ErrorFacts }

/** Decisions and money events: in the journal before they are applied. */
export const SEND_DURABLE: readonly SendEvent['type'][] = [
  'confirmed',
  'prepared',
  'released',
  'signed',
  'sending',
  'replacing',
  'replaced',
  'found',
  'mined',
  'unmined',
  'final',
  'reverted',
  'foreign',
  'disproved',
  'withheld',
  'reopened',
]

export type SendCommand = { step: Payer } & (
  | { type: 'check'; scope: 'here' }
  | { type: 'prepare'; scope: 'always' }
  | { type: 'signTransaction'; scope: 'always' }
  | { type: 'bring'; scope: 'always'; text: string }
  | { type: 'saveCommand'; scope: 'always' }
  | { type: 'price'; scope: 'here'; kind: Replacement['kind'] }
  | { type: 'track'; scope: 'always' }
)

export const initialSend: SendState = {
  phase: 'idle',
  remembered: false,
  ordinal: 1,
  seen: nothingSeen<GateAnswers>(GATE_KEYS),
  elsewhere: false,
  payer: undefined,
  payerError: undefined,
  plan: undefined,
  world: undefined,
  prepared: undefined,
  released: [],
  settled: [],
  clear: undefined,
  otherDeposit: undefined,
  withheld: undefined,
  savedPath: undefined,
  raw: undefined,
  hash: undefined,
  rivals: [],
  offer: undefined,
  replacement: undefined,
  strays: [],
  stalled: false,
  gapFrom: undefined,
  attempts: 0,
  handed: [],
  wait: undefined,
  mined: undefined,
  reason: undefined,
  foreignHash: undefined,
  failure: undefined,
  tracking: { status: 'unasked' },
}
