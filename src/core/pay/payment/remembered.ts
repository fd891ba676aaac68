import { sameHex } from '../../base/format/hex.ts'
import type { PaymentFact } from '../../chain/facts.ts'
import {
  endedOf,
  finalBlockOf,
  followedAnew,
  foundInBlock,
  includedOf,
  initialPayment,
  liveOf,
  newlyLive,
  signedOf,
  withoutAwaited,
  withoutUnsigned,
} from './candidates.ts'
import type {
  EndedPayment,
  LivePayment,
  PayingStep,
  PaymentBody,
  PaymentCommand,
  PaymentResult,
  PaymentState,
  PaymentStatus,
} from './payment.ts'
import type { Limits } from './payment-picture.ts'
import {
  type Decision,
  depositsOf,
  isReply,
  mayBeOurs,
  nonceAt,
  type PaymentReply,
  type ReplyOrError,
  type Round,
} from './round.ts'

/** Returns a payment read from the journal, with its end marked as remembered until the chain confirms it. */
export function asRemembered(state: PaymentState): PaymentState {
  const ended = endedOf(state)
  return ended === undefined ? state : { ...state, payment: { ...ended, remembered: true } }
}

/**
 * Decides what a restart trusts: nothing of how a payment ended until every endpoint says so. The chain beats the journal
 * both ways, by what it shows: another block at that height, another outcome, a payment that was called lost. An endpoint
 * that has forgotten it shows nothing. Nothing is decided while one is silent, old or forgetful, or while they disagree.
 */
export function decideRemembered(state: PaymentState, round: Round, limits: Limits): Decision {
  const ended = endedOf(state)
  if (ended?.remembered !== true) return { events: [], broadcasts: [] }
  const { byEndpoint, atMs, slotMs } = round
  const whole = byEndpoint.filter(tellsAll)
  const isNeeded = ended.outcome.is === 'nonce-taken'
  if (isNeeded && whole.some(({ receipt, deposits }) => receipt === undefined && deposits === undefined))
    return { wants: 'deposits' }
  const verdicts = byEndpoint.map((one) => ({
    endpoint: one.endpoint,
    bearsOut: tellsAll(one) ? bearsOut(state, ended, one) : undefined,
  }))
  const says = (verdict: boolean | undefined) => verdicts.filter((one) => one.bearsOut === verdict)
  const since = state.memory.since.contradicted ?? atMs
  const tell = (value: PaymentStatus, events: readonly PaymentBody[] = []): Decision => {
    const clocks = value.is === 'remembered-contradicted' ? { contradicted: since } : {}
    const memory = { ...state.memory, since: clocks }
    const tracking = { status: 'known', value, source: byEndpoint[0]?.endpoint ?? '', atMs } as const
    return { events: [{ type: 'watched', draft: ended.draft, memory, tracking }, ...events], broadcasts: [] }
  }
  if (says(true).length > 0 && says(false).length > 0) return tell({ is: 'remembered-disputed' })
  const silent = says(undefined).map(({ endpoint }) => endpoint)
  if (silent.length > 0 || verdicts.length === 0) return tell({ is: 'remembered-silent', endpoints: silent })
  if (says(false).length === 0) {
    const block = includedOf(state)?.blockNumber
    return tell({ is: 'upheld', block, outcome: ended.outcome.is }, [{ type: 'upheld' }])
  }
  const isOver = atMs - since >= limits.contradicted * slotMs
  return tell({ is: 'remembered-contradicted' }, isOver ? [{ type: 'contradicted' }] : [])
}

const tellsAll = (one: ReplyOrError): one is PaymentReply =>
  isReply(one) && one.headIsRecent && one.deposits !== 'unknown'

/**
 * Whether what one endpoint says is what the journal remembers; undefined where it says neither.
 */
function bearsOut(
  state: PaymentState,
  { outcome, draft }: EndedPayment,
  reply: PaymentReply,
): boolean | undefined {
  const { receipt, finalizedNumber, notedIsGone } = reply
  if (outcome.is === 'nonce-taken') {
    if (receipt !== undefined || nonceAt(reply, draft.from).latest <= draft.transaction.nonce) return false
    const [deposits = []] = depositsOf([reply], draft, state)
    return !deposits.some((made) => mayBeOurs(made, draft))
  }
  if (receipt === undefined) return notedIsGone ? false : undefined
  if (receipt.blockNumber > finalizedNumber) return false
  if (outcome.is === 'reverted') return receipt.status === 'reverted'
  const { hash, blockHash } = outcome.included
  const isThere = sameHex(receipt.hash, hash) && sameHex(receipt.blockHash, blockHash)
  return isThere && receipt.status === 'success'
}

/** Returns the payment as a fact once it is paid, proven or remembered; else undefined. */
export function paymentFact(state: PaymentState): PaymentFact | undefined {
  const ended = endedOf(state)
  if (ended?.outcome.is !== 'paid') return undefined
  const { transaction, from, baseline, signer } = ended.draft
  const { included } = ended.outcome
  const { nonce, valueWei } = foundInBlock(state) ?? signedInBlock(state)?.transaction ?? transaction
  return {
    ...included,
    from,
    nonce,
    valueWei,
    balanceBeforeWei: baseline.balanceWei,
    ...(signer === 'keystore' ? {} : { external: true }),
    ...(signer === 'contract' ? { contract: true } : {}),
    ...(ended.remembered ? { remembered: true } : {}),
  }
}

/** What a block holds of what was signed: a larger rung of a guard pays more than the first. */
function signedInBlock(state: PaymentState) {
  const hash = includedOf(state)?.hash
  return signedOf(state).find((one) => one.hash === hash)
}

/** Returns the payment open again, where the chain contradicts its remembered end. */
export function reopenedByChain(state: PaymentState): PaymentState {
  const ended = endedOf(state)
  if (ended === undefined) return state
  const { draft, candidates, attempts, cancelAgreed } = ended
  const broadcasts = withoutAwaited(ended.broadcasts)
  const phase = candidates.length === 0 ? 'exported' : 'under-way'
  const tried = { candidates, attempts, broadcasts, cancelAgreed, finalBefore: finalBlockOf(state) }
  const payment: LivePayment = { ...newlyLive(draft), phase, ...tried }
  return { ...state, payment, failure: undefined }
}

/**
 * What to do with a payment found in the journal: one that nobody can have signed is asked for again, any other is looked
 * for before anything of it is shown.
 */
export function resumePayment(state: PaymentState, step: PayingStep): PaymentResult {
  const live = liveOf(withoutUnsigned(state))
  const follow: PaymentCommand = { step, type: 'follow', scope: 'always' }
  if (live !== undefined) {
    const payment = { ...live, broadcasts: withoutAwaited(live.broadcasts) }
    return [{ ...followedAnew(state), payment, quote: undefined, failure: undefined }, [follow]]
  }
  const ended = endedOf(state)
  if (ended !== undefined) return [state, ended.remembered ? [follow] : []]
  const { ordinal, external, sender, abandoned, settled } = state
  return [{ ...initialPayment, ordinal, external, sender, abandoned, settled }, []]
}
