import { checkAddress } from '../../identity/check-address.ts'
import { type ErrorFacts, withSeen } from '../observation.ts'
import { withoutAwaited } from './handed.ts'
import {
  ENDED,
  isOpen,
  isOwn,
  isUnsigned,
  isWatched,
  mayHaveLeft,
  mayRelease,
  mayReopen,
  releasedAs,
} from './phases.ts'
import { isReplacement, mayReplace } from './replace.ts'
import {
  initialSend,
  type Payer,
  type SendCommand,
  type SendEvent,
  type SendPhase,
  type SendState,
} from './state.ts'
import { type TrackEvent, trackTransition } from './track-events.ts'

/** Ends of which only endpoints say that nothing was paid. */
const LOST: readonly SendPhase[] = ['cancelled', 'reverted', 'foreign']

type Result = readonly [SendState, readonly SendCommand[]]

/**
 * One payment, from consent to finality (safety §2.3). An event that does not fit the phase changes nothing:
 * a second consent, preparation or signature for an open payment cannot happen.
 */
export function sendTransition(state: SendState, event: SendEvent): Result {
  const { step } = event
  const command = (type: 'prepare' | 'signTransaction' | 'saveCommand' | 'track'): SendCommand => ({
    step,
    type,
    scope: 'always',
  })
  switch (event.type) {
    case 'observed':
      return [{ ...state, seen: withSeen(state.seen, event) }, []]
    case 'checkAsked':
      return state.phase === 'idle' ? check({ ...state, seen: anew(state) }, step) : [state, []]
    case 'walletChosen':
    case 'payerTyped':
      return choosePayer(state, event)
    case 'waiting':
      return [waiting(state, event), []]
    case 'confirmed':
      if (!isUnsigned(state)) return [state, []]
      return [
        {
          ...state,
          phase: 'confirmed',
          plan: event.plan,
          world: event.world,
          failure: undefined,
          wait: undefined,
        },
        [command('prepare')],
      ]
    case 'prepared': {
      if (!isUnsigned(state) || state.plan === undefined) return [state, []]
      const { prepared } = event
      if (prepared.elsewhere === true) return [{ ...state, phase: 'external', prepared }, [command('track')]]
      return [{ ...state, phase: 'prepared', prepared }, [command('signTransaction')]]
    }
    case 'cleared':
      return [isWatched(state) ? cleared(state, event) : state, []]
    case 'saveAsked':
      return [state, state.clear === undefined ? [] : [command('saveCommand')]]
    case 'saved':
      return [{ ...state, savedPath: event.path }, []]
    case 'brought':
      if (state.phase !== 'external' && state.replacement === undefined) return [state, []]
      if (state.prepared?.contract === true) return [state, []]
      return [{ ...state, failure: undefined }, [{ step, type: 'bring', scope: 'always', text: event.text }]]
    case 'released':
      return [mayRelease(state) ? release(state) : state, []]
    case 'signed':
      if (state.phase !== 'prepared' && state.phase !== 'external') return [state, []]
      return [
        { ...state, phase: 'signed', raw: event.raw, hash: event.hash, failure: undefined },
        [command('track')],
      ]
    case 'priceAsked':
    case 'priced':
    case 'offerLeft':
    case 'replacing':
    case 'replaced':
      return replaceTransition(state, event)
    case 'found':
      return find(state, event)
    case 'failed': {
      const next = failed(state, event.error)
      // What the rows say was asked for an agreement that is no more.
      return next.phase === 'idle' && state.phase !== 'idle' ? check(next, step) : [next, []]
    }
    case 'reopened':
      if (!mayReopen(state, step)) return [state, []]
      return [begunAnew(state, afterEnd(state)), []]
    default:
      return [trackTransition(state, event satisfies TrackEvent), []]
  }
}

/** The same wait goes on, however often it is looked at. */
function waiting(state: SendState, event: Extract<SendEvent, { type: 'waiting' }>): SendState {
  const { what, sinceMs } = event
  return state.wait?.what === what ? state : { ...state, wait: { what, sinceMs } }
}

function cleared(state: SendState, event: Extract<SendEvent, { type: 'cleared' }>): SendState {
  const { digest, otherDeposit } = event
  return { ...state, clear: digest === undefined ? undefined : { digest }, otherDeposit }
}

const check = (state: SendState, step: Payer): Result => [state, [{ step, type: 'check', scope: 'here' }]]

/** Everything unasked but the account: its keystore is read once, not with every look. */
function anew({ seen }: SendState): SendState['seen'] {
  const { funder } = seen
  return funder.status === 'known' ? { ...initialSend.seen, funder } : initialSend.seen
}

/** Another account is another payment: what was asked for the old one says nothing about it. */
function choosePayer(
  state: SendState,
  event: Extract<SendEvent, { type: 'walletChosen' | 'payerTyped' }>,
): Result {
  if (state.phase !== 'idle') return [state, []]
  const unasked = { ...state, seen: initialSend.seen, payerError: undefined, failure: undefined }
  if (event.type === 'walletChosen') {
    return check({ ...unasked, elsewhere: event.elsewhere, payer: undefined }, event.step)
  }
  const text = event.text.trim()
  const payerError = checkAddress(text)
  if (payerError !== undefined) return [{ ...state, payerError }, []]
  return check({ ...unasked, payer: text as SendState['payer'] }, event.step)
}

/** Nothing of the old payment but whose wallet it is, and what may still come out of one. */
function begunAnew(state: SendState, released: SendState['released']): SendState {
  const { ordinal, elsewhere, payer, phase, mined } = state
  const settled = phase === 'final' && mined !== undefined ? [...state.settled, mined.hash] : state.settled
  return { ...initialSend, ordinal: ordinal + 1, elsewhere, payer, released, settled }
}

/**
 * A contract account may carry the same call out once more (safety #74), and that a payment came to nothing is only what
 * endpoints said; what must not leave any more may have left. All of that stays in sight.
 */
function afterEnd({ released, plan, prepared, phase, withheld }: SendState): SendState['released'] {
  const mayHappen = prepared?.contract === true || LOST.includes(phase) || withheld !== undefined
  return mayHappen && prepared && plan ? [...released, { plan, prepared }] : released
}

function release(state: SendState): SendState {
  const { plan, prepared, released } = state
  if (plan === undefined || prepared === undefined) return state
  return begunAnew(state, [...released, { plan, prepared }])
}

type ReplaceEvent = Extract<
  SendEvent,
  { type: 'priceAsked' | 'priced' | 'offerLeft' | 'replacing' | 'replaced' }
>

function replaceTransition(state: SendState, event: ReplaceEvent): Result {
  const { step } = event
  switch (event.type) {
    case 'priceAsked': {
      const { kind } = event
      if (!mayReplace(state, kind) || !mayHaveLeft(state)) return [state, []]
      const offer = { kind, price: { status: 'asking' } } as const
      return [{ ...state, offer, failure: undefined }, [{ step, type: 'price', scope: 'here', kind }]]
    }
    case 'priced':
      if (state.offer?.kind !== event.kind) return [state, []]
      return [{ ...state, offer: { kind: event.kind, price: event.price } }, []]
    case 'offerLeft':
      return [{ ...state, offer: undefined }, []]
    case 'replacing': {
      const { replacement } = event
      if (!mayReplace(state, replacement.kind) || !isReplacement(state, replacement)) return [state, []]
      const next = { ...state, replacement, offer: undefined, failure: undefined, savedPath: undefined }
      const command = state.prepared?.elsewhere === true ? 'track' : 'signTransaction'
      return [{ ...next, clear: undefined }, [{ step, type: command, scope: 'always' }]]
    }
    case 'replaced': {
      if (!isOpen(state) || state.replacement === undefined) return [state, []]
      const rival = { ...state.replacement, raw: event.raw, hash: event.hash }
      const next = { ...state, rivals: [...state.rivals, rival], replacement: undefined, stalled: false }
      return [{ ...next, failure: undefined }, [{ step, type: 'track', scope: 'always' }]]
    }
  }
}

/** A wallet elsewhere has sent it: from now on it is followed by that hash, too. */
function find(state: SendState, event: Extract<SendEvent, { type: 'found' }>): Result {
  const { step, hash, valueWei, nonce } = event
  const stray = { hash, valueWei, nonce }
  const track: SendCommand = { step, type: 'track', scope: 'always' }
  if (isOwn(state, event)) {
    const strays = [...state.strays, stray]
    // It may be a call that was given up: then that is what is paid for.
    const given = state.released.find(({ plan }) => plan.data === event.data && plan.valueWei === valueWei)
    const plan = given?.plan ?? state.plan
    const next = { ...state, plan, strays, clear: undefined, otherDeposit: undefined, failure: undefined }
    return [next, [track]]
  }
  const old = releasedAs(state, event)
  if (old === undefined) return [state, []]
  const released = state.released.filter((one) => one !== old)
  return [{ ...begunAnew(state, released), ...old, phase: 'external', strays: [stray] }, [track]]
}

/** Before anything is signed a failure leads back to the beginning; afterwards it changes nothing but the words. */
function failed(state: SendState, failure: ErrorFacts): SendState {
  if (ENDED.includes(state.phase)) return { ...state, failure }
  if (isWatched(state)) return { ...withoutUnsigned(state), failure }
  return { ...state, phase: 'idle', failure, plan: undefined, world: undefined, prepared: undefined }
}

/** A replacement that only this computer's keystore could have signed, and has not, is nowhere. */
function withoutUnsigned(state: SendState): SendState {
  return state.prepared?.elsewhere === true ? state : { ...state, replacement: undefined }
}

/**
 * What to do with a payment found in the journal: one that nobody can have signed is asked for again, any other is
 * looked for before anything of it is shown.
 */
export function resumeSend(state: SendState, step: Payer): Result {
  if (isWatched(state)) {
    const unasked = {
      gapFrom: undefined,
      clear: undefined,
      otherDeposit: undefined,
      offer: undefined,
      failure: undefined,
    }
    const handed = withoutAwaited(state.handed)
    return [{ ...withoutUnsigned(state), ...unasked, handed }, [{ step, type: 'track', scope: 'always' }]]
  }
  if (ENDED.includes(state.phase))
    return [state, state.remembered ? [{ step, type: 'track', scope: 'always' }] : []]
  const { ordinal, elsewhere, payer, released, settled } = state
  return [{ ...initialSend, ordinal, elsewhere, payer, released, settled }, []]
}
