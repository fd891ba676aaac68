import { formatCount, formatGwei, formatLimitWei, type Gwei } from '../../base/format/amount.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { guardRows, guardStands } from '../../observe/guard-rows.ts'
import { type GuardStanding, heldElsewhereBy } from '../../observe/picture.ts'
import { compareOffers, type GuardOffer, type Offer } from '../../pay/desk/offer.ts'
import { signsExternally } from '../../pay/gate/nonce.ts'
import { gateRows } from '../../pay/gate/view.ts'
import { cancellationFeeWei, RUNGS_OF_EXTERNAL } from '../../pay/guard/ladder.ts'
import { latestSlotsBefore } from '../../pay/guard/terms.ts'
import { GUARD_TEXT as TEXT } from '../../pay/guard/text.ts'
import type { PayingEvent } from '../../pay/payment/payment.ts'
import { retryOf, signerChoice, walletFields } from '../../pay/payment-view/actions.ts'
import { CONSENT_TEXT } from '../../pay/payment-view/consent-view.ts'
import { gateVerdict } from '../../pay/payment-view/view.ts'
import { problemOf } from '../../view/rows.ts'
import { type ActionView, goTo, type StepField, type StepView, stepView } from '../../view/step-view.ts'
import type { FactRow, MoneyBand, Problem, Verdict } from '../../view/view.ts'
import { topUpOptions } from './facts.ts'
import {
  type AboutGuard,
  amountsOf,
  capFaultOf,
  dayIsPast,
  guardOffer,
  offerIsShort,
  takeBackOffer,
} from './guard-offer.ts'
import { dayOf } from './guard-page.ts'
import type { TopUpEvent, TopUpState } from './machine.ts'

type Action = ActionView<TopUpEvent | PayingEvent, Offer>

/** Leads from the page of the guard to that of the step. */
const GUARD_BACK: Action = {
  key: 'escape',
  label: TEXT.keys.back,
  does: [{ step: 'topup', type: 'guardTurned', open: false }],
}

/** Asks anew for all that the page rests on, and lets go of what failed. */
const GUARD_RETRY: Action = {
  ...retryOf('topup'),
  does: [
    { step: 'topup', type: 'guardTurned', open: true },
    { step: 'topup', type: 'entered' },
  ],
}

/** Returns the guard that is here and not over. */
function guardHere({ guard: { here } }: Pick<TopUpState, 'guard'>): GuardStanding | undefined {
  return typeof here === 'object' && here.stand !== 'over' ? here : undefined
}

/** Returns where that guard stands and who holds it. What else is said of one is the business of who does. */
export const guardRow = ({ guard }: Pick<TopUpState, 'guard'>, setup: Setup): FactRow[] =>
  guardRows(guardHere({ guard }), setup).slice(0, 1)

/** Returns what the page is made of while a guard is here. */
function standingParts(state: TopUpState, here: GuardStanding, setup: Setup) {
  const isBusy = state.guard.work !== undefined
  return {
    verdict: guardVerdict(state, here, setup),
    facts: rowsOf(here, setup),
    fields: importFields(here),
    checks: [],
    notes: notesOf(state, here),
    money: standingMoney(state, here, setup),
    actions: isBusy
      ? [GUARD_BACK]
      : [...takeBackOf(here, setup), ...importOf(here), ...holdOf(here), GUARD_RETRY, GUARD_BACK],
  }
}

function guardVerdict({ guard: { work } }: TopUpState, here: GuardStanding, setup: Setup): Verdict {
  const heldBy = heldElsewhereBy(here)
  const isAsked = work === 'taking-back' && here.stand !== 'cancelling' && heldBy !== undefined
  if (isAsked) return { mark: 'asking', text: TEXT.verdict.asked(heldBy) }
  if (work === 'taking-back') return { mark: 'asking', text: TEXT.verdict.takingBack }
  if (work !== undefined) return { mark: 'asking', text: TEXT.verdict.arming }
  if (here.stand === 'exported') return { mark: 'asking', text: TEXT.verdict.exported }
  if (here.stand === 'armed' && heldBy !== undefined)
    return { mark: 'proven', text: TEXT.verdict.heldElsewhere(heldBy) }
  if (here.stand === 'armed') return { mark: 'proven', text: TEXT.verdict.armed }
  const { mark, value, next } = guardStands(here, setup)
  return { mark, text: TEXT.verdict.under(value), ...(next === undefined ? {} : { next }) }
}

function takeBackOf(here: GuardStanding, setup: Setup): Action[] {
  if (here.stand !== 'armed' && here.stand !== 'handed-over') return []
  const { token } = setup.network.names
  const { takeBack } = TEXT.consent
  return [
    {
      key: 'x',
      label: TEXT.keys.takeBack,
      typed: 'void',
      token,
      offer: takeBackOffer(here),
      anew: [],
      consent: {
        ...takeBack,
        to: { name: CONSENT_TEXT.receivers.own, address: here.from },
        amount: `0 ${token}`,
        fee: TEXT.consent.fee(cancellationFee(setup)),
      },
      does: [{ step: 'topup', type: 'guardTakenBack' }],
    },
  ]
}

const cancellationFee = ({ network }: Setup): string =>
  `${formatLimitWei(cancellationFeeWei())} ${network.names.token}`

const importOf = ({ stand }: GuardStanding): Action[] =>
  stand === 'exported'
    ? [
        { key: 'p', label: TEXT.keys.import, does: { edit: 'members' } },
        { key: 's', label: TEXT.keys.save, does: [{ step: 'topup', type: 'guardSaveAsked' }] },
      ]
    : []

/** Leads to the screen that holds it, unless another process does. */
const holdOf = (here: GuardStanding): Action[] =>
  here.stand === 'exported' || here.stand === 'unreadable'
    ? []
    : [
        {
          key: 'return',
          label: heldElsewhereBy(here) === undefined ? TEXT.keys.hold : TEXT.keys.status,
          does: [{ step: 'topup', type: 'guardTurned', open: false }, goTo('status')],
        },
      ]

function standingMoney({ guard: { work } }: TopUpState, here: GuardStanding, setup: Setup): MoneyBand {
  const { money } = TEXT
  const text = (amountGwei: Gwei) => `${formatGwei(amountGwei)} ${setup.network.names.token}`
  const fee = cancellationFee(setup)
  const { stand, capGwei, amountGwei } = here
  if (stand === 'exported') return { line: money.exported(text(capGwei)), worst: money.worst }
  if (stand === 'unreadable') return { line: money.unread, worst: money.worst }
  if (work === 'taking-back' || stand === 'cancelling')
    return { line: money.cancelling(fee), worst: money.worstOfCancelling }
  if (stand === 'armed') return { line: money.armed(text(capGwei), fee), worst: money.worst }
  if (amountGwei === undefined) return { line: money.cancelling(fee), worst: money.none }
  return { line: money.sent(text(amountGwei)), worst: money.worst }
}

function notesOf({ guard: { path } }: TopUpState, { stand, nonce }: GuardStanding): string[] {
  // The terms were agreed to when it was armed; what cancelling does stands above its word.
  if (stand !== 'exported') return [TEXT.sentences.forget]
  const { who, saved, unsaved, end } = TEXT.external
  return [path === undefined ? unsaved : saved(path), who(RUNGS_OF_EXTERNAL + 1), end(nonce)]
}

/** A row of what was agreed to. */
const termRow = (id: string, label: string, value: string, long?: string): FactRow => ({
  id: `guard.${id}`,
  label,
  mark: 'given',
  value,
  ...(long === undefined ? {} : { long }),
  source: '',
  explain: TEXT.terms.explain,
})

function rowsOf(guard: GuardStanding, setup: Setup): FactRow[] {
  const { capGwei, untilSeconds, from, nonce, hasNoTerms } = guard
  const { token } = setup.network.names
  const unread = guard.stand === 'unreadable' ? guardRows(guard, setup).slice(0, 1) : []
  if (hasNoTerms === true) return unread
  return [
    ...unread,
    { ...termRow('cap', TEXT.terms.cap, `${formatGwei(capGwei)} ${token}`), consented: true },
    { ...termRow('until', TEXT.terms.until, dayOf(untilSeconds)), consented: true },
    termRow('account', TEXT.terms.account, TEXT.terms.nonceValue(nonce), from),
  ]
}

function importFields({ stand }: GuardStanding): StepField<TopUpEvent | PayingEvent>[] {
  if (stand !== 'exported') return []
  return [
    { id: 'members', takes: { step: 'topup', type: 'guardImported' }, ...TEXT.fields.signed, value: '' },
  ]
}

type View = StepView<TopUpEvent | PayingEvent, Offer>

type About = AboutGuard

/** The page on which a guard is armed, or taken back. */
export function guardView(state: TopUpState, facts: Facts, setup: Setup): View {
  const { token } = setup.network.names
  const { amountGwei } = topUpOptions(state, facts.identity?.pubkey, setup)
  const about = { capGwei: amountGwei, facts, setup }
  const here = guardHere(state)
  const { actions, ...parts } =
    here === undefined ? armingParts(state, about) : standingParts(state, here, setup)
  const cap = `${formatGwei(here?.capGwei ?? amountGwei ?? 0n)} ${token}`
  const problem = problemIn(state)
  return stepView({
    step: 'topup',
    title: TEXT.terms.title,
    sections: ['intro', 'facts', 'fields', 'checks', 'notes'],
    folds: ['checks'],
    intro: here?.hasNoTerms === true ? TEXT.terms.introUnread : TEXT.terms.intro(cap),
    ...parts,
    problem,
    // What may be tried again is, by the word once more.
    actions:
      state.guard.failure?.retryable === false ? actions.filter(({ key }) => key !== 'return') : actions,
    commands: [],
    done: false,
  })
}

/** What the page is made of while no guard is here. */
function armingParts(state: TopUpState, about: About) {
  const { guard, send } = state
  const offer = guardOffer(state, about)
  const actions = actionsOf(state, offer, about)
  return {
    verdict: armingVerdict(state, { actions, offer }, about),
    facts: termRows(state, offer, about),
    fields: fieldsOf(state, about),
    checks: guard.work === undefined ? gateRows(send, about.setup) : [],
    notes: [
      ...(signsExternally(send, about.setup) ? [TEXT.external.who(RUNGS_OF_EXTERNAL + 1)] : []),
      ...Object.values(TEXT.sentences),
    ],
    money: moneyOf(state, offer, about),
    actions,
  }
}

function actionsOf(state: TopUpState, offer: GuardOffer | undefined, about: About): Action[] {
  const { guard, send } = state
  if (guard.work !== undefined) return [GUARD_BACK]
  return [
    ...(offer === undefined || guard.here === 'unread' || dayIsPast(state) ? [] : armOf(state, offer, about)),
    { key: 'a', label: TEXT.terms.cap, does: { edit: 'amount' } },
    { key: 'd', label: TEXT.keys.until, does: { edit: 'until' } },
    { key: 's', label: TEXT.keys.slots, does: { edit: 'slots' } },
    ...signerChoice(send, 'topup', about.setup),
    GUARD_RETRY,
    GUARD_BACK,
  ]
}

/** The word that arms the guard, while everything that it agrees to is known and good. */
function armOf(state: TopUpState, offer: GuardOffer, { setup }: About): Action[] {
  const { from, nonce, feeLimitWei, capGwei, untilSeconds, slotsToHuman } = offer
  if (from === undefined || nonce === undefined || feeLimitWei === undefined) return []
  if (compareOffers(offer, offer).is !== 'same') return []
  const { token } = setup.network.names
  const cap = `${formatGwei(capGwei)} ${token}`
  const rungs = amountsOf(state, capGwei, setup)?.length ?? 0
  const agreed = { capGwei, untilSeconds, slotsToHuman, from, nonce, feeLimitWei }
  return [
    {
      key: 'return',
      label: TEXT.keys.arm(formatGwei(capGwei)),
      typed: `guard ${formatGwei(capGwei).replaceAll(',', '')}`,
      token,
      offer,
      anew: [{ step: 'topup', type: 'checkAsked' }],
      consent: {
        undo: TEXT.consent.undo,
        stake: TEXT.consent.stake(cap, rungs),
        worst: TEXT.consent.worst,
        to: { name: CONSENT_TEXT.receivers.contract, address: setup.network.spec.depositContract },
        amount: cap,
        fee: TEXT.consent.fee(`${formatLimitWei(feeLimitWei)} ${token}`),
      },
      does: [{ step: 'topup', type: 'guardAgreed', agreed }],
    },
  ]
}

/** The guard that is over, until the terms of another one are typed. */
function overOf({ guard: { here, work, untilSeconds, failure } }: TopUpState): GuardStanding | undefined {
  const isLast = work === undefined && untilSeconds === undefined && failure === undefined
  return isLast && typeof here === 'object' && here.stand === 'over' ? here : undefined
}

function armingVerdict(
  state: TopUpState,
  { actions, offer }: { actions: readonly Action[]; offer: GuardOffer | undefined },
  about: About,
): Verdict {
  const { capGwei, setup } = about
  const { work, untilSeconds, failure } = state.guard
  const over = overOf(state)
  if (work !== undefined) return { mark: 'asking', text: TEXT.verdict.arming }
  if (failure !== undefined) return { mark: 'refused', text: TEXT.verdict.refused }
  if (over !== undefined)
    return {
      mark: 'proven',
      text: TEXT.verdict.over(guardStands(over, setup).value),
      next: TEXT.verdict.another,
    }
  if (capGwei === undefined) return { mark: 'asking', text: TEXT.verdict.noCap }
  const capFault = capFaultOf(state, capGwei, about)
  if (capFault !== undefined) return { mark: 'refused', text: capFault }
  if (untilSeconds === undefined) return { mark: 'asking', text: TEXT.verdict.noDay }
  if (dayIsPast(state)) return { mark: 'refused', text: TEXT.fields.until.fault }
  if (actions.some(({ key }) => key === 'return')) return { mark: 'proven', text: TEXT.verdict.ready }
  const { mark, text } = gateVerdict(
    state.send,
    { checks: gateRows(state.send, setup), isOpen: false },
    setup,
  )
  if (mark === 'refused') return { mark, text }
  const short = offerIsShort(state, offer, setup)
  return short === undefined ? { mark: 'asking', text: TEXT.verdict.waits } : { mark: 'refused', text: short }
}

function moneyOf(state: TopUpState, offer: GuardOffer | undefined, { capGwei, setup }: About): MoneyBand {
  const { token } = setup.network.names
  const { money } = TEXT
  const text = (amountGwei: Gwei) => `${formatGwei(amountGwei)} ${token}`
  const over = overOf(state)
  if (over !== undefined)
    return { line: money.over[over.end ?? 'void'](text(over.amountGwei ?? 0n)), worst: money.none }
  const cap = text(capGwei ?? 0n)
  const most = offer?.feeLimitWei
  const line = most === undefined ? money.unknown(cap) : money.before(cap, `${formatLimitWei(most)} ${token}`)
  return { line, worst: money.worst }
}

function problemIn({ guard: { failure } }: TopUpState): Problem | undefined {
  if (failure === undefined) return undefined
  const { code, shortMessage: title, details: lines } = failure
  return { ...problemOf({ id: code, kind: 'closed' }, { title, lines, next: failure.nextSteps }) }
}

/** What became of the guard before this one. */
function lastRow({ guard: { here } }: TopUpState, setup: Setup): FactRow[] {
  if (typeof here !== 'object' || here.stand !== 'over') return []
  return [{ ...termRow('last', TEXT.terms.last, ''), ...guardStands(here, setup) }]
}

function termRows(state: TopUpState, offer: GuardOffer | undefined, { capGwei, setup }: About): FactRow[] {
  const { guard } = state
  const { token } = setup.network.names
  const amounts = capGwei === undefined ? undefined : amountsOf(state, capGwei, setup)
  const { cap, rungs, until, slots, account, fee, slotsValue } = TEXT.terms
  const unknown = '–'
  const isWhole = capGwei !== undefined && guard.untilSeconds !== undefined
  return [
    // What is still to be typed stands among the fields alone.
    ...(isWhole ? [termRow('cap', cap, `${formatGwei(capGwei)} ${token}`)] : []),
    termRow(
      'rungs',
      rungs,
      amounts === undefined ? unknown : amounts.map((amount) => formatGwei(amount)).join(' · '),
    ),
    ...(isWhole && guard.untilSeconds !== undefined
      ? [termRow('until', until, dayOf(guard.untilSeconds))]
      : []),
    termRow('slots', slots, slotsValue(guard.slots, latestSlotsBefore(setup.network))),
    offer?.from === undefined || offer.nonce === undefined
      ? termRow('account', account, unknown)
      : termRow('account', account, TEXT.terms.nonceValue(offer.nonce), offer.from),
    ...lastRow(state, setup),
    termRow(
      'fee',
      fee,
      offer?.feeLimitWei === undefined ? unknown : `${formatLimitWei(offer.feeLimitWei)} ${token}`,
    ),
  ]
}

function fieldsOf(state: TopUpState, about: About): StepField<TopUpEvent | PayingEvent>[] {
  const { capGwei, facts, setup } = about
  const { guard } = state
  const errorOf = (field: 'until' | 'slots') => (guard.error?.field === field ? guard.error.words : undefined)
  return [
    {
      id: 'amount',
      takes: { step: 'topup', type: 'chosen' },
      ...TEXT.fields.cap,
      value: capGwei === undefined ? '' : formatGwei(capGwei),
      error: state.error ?? (capGwei && capFaultOf(state, capGwei, about)),
    },
    {
      id: 'until',
      takes: { step: 'topup', type: 'guardUntilTyped' },
      ...TEXT.fields.until,
      value: guard.untilText,
      error: errorOf('until') ?? (dayIsPast(state) ? TEXT.fields.until.fault : undefined),
    },
    {
      id: 'slots',
      takes: { step: 'topup', type: 'guardSlotsTyped' },
      ...TEXT.fields.slots,
      value: formatCount(BigInt(guard.slots)),
      error: errorOf('slots'),
    },
    ...walletFields(state.send, 'topup', facts, setup),
  ]
}
