import { withHandedResult, withHandOver } from './handed.ts'
import { ENDED, isOpen, isWatched } from './phases.ts'
import type { SendEvent, SendState } from './state.ts'

/** What the search for a payment tells. */
export type TrackEvent = Extract<
  SendEvent,
  {
    type:
      | 'sending'
      | 'resent'
      | 'handed'
      | 'sighted'
      | 'stalled'
      | 'gapped'
      | 'mined'
      | 'unmined'
      | 'final'
      | 'upheld'
      | 'disproved'
      | 'withheld'
      | 'reverted'
      | 'foreign'
      | 'tracked'
  }
>

/** The payment after a word from the search for it; one that is not looked for stays as it is. */
export function trackTransition(state: SendState, event: TrackEvent): SendState {
  if (event.type === 'tracked') return { ...state, tracking: event.tracking }
  if (ENDED.includes(state.phase)) return afterEnd(state, event)
  if (!isWatched(state)) return state
  switch (event.type) {
    case 'foreign':
      return {
        ...settled(state),
        phase: 'foreign',
        foreignHash: event.hash,
        otherDeposit: event.otherDeposit,
      }
    case 'sending':
      if (!isOpen(state)) return state
      return {
        ...withHandOver(state, event.endpoint),
        phase: state.phase === 'mined' ? 'mined' : 'sending',
        attempts: event.attempt,
      }
    case 'resent':
      return { ...withHandOver(state, event.endpoint), attempts: event.attempt }
    case 'handed':
      return withHandedResult(state, event)
    case 'sighted':
      return state.phase === 'mined' || !isOpen(state) ? state : { ...state, phase: 'seen' }
    case 'stalled':
      return { ...state, stalled: true }
    case 'gapped':
      return { ...state, gapFrom: event.from }
    case 'mined':
      return minedAs(state, event)
    case 'unmined':
      return withoutBlock(state)
    case 'final':
      return state.phase === 'mined' ? { ...settled(state), phase: endOf(state) } : state
    case 'reverted':
      return { ...settled(state), phase: 'reverted', reason: event.reason }
    case 'withheld':
      return { ...state, withheld: event.reason, clear: undefined }
    case 'upheld':
    case 'disproved':
      return state
  }
}

/** An end that is remembered is confirmed by the chain, or it was none: then the payment is looked for like any other. */
function afterEnd(state: SendState, { type }: TrackEvent): SendState {
  if (type === 'upheld') return { ...state, remembered: false }
  if (type !== 'disproved') return state
  const open = { ...state, remembered: false, reason: undefined, foreignHash: undefined }
  return withoutBlock({ ...open, otherDeposit: undefined, failure: undefined })
}

function withoutBlock(state: SendState): SendState {
  return { ...state, phase: state.hash === undefined ? 'external' : 'seen', mined: undefined }
}

/** Nothing takes the place of a payment that has come to its end, and what failed on the way there says nothing of it. */
function settled(state: SendState): SendState {
  return { ...state, replacement: undefined, offer: undefined, stalled: false, failure: undefined }
}

/** Journals of before there were replacements name no hash: there was only one. */
function minedAs(state: SendState, event: Extract<SendEvent, { type: 'mined' }>): SendState {
  const { blockNumber, blockHash, feeWei, hash = state.hash } = event
  if (hash === undefined) return state
  const mined = { blockNumber, blockHash, feeWei, hash }
  const told = {
    offer: undefined,
    stalled: false,
    failure: undefined,
    withheld: undefined,
    gapFrom: undefined,
  }
  return { ...state, ...told, phase: 'mined', mined }
}

function endOf({ rivals, mined }: SendState): 'final' | 'cancelled' {
  const cancelled = rivals.some(({ kind, hash }) => kind === 'cancel' && hash === mined?.hash)
  return cancelled ? 'cancelled' : 'final'
}
