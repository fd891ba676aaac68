import type { UnsignedTransaction } from '../../effects/effects.ts'
import type { PaymentFact } from '../../facts.ts'
import type { Hex } from '../../format/hex.ts'
import type { ErrorFacts, Observation, Seen, SeenEntry } from '../observation.ts'
import { nothingSeen, withSeen } from '../observation.ts'

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

type SendPhase =
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

/** Phases in which bytes may be on their way: nothing may be planned, prepared or signed again. */
const OPEN: readonly SendPhase[] = ['signed', 'sending', 'seen', 'mined']
const ENDED: readonly SendPhase[] = ['final', 'reverted', 'foreign']

/** Whether signed bytes exist whose fate is not settled. */
export const isOpen = (state: SendState): boolean => OPEN.includes(state.phase)

/** Whether the payment may be given up: it has ended, or its bytes never left this computer. */
export function mayReopen(state: SendState): boolean {
  return ENDED.includes(state.phase) || (state.phase === 'signed' && state.attempts === 0)
}

type Result = readonly [SendState, readonly SendCommand[]]

/**
 * One payment, from consent to finality (safety §2.3). An event that does not fit the phase changes nothing:
 * a second consent, preparation or signature for an open payment cannot happen.
 */
export function sendTransition(state: SendState, event: SendEvent): Result {
  const { step } = event
  const command = (type: 'prepare' | 'signTransaction' | 'track'): SendCommand => ({
    step,
    type,
    scope: 'always',
  })
  switch (event.type) {
    case 'observed':
      return [{ ...state, seen: withSeen(state.seen, event) }, []]
    case 'checkAsked':
      return state.phase === 'idle'
        ? [{ ...state, seen: anew(state) }, [{ step, type: 'check', scope: 'here' }]]
        : [state, []]
    case 'confirmed':
      if (state.phase !== 'idle') return [state, []]
      return [{ ...state, phase: 'confirmed', plan: event.plan, failure: undefined }, [command('prepare')]]
    case 'prepared':
      if (state.phase !== 'confirmed') return [state, []]
      return [{ ...state, phase: 'prepared', prepared: event.prepared }, [command('signTransaction')]]
    case 'signed':
      if (state.phase !== 'prepared') return [state, []]
      return [{ ...state, phase: 'signed', raw: event.raw, hash: event.hash }, [command('track')]]
    case 'failed':
      return [failed(state, event.error), []]
    case 'reopened':
      if (!mayReopen(state)) return [state, []]
      return [{ ...initialSend, ordinal: state.ordinal + 1 }, []]
    default:
      return [track(state, event), []]
  }
}

/** Everything unasked but the account: its keystore is opened once, not with every look. */
function anew({ seen }: SendState): SendState['seen'] {
  const { funder } = seen
  return funder.status === 'known' ? { ...initialSend.seen, funder } : initialSend.seen
}

type TrackEvent = Extract<
  SendEvent,
  { type: 'sending' | 'sighted' | 'mined' | 'unmined' | 'final' | 'reverted' | 'foreign' | 'tracked' }
>

function track(state: SendState, event: TrackEvent): SendState {
  if (event.type === 'tracked') return { ...state, tracking: event.tracking }
  if (!isOpen(state)) return state
  switch (event.type) {
    case 'sending':
      return { ...state, phase: 'sending', attempts: event.attempt }
    case 'sighted':
      return state.phase === 'mined' ? state : { ...state, phase: 'seen' }
    case 'mined': {
      const { blockNumber, blockHash, feeWei } = event
      return { ...state, phase: 'mined', mined: { blockNumber, blockHash, feeWei } }
    }
    case 'unmined':
      return { ...state, phase: 'seen', mined: undefined }
    case 'final':
      return state.phase === 'mined' ? { ...state, phase: 'final' } : state
    case 'reverted':
      return { ...state, phase: 'reverted', reason: event.reason }
    case 'foreign':
      return { ...state, phase: 'foreign', foreignHash: event.hash }
  }
}

/** Before anything is signed a failure leads back to the beginning; afterwards it changes nothing but the words. */
function failed(state: SendState, failure: ErrorFacts): SendState {
  if (isOpen(state) || ENDED.includes(state.phase)) return { ...state, failure }
  return { ...state, phase: 'idle', failure, plan: undefined, prepared: undefined }
}

/** What to do with a payment found in the journal: an unsigned one is asked for again, a signed one is looked for. */
export function resumeSend(state: SendState, step: Payer): Result {
  if (isOpen(state)) return [state, [{ step, type: 'track', scope: 'always' }]]
  if (ENDED.includes(state.phase)) return [state, []]
  return [{ ...initialSend, ordinal: state.ordinal }, []]
}

/** The payment as a proven fact, once it is final. */
export function paymentFact(state: SendState): PaymentFact | undefined {
  const { prepared, mined, hash } = state
  if (state.phase !== 'final' || !prepared || !mined || !hash) return undefined
  const { transaction, from, baseline } = prepared
  return {
    hash,
    from,
    nonce: transaction.nonce,
    valueWei: transaction.valueWei,
    blockNumber: mined.blockNumber,
    blockHash: mined.blockHash,
    feeWei: mined.feeWei,
    balanceBeforeWei: baseline.balanceWei,
  }
}
