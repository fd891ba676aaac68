import type { UnsignedTransaction } from '../../effects/effects.ts'
import type { Hex } from '../../format/hex.ts'
import { type ErrorFacts, nothingSeen, type Observation, type Seen, type SeenEntry } from '../observation.ts'

/** The two steps that move money. */
export type Payer = 'deposit' | 'topup'

/** What is to be sent, fixed before the transaction is made; the value comes from what was signed. */
export type PaymentPlan = {
  to: Hex
  valueWei: bigint
  data: Hex
}

/** Answers that must all be good immediately before anything is signed (safety T5). */
export type GateAnswers = {
  funder: { address: Hex }
  chain: { chainId: number; blockNumber: bigint; fresh: boolean }
  balance: { balanceWei: bigint; neededWei: bigint }
  nonce: { latest: number; pending: number }
  key: { good: boolean; words: string }
  rule: { good: boolean; words: string }
  second: { good: boolean; words: string }
  dryRun: { gas: bigint; refusal: string | undefined }
}

const GATE_KEYS = ['funder', 'chain', 'balance', 'nonce', 'key', 'rule', 'second', 'dryRun'] as const

/** A transaction made for the plan, not signed yet, with the chain as it was then. */
type Prepared = {
  transaction: UnsignedTransaction
  from: Hex
  baseline: { blockNumber: bigint; blockHash: Hex; balanceWei: bigint }
}

export type SendPhase =
  | 'idle'
  | 'confirmed'
  | 'prepared'
  | 'signed'
  | 'sending'
  | 'seen'
  | 'mined'
  | 'final'
  | 'reverted'
  | 'foreign'

export type SendState = {
  phase: SendPhase
  /** Which payment of its step this is, counted from 1. */
  ordinal: number
  seen: Seen<GateAnswers>
  plan: PaymentPlan | undefined
  prepared: Prepared | undefined
  raw: Hex | undefined
  hash: Hex | undefined
  attempts: number
  mined: { blockNumber: bigint; blockHash: Hex; feeWei: bigint } | undefined
  reason: string | undefined
  foreignHash: Hex | undefined
  failure: ErrorFacts | undefined
  /** Where the search for the transaction stands; told, never trusted. */
  tracking: Observation<string>
}

/** What can happen to a payment, whichever step it belongs to. */
export type SendEvent = { [P in Payer]: { step: P } & SendBody }[Payer]

type SendBody =
  | ({ type: 'observed' } & SeenEntry<GateAnswers>)
  | { type: 'checkAsked' }
  | { type: 'confirmed'; plan: PaymentPlan }
  | { type: 'prepared'; prepared: Prepared }
  | { type: 'signed'; raw: Hex; hash: Hex }
  | { type: 'sending'; attempt: number; endpoint: string }
  | { type: 'sighted' }
  | { type: 'mined'; blockNumber: bigint; blockHash: Hex; feeWei: bigint }
  | { type: 'unmined' }
  | { type: 'final' }
  | { type: 'reverted'; reason: string; feeWei: bigint }
  | { type: 'foreign'; hash: Hex | undefined }
  | { type: 'reopened' }
  | { type: 'tracked'; tracking: Observation<string> }
  | { type: 'failed'; error: ErrorFacts }

/** Decisions and money events: in the journal before they are applied. */
export const SEND_DURABLE: readonly SendEvent['type'][] = [
  'confirmed',
  'prepared',
  'signed',
  'sending',
  'mined',
  'unmined',
  'final',
  'reverted',
  'foreign',
  'reopened',
]

export type SendCommand =
  | { step: Payer; type: 'check'; scope: 'here' }
  | { step: Payer; type: 'prepare'; scope: 'always' }
  | { step: Payer; type: 'signTransaction'; scope: 'always' }
  | { step: Payer; type: 'track'; scope: 'always' }

export const initialSend: SendState = {
  phase: 'idle',
  ordinal: 1,
  seen: nothingSeen<GateAnswers>(GATE_KEYS),
  plan: undefined,
  prepared: undefined,
  raw: undefined,
  hash: undefined,
  attempts: 0,
  mined: undefined,
  reason: undefined,
  foreignHash: undefined,
  failure: undefined,
  tracking: { status: 'unasked' },
}
