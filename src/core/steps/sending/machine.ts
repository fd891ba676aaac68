import type { PaymentFact } from '../../facts.ts'
import { type ErrorFacts, withSeen } from '../observation.ts'
import { ENDED, isOpen, isUnsigned, mayReopen } from './phases.ts'
import { initialSend, type Payer, type SendCommand, type SendEvent, type SendState } from './state.ts'

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
      if (!isUnsigned(state)) return [state, []]
      return [{ ...state, phase: 'confirmed', plan: event.plan, failure: undefined }, [command('prepare')]]
    case 'prepared':
      if (!isUnsigned(state) || state.plan === undefined) return [state, []]
      return [{ ...state, phase: 'prepared', prepared: event.prepared }, [command('signTransaction')]]
    case 'signed':
      if (state.phase !== 'prepared') return [state, []]
      return [{ ...state, phase: 'signed', raw: event.raw, hash: event.hash }, [command('track')]]
    case 'failed':
      return [failed(state, event.error), []]
    case 'reopened':
      if (!mayReopen(state, step)) return [state, []]
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
