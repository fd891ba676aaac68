import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import type { Gwei, Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import { neededMarks } from '../../view/rows.ts'
import type { Mark } from '../../view/view.ts'
import { feeLimitWei } from '../funds.ts'
import {
  type AgreedKeyState,
  type AgreedTerms,
  type AgreementChange,
  agreementChange,
  newDeposits,
} from '../gate/consent.ts'
import { GATE_FACTS } from '../gate/facts.ts'
import { nonceFor, signsExternally } from '../gate/nonce.ts'
import { draftOf, liveOf } from '../payment/candidates.ts'
import type { PaymentPlan, PaymentState, Replacement, SignerKind } from '../payment/payment.ts'
import { mayReplaceBy } from '../payment/sign-again.ts'

/** A deposit for the key; the amount of one that takes the place of a payment under way is not asked for. */
type ToldDeposit = { hash: Hex; amountGwei: Gwei | undefined }

/** What both kinds of a payment are compared by beside their transaction. Undefined is what nobody knows now. */
export type OfferedState = {
  world: AgreedKeyState | undefined
  /** The deposits for the key that wait to be counted, and those that are told to be of others. */
  deposits: readonly ToldDeposit[] | undefined
  /** Whether payments by others are told block by block: an endpoint may not tell them, or not any more. */
  isFollowed: boolean
}

/** A payment that a word makes: everything that makes another one of it, by ids. Undefined is what nobody knows now. */
export type PaymentOffer = OfferedState & {
  kind: 'first' | 'rescue' | 'top-up'
  plan: PaymentPlan
  /** The word that is asked for: `risk` where the outcome is not safe, or only reported. */
  level: 'send' | 'risk' | undefined
  signer: SignerKind
  chainId: number
  from: Hex | undefined
  /** A contract account has none of its own. */
  nonce: number | undefined
  /** The most that the fee may be, as it is printed. */
  feeLimitWei: Wei | undefined
  /** The mark of every check that is needed, by its id. */
  checks: Readonly<Record<string, Mark>>
}

/** Another transaction in the place of a payment. */
export type ReplacementOffer = OfferedState & {
  kind: Replacement['kind']
  transaction: UnsignedTransaction
  /** A block holds the payment already. */
  isInBlock: boolean
  /** The payment may be replaced by this transaction. */
  mayReplace: boolean
}

/** A word about the payment as it is: nobody signs what was exported, or it is sent again. */
export type SetAsideOffer = { kind: 'set-aside'; nonce: number; from: Hex; isInBlock: boolean }

/** A guard that a word arms: its terms, and the checks that must hold. Undefined is what nobody knows now. */
export type GuardOffer = {
  kind: 'guard'
  capGwei: Gwei
  untilSeconds: bigint
  slotsToHuman: number
  chainId: number
  signer: SignerKind
  from: Hex | undefined
  nonce: number | undefined
  /** The most that any of its members may cost. */
  feeLimitWei: Wei | undefined
  checks: Readonly<Record<string, Mark>>
}

/** What a typed word agrees to: plain data, made from the state that its frame was made from. */
export type Offer = PaymentOffer | ReplacementOffer | SetAsideOffer | GuardOffer

/** Changes of which there is no more to say than that they are there. */
type PlainChange = 'gone' | 'plan' | 'signer' | 'chain' | 'sender' | 'nonce' | 'level' | 'in-block' | 'key'

/** What makes another offer, by its id. Amounts in gwei and wei. */
export type OfferChange =
  | { id: PlainChange }
  | { id: 'deposits'; deposits: readonly ToldDeposit[] }
  | { id: 'check'; check: string }
  | { id: 'fee'; wasWei: Wei; isWei: Wei }
  | AgreementChange

type PlainGap = 'world' | 'deposits' | 'sender' | 'nonce' | 'fee' | 'level'

/** What is not known now of what was offered: parts, and checks by their id. */
export type OfferGap = { id: PlainGap } | { id: 'check'; check: string }

/** Whether an offer is still the one that was opened. */
export type Comparison =
  | { is: 'same' }
  | { is: 'other'; changes: readonly OfferChange[] }
  | { is: 'unknown'; gaps: readonly OfferGap[] }

type Difference = { change: OfferChange } | { gap: OfferGap }

/**
 * Compares an opened offer with the same offer over the present state, undefined where it is no longer possible. Not a
 * change: a later block, a better outcome, deposits for others, an agreed deposit that was counted, a lower fee.
 */
export function compareOffers(opened: Offer, now: Offer | undefined): Comparison {
  const found = now === undefined ? [{ change: { id: 'gone' } as const }] : differences(opened, now)
  const changes = found.flatMap((one) => ('change' in one ? [one.change] : []))
  if (changes.length > 0) return { is: 'other', changes }
  const gaps = found.flatMap((one) => ('gap' in one ? [one.gap] : []))
  return gaps.length > 0 ? { is: 'unknown', gaps } : { is: 'same' }
}

function differences(opened: Offer, now: Offer): Difference[] {
  if (opened.kind === 'set-aside')
    return now.kind === 'set-aside' ? setAsideDifferences(opened, now) : changed('gone')
  if (opened.kind === 'guard') return now.kind === 'guard' ? guardDifferences(opened, now) : changed('gone')
  if (isReplacement(opened))
    return isReplacement(now) && now.kind === opened.kind
      ? replacementDifferences(opened, now)
      : changed('gone')
  return now.kind === opened.kind ? paymentDifferences(opened, now) : changed('gone')
}

function guardDifferences(opened: GuardOffer, now: GuardOffer): Difference[] {
  const isOther =
    now.capGwei !== opened.capGwei ||
    now.untilSeconds !== opened.untilSeconds ||
    now.slotsToHuman !== opened.slotsToHuman
  return [
    ...changedWhere(isOther, 'plan'),
    ...changedWhere(now.from !== undefined && now.signer !== opened.signer, 'signer'),
    ...changedWhere(now.chainId !== opened.chainId, 'chain'),
    ...senderDifferences(opened, now),
    ...Object.keys(opened.checks).flatMap((check) => checkDifferences(check, now.checks[check])),
    ...feeDifferences(opened, now),
  ]
}

const isReplacement = (offer: Offer): offer is ReplacementOffer => 'transaction' in offer

const changed = (id: PlainChange): Difference[] => [{ change: { id } }]
const changedWhere = (isOther: boolean, id: PlainChange): Difference[] => (isOther ? changed(id) : [])
const gap = (id: PlainGap): Difference[] => [{ gap: { id } }]

function setAsideDifferences(opened: SetAsideOffer, now: SetAsideOffer): Difference[] {
  return [
    ...changedWhere(now.isInBlock && !opened.isInBlock, 'in-block'),
    ...changedWhere(now.nonce !== opened.nonce, 'nonce'),
    ...changedWhere(!sameHex(now.from, opened.from), 'sender'),
  ]
}

/** A cancellation must stay possible while nobody answers: only a payment that is sped up is compared with its world. */
function replacementDifferences(opened: ReplacementOffer, now: ReplacementOffer): Difference[] {
  const own = [
    ...changedWhere(now.isInBlock, 'in-block'),
    ...changedWhere(now.transaction.nonce !== opened.transaction.nonce, 'nonce'),
    ...changedWhere(!now.isInBlock && !now.mayReplace, 'plan'),
  ]
  return opened.kind === 'cancellation' ? own : [...own, ...stateDifferences(opened, now)]
}

function paymentDifferences(opened: PaymentOffer, now: PaymentOffer): Difference[] {
  return [
    ...changedWhere(!samePlan(opened.plan, now.plan), 'plan'),
    ...changedWhere(now.from !== undefined && now.signer !== opened.signer, 'signer'),
    ...changedWhere(now.chainId !== opened.chainId, 'chain'),
    ...senderDifferences(opened, now),
    ...levelDifferences(opened, now),
    ...stateDifferences(opened, now),
    ...Object.keys(opened.checks).flatMap((check) => checkDifferences(check, now.checks[check])),
    ...feeDifferences(opened, now),
  ]
}

const samePlan = (a: PaymentPlan, b: PaymentPlan): boolean =>
  sameHex(a.to, b.to) && a.valueWei === b.valueWei && sameHex(a.data, b.data)

type Sent = Pick<PaymentOffer, 'signer' | 'from' | 'nonce' | 'feeLimitWei'>

function senderDifferences(opened: Sent, now: Sent): Difference[] {
  if (now.from === undefined || opened.from === undefined) return gap('sender')
  if (!sameHex(now.from, opened.from)) return changed('sender')
  if (opened.signer === 'contract') return []
  if (now.nonce === undefined || opened.nonce === undefined) return gap('nonce')
  return changedWhere(now.nonce !== opened.nonce, 'nonce')
}

function levelDifferences(opened: PaymentOffer, now: PaymentOffer): Difference[] {
  if (now.level === undefined || opened.level === undefined) return gap('level')
  return changedWhere(opened.level === 'send' && now.level === 'risk', 'level')
}

function feeDifferences({ feeLimitWei: wasWei }: Sent, now: Sent): Difference[] {
  const { feeLimitWei: isWei } = now
  if (wasWei === undefined || isWei === undefined) return gap('fee')
  return isWei > wasWei ? [{ change: { id: 'fee', wasWei, isWei } }] : []
}

/** What was opened had every check passed. */
function checkDifferences(check: string, mark: Mark | undefined): Difference[] {
  if (mark === 'proven') return []
  return mark === 'refused' ? [{ change: { id: 'check', check } }] : [{ gap: { id: 'check', check } }]
}

function stateDifferences(opened: OfferedState, now: OfferedState): Difference[] {
  return [...stakeDifferences(opened.world, now.world), ...depositDifferences(opened, now)]
}

function stakeDifferences(opened: AgreedKeyState | undefined, now: AgreedKeyState | undefined): Difference[] {
  if (opened === undefined || now === undefined) return gap('world')
  if (opened.about !== 'validator') return changedWhere(now.about !== opened.about, 'key')
  if (now.about !== 'validator') return changed('key')
  const change = agreementChange(opened, now)
  if (change !== undefined) return [{ change }]
  const knowsLess = opened.stakeToBeGwei !== undefined && now.stakeToBeGwei === undefined
  return knowsLess || now.block < opened.block ? gap('world') : []
}

/** Deposits that are gone from the list were counted, or their stake is another one. */
function depositDifferences(
  opened: OfferedState,
  { deposits: now, isFollowed: isTold }: OfferedState,
): Difference[] {
  const { deposits: before } = opened
  if (before === undefined || now === undefined) return gap('deposits')
  const known = before.map(({ hash }) => hash)
  const deposits = newDeposits(known, now)
  if (deposits.length > 0) return [{ change: { id: 'deposits', deposits } }]
  return opened.isFollowed && !isTold ? gap('deposits') : []
}

/** Builds the offer of a paying step from the replies of the gate. */
export function gateOffer(
  state: PaymentState,
  plan: PaymentPlan,
  setup: Setup,
): Omit<PaymentOffer, 'kind' | 'level' | keyof OfferedState> {
  const { observed } = state
  const sender = known(observed.sender)
  const latest = known(observed.nonce)?.latest
  const price = known(observed.balance)?.price
  const own = signsExternally(state, setup) ? 'external' : 'keystore'
  const from = sender?.address
  const isContract = sender?.contract === true
  return {
    plan,
    signer: isContract ? 'contract' : own,
    chainId: setup.network.executionChainId,
    from,
    nonce:
      isContract || from === undefined || latest === undefined
        ? undefined
        : nonceFor(state, { from, nonce: latest }),
    feeLimitWei: isContract ? 0n : price && feeLimitWei(price),
    checks: neededMarks(GATE_FACTS, observed, { observed, setup }),
  }
}

/** Returns the terms agreed to besides the plan and the key's state; undefined where a part of them is unknown. */
export function termsOf({
  from,
  nonce,
  feeLimitWei: limit,
  deposits,
}: PaymentOffer): AgreedTerms | undefined {
  if (from === undefined || limit === undefined || deposits === undefined) return undefined
  return { from, nonce, feeLimitWei: limit, deposits: deposits.map(({ hash }) => hash) }
}

/** Builds the offer of a replacement for the live payment; undefined where there is no live payment. */
export function replacementOffer(
  state: PaymentState,
  { kind, transaction }: Pick<ReplacementOffer, 'kind' | 'transaction'>,
  about: OfferedState,
): ReplacementOffer | undefined {
  const live = liveOf(state)
  if (live === undefined) return undefined
  const { nonce } = live.draft.transaction
  return {
    kind,
    transaction: { ...transaction, nonce },
    isInBlock: live.included !== undefined,
    mayReplace: mayReplaceBy(state, { kind, transaction }),
    ...about,
  }
}

/** Builds the offer to set aside an exported payment; undefined where no payment is under way. */
export function setAsideOffer(state: PaymentState): SetAsideOffer | undefined {
  const live = liveOf(state)
  const draft = draftOf(state)
  if (live === undefined || draft === undefined) return undefined
  const { from, transaction } = draft
  return { kind: 'set-aside', from, nonce: transaction.nonce, isInBlock: live.included !== undefined }
}

/** Builds the offer about the payment under way from the present state; undefined where it is no longer possible. */
export function paymentOffer(
  state: PaymentState,
  opened: ReplacementOffer | SetAsideOffer,
  about: OfferedState,
): Offer | undefined {
  return opened.kind === 'set-aside' ? setAsideOffer(state) : replacementOffer(state, opened, about)
}
