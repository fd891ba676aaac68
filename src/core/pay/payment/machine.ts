import { ungroupHex } from '../../base/format/hex.ts'
import { checkAddress } from '../../chain/identity/check-address.ts'
import { withObservation } from '../../view/observation.ts'
import { abandonedAfter, abandonedAs, begunAnew } from './abandoned.ts'
import {
  agreementOf,
  bytesToBroadcast,
  draftOf,
  endedOf,
  followedAnew,
  initialPayment,
  liveOf,
  newlyLive,
  paymentBytes,
  withBroadcast,
  withBroadcastResult,
  withoutUnsigned,
} from './candidates.ts'
import type {
  Candidate,
  EndedBy,
  Included,
  LivePayment,
  PayingStep,
  PaymentBody,
  PaymentCommand,
  PaymentEvent,
  PaymentOutcome,
  PaymentResult,
  PaymentState,
} from './payment.ts'
import { reopenedByChain } from './remembered.ts'
import {
  fits,
  isOwn,
  isUnsigned,
  isUnsignedExport,
  mayHaveLeft,
  mayReplace,
  mayReplaceBy,
  maySendAgain,
} from './sign-again.ts'

type Of<T extends PaymentBody['type']> = Extract<PaymentEvent, { type: T }>

type Always = 'prepare' | 'signTransaction' | 'saveCommand' | 'follow'
const always = (step: PayingStep, type: Always): PaymentCommand[] => [{ step, type, scope: 'always' }]

/** From now on the chain is watched for the payment as it has become. */
const follow = (state: PaymentState, step: PayingStep, payment: LivePayment): PaymentResult => [
  followedAnew({ ...state, payment, failure: undefined }),
  always(step, 'follow'),
]

const withCandidate = (live: LivePayment, candidate: Candidate): LivePayment => ({
  ...live,
  phase: 'under-way',
  candidates: [...live.candidates, candidate],
})

/**
 * One payment, from agreement to its end. An event that does not fit changes nothing: a second agreement, draft or signature
 * for a live payment cannot happen.
 */
export function paymentTransition(state: PaymentState, event: PaymentEvent): PaymentResult {
  const { step } = event
  const live = liveOf(state)
  const ended = endedOf(state)
  const withLive = (change: Partial<LivePayment>): PaymentState =>
    live === undefined ? state : { ...state, payment: { ...live, ...change } }
  switch (event.type) {
    case 'observed':
      return [{ ...state, observed: withObservation(state.observed, event) }, []]
    case 'checkAsked':
      // What failed before is asked again, and fails again if it is still so.
      return state.payment.phase === 'open'
        ? check({ ...state, observed: anew(state), failure: undefined }, step)
        : [state, []]
    case 'recheckAsked':
      return state.payment.phase === 'open' ? check(state, step) : [state, []]
    case 'riskTyped':
      return [{ ...state, riskText: event.text.trim() }, []]
    case 'signerChosen':
    case 'senderTyped':
      return chooseSender(state, event)
    case 'waiting': {
      const { what, sinceMs } = event
      return [state.wait?.what === what ? state : { ...state, wait: { what, sinceMs } }, []]
    }
    case 'agreed': {
      if (!isUnsigned(state)) return [state, []]
      const { plan, world, terms } = event
      const agreement = { plan, world, ...(terms === undefined ? {} : { terms }) }
      const payment = { phase: 'agreed', agreement } as const
      return [{ ...state, payment, failure: undefined, wait: undefined }, always(step, 'prepare')]
    }
    case 'prepared':
      return prepare(state, event)
    case 'signed': {
      const draft = draftOf(state)
      if (draft === undefined || draft.signer === 'contract' || paymentBytes(state) !== undefined)
        return [state, []]
      if (live === undefined && state.payment.phase !== 'prepared') return [state, []]
      const { raw, hash } = event
      const bytes = { kind: 'payment', raw, hash, transaction: draft.transaction } as const
      return follow(state, step, withCandidate(live ?? newlyLive(draft), bytes))
    }
    case 'saveAsked':
      return [state, state.memory.shown === undefined ? [] : always(step, 'saveCommand')]
    case 'saved':
      return [{ ...state, savedPath: event.path }, []]
    case 'imported': {
      const isWanted = isUnsignedExport(state) || live?.replacement !== undefined
      if (!isWanted || live?.draft.signer === 'contract' || event.text.trim() === '') return [state, []]
      return [{ ...state, failure: undefined }, [{ step, type: 'import', scope: 'always', text: event.text }]]
    }
    case 'abandoned':
    case 'reopened':
      return fits(state, event) ? [begunAnew(state, abandonedAfter(state)), []] : [state, []]
    case 'quoteAsked': {
      const { kind } = event
      if (!mayReplace(state, kind) || !mayHaveLeft(state)) return [state, []]
      const quote = { kind, price: { status: 'asking' } } as const
      return [{ ...state, quote, failure: undefined }, [{ step, type: 'quote', scope: 'here', kind }]]
    }
    case 'quoted': {
      const { kind, price } = event
      return [state.quote?.kind === kind ? { ...state, quote: { kind, price } } : state, []]
    }
    case 'quoteLeft':
      return [{ ...state, quote: undefined }, []]
    case 'replacing': {
      const { replacement } = event
      if (live === undefined || !mayReplaceBy(state, replacement)) return [state, []]
      // A word that speeds it up is one that sends it.
      const cancelAgreed = replacement.kind === 'cancellation' ? (true as const) : undefined
      const payment = { ...live, replacement, cancelAgreed }
      const next = { ...state, payment, quote: undefined, failure: undefined, savedPath: undefined }
      return live.draft.signer === 'keystore'
        ? [next, always(step, 'signTransaction')]
        : follow(next, step, payment)
    }
    case 'replaced': {
      if (live?.replacement === undefined) return [state, []]
      const { raw, hash } = event
      const payment = withCandidate(live, { ...live.replacement, raw, hash })
      return follow(state, step, { ...payment, replacement: undefined })
    }
    case 'sending-again':
      if (live === undefined || !maySendAgain(state)) return [state, []]
      return follow(state, step, { ...live, cancelAgreed: undefined })
    case 'found':
      return find(state, event)
    case 'watched': {
      const { draft, memory, tracking } = event
      return [draft === draftOf(state) ? { ...state, memory, tracking } : state, []]
    }
    case 'handed-over':
    case 'handed-again': {
      // A line says what may have left, whatever is decided now.
      const isKept = event.type === 'handed-again' && bytesToBroadcast(state) === undefined
      if (live === undefined || isKept) return [state, []]
      return [{ ...state, payment: withBroadcast(live, event.endpoint, event.attempt) }, []]
    }
    case 'handed':
      return [{ ...state, payment: withBroadcastResult(state.payment, event) }, []]
    case 'included': {
      const { blockNumber, blockHash, feeWei, hash } = event
      const included = { blockNumber, blockHash, feeWei, hash }
      const memory = { ...state.memory, isStuck: false, gapFrom: undefined, inMempool: false }
      const next = withLive({ included, heldBack: undefined })
      return [{ ...next, memory, quote: undefined, failure: undefined }, []]
    }
    case 'orphaned':
      // What was in a block has left, whoever gave it away.
      return [withLive({ included: undefined, attempts: Math.max(1, live?.attempts ?? 0) }), []]
    case 'held-back': {
      const memory = { ...state.memory, shown: undefined }
      return [{ ...withLive({ heldBack: event.reason }), memory }, []]
    }
    case 'ended':
      return [end(state, event), []]
    case 'upheld':
      return [ended === undefined ? state : { ...state, payment: { ...ended, remembered: false } }, []]
    case 'contradicted':
      return [reopenedByChain(state), []]
    case 'failed': {
      const next = failed(state, event)
      // What the rows say was asked for an agreement that is no more.
      const isBack = next.payment.phase === 'open' && state.payment.phase !== 'open'
      return isBack ? check(next, step) : [next, []]
    }
  }
}

const check = (state: PaymentState, step: PayingStep): PaymentResult => [
  state,
  [{ step, type: 'check', scope: 'here' }],
]

/** Everything unasked but the account: its keystore is read once, not with every look. */
function anew({ observed }: PaymentState): PaymentState['observed'] {
  const { sender } = observed
  return sender.status === 'known' ? { ...initialPayment.observed, sender } : initialPayment.observed
}

/** Another account is another payment: what was asked for the old one says nothing about it. */
function chooseSender(state: PaymentState, event: Of<'signerChosen' | 'senderTyped'>): PaymentResult {
  if (state.payment.phase !== 'open') return [state, []]
  const unasked = { ...state, observed: initialPayment.observed, senderError: undefined, failure: undefined }
  if (event.type === 'signerChosen')
    return check({ ...unasked, external: event.external, sender: undefined }, event.step)
  const text = ungroupHex(event.text)
  const senderError = checkAddress(text)
  if (senderError !== undefined) return [{ ...state, senderError }, []]
  return check({ ...unasked, sender: text as PaymentState['sender'] }, event.step)
}

function prepare(state: PaymentState, { step, draft: made }: Of<'prepared'>): PaymentResult {
  const agreement = agreementOf(state)
  if (!isUnsigned(state) || agreement === undefined) return [state, []]
  const draft = { ...made, agreement }
  if (draft.signer === 'keystore')
    return [{ ...state, payment: { phase: 'prepared', draft } }, always(step, 'signTransaction')]
  return follow(state, step, newlyLive(draft))
}

/** A deposit that another signer sent: from now on the payment is followed by that hash, too. */
function find(state: PaymentState, event: Of<'found'>): PaymentResult {
  const { step, hash, valueWei, nonce, data } = event
  const live = liveOf(state)
  const candidate = { kind: 'found', hash, valueWei, nonce } as const
  if (live !== undefined && isOwn(state, event)) {
    // It may be a call that was abandoned: then that is what is paid for.
    const old = state.abandoned.find(
      ({ transaction }) => transaction.data === data && transaction.valueWei === valueWei,
    )
    const draft = { ...live.draft, agreement: (old ?? live.draft).agreement }
    return follow(state, step, { ...withCandidate(live, candidate), draft })
  }
  const draft = abandonedAs(state, event)
  if (draft === undefined) return [state, []]
  const rest = state.abandoned.filter((one) => one !== draft)
  return follow(begunAnew(state, rest), step, withCandidate(newlyLive(draft), candidate))
}

/** Nothing takes the place of a payment that has ended, and what failed on the way there says nothing of it. */
function end(state: PaymentState, { outcome: by }: Of<'ended'>): PaymentState {
  const live = liveOf(state)
  const outcome = outcomeOf(by, live?.included)
  if (live === undefined || outcome === undefined) return state
  const { draft, candidates, attempts, broadcasts, cancelAgreed } = live
  // What was carried out otherwise takes its place.
  const finalBefore = outcome.is === 'nonce-taken' ? live.finalBefore : undefined
  const tried = { draft, candidates, attempts, broadcasts, cancelAgreed, finalBefore }
  const payment = { phase: 'ended', ...tried, outcome, remembered: false } as const
  return { ...followedAnew(state), payment, quote: undefined, failure: undefined }
}

function outcomeOf(by: EndedBy, included: Included | undefined): PaymentOutcome | undefined {
  if (by.is === 'nonce-taken') return by
  if (by.is === 'reverted') return { is: by.is, reason: by.reason }
  return included && { is: by.is, included }
}

/** Before anything is signed a failure leads back to the beginning; afterwards it changes nothing but the words. */
function failed(state: PaymentState, { error: failure }: Of<'failed'>): PaymentState {
  if (endedOf(state) !== undefined) return { ...state, failure }
  if (liveOf(state) !== undefined) return { ...withoutUnsigned(state), failure }
  return { ...state, payment: { phase: 'open' }, failure }
}
