import { formatCount, formatGwei, formatWei, type Gwei } from '../../base/format/amount.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { compareOffers, type GuardOffer, type Offer } from '../../pay/desk/offer.ts'
import { gateRows } from '../../pay/gate/view.ts'
import { MOST_RUNGS, mostFeeOf, rungAmounts } from '../../pay/guard/ladder.ts'
import { latestSlotsBefore } from '../../pay/guard/terms.ts'
import { GUARD_TEXT as TEXT } from '../../pay/guard/text.ts'
import type { PayingEvent } from '../../pay/payment/payment.ts'
import { signerChoice, walletFields } from '../../pay/payment-view/actions.ts'
import { CONSENT_TEXT } from '../../pay/payment-view/consent-text.ts'
import { problemOf } from '../../view/rows.ts'
import { type ActionView, type StepField, type StepView, stepView } from '../../view/step-view.ts'
import type { FactRow, Problem, Verdict } from '../../view/view.ts'
import { topUpOptions } from './facts.ts'
import { type AboutGuard, amountsOf, guardOffer, takeBackOffer } from './guard-offer.ts'
import { dayOf, type GuardBrief } from './guard-page.ts'
import type { TopUpEvent, TopUpState } from './machine.ts'

type View = StepView<TopUpEvent | PayingEvent, Offer>
type Action = ActionView<TopUpEvent | PayingEvent, Offer>
type About = AboutGuard

/** The page on which a guard is armed, or taken back. */
export function guardView(state: TopUpState, facts: Facts, setup: Setup): View {
  const { guard, send } = state
  const { token } = setup.network.names
  const { amountGwei } = topUpOptions(state, facts.identity?.pubkey, setup)
  const about = { capGwei: amountGwei, facts, setup }
  const offer = guardOffer(state, about)
  const isHere = typeof guard.here === 'object' && guard.here.stand !== 'over'
  const checks = isHere || guard.work !== undefined ? [] : gateRows(send, setup)
  const actions = actionsOf(state, offer, about)
  const cap = `${formatGwei(amountGwei ?? 0n)} ${token}`
  const most = offer?.feeLimitWei === undefined ? undefined : `${formatWei(offer.feeLimitWei)} ${token}`
  const problem = problemIn(state)
  return stepView({
    step: 'topup',
    title: TEXT.terms.title,
    verdict: guardVerdict(state, actions, amountGwei),
    sections: ['intro', 'facts', 'fields', 'checks', 'notes'],
    folds: ['checks'],
    intro: TEXT.terms.intro(cap),
    facts:
      isHere && typeof guard.here === 'object' ? briefRows(guard.here, setup) : termRows(state, offer, about),
    fields: isHere ? importFields(state) : fieldsOf(state, about),
    checks,
    notes: Object.values(TEXT.sentences),
    money: {
      line: most === undefined ? TEXT.money.unknown(cap) : TEXT.money.before(cap, most),
      worst: TEXT.money.worst,
    },
    problem,
    actions: problem === undefined ? actions : actions.filter(({ key }) => key !== 'return'),
    commands: [],
    done: false,
  })
}

function actionsOf(state: TopUpState, offer: GuardOffer | undefined, about: About): Action[] {
  const { guard, send } = state
  const back: Action = {
    key: 'escape',
    label: TEXT.keys.back,
    does: [{ step: 'topup', type: 'guardTurned', open: false }],
  }
  if (guard.work !== undefined) return [back]
  const { here } = guard
  if (typeof here === 'object' && here.stand !== 'over')
    return [...takeBackOf(here, about.setup), ...importOf(here), back]
  return [
    ...(offer === undefined || here === 'unread' ? [] : armOf(offer, about)),
    { key: 'a', label: TEXT.terms.cap, does: { edit: 'amount' } },
    { key: 'd', label: TEXT.keys.until, does: { edit: 'until' } },
    { key: 's', label: TEXT.keys.slots, does: { edit: 'slots' } },
    ...signerChoice(send, 'topup', about.setup),
    back,
  ]
}

/** The word that arms the guard, while everything that it agrees to is known and good. */
function armOf(offer: GuardOffer, { setup }: About): Action[] {
  const { from, nonce, feeLimitWei, capGwei, untilSeconds, slotsToHuman } = offer
  if (from === undefined || nonce === undefined || feeLimitWei === undefined) return []
  if (compareOffers(offer, offer).is !== 'same') return []
  const { token } = setup.network.names
  const cap = `${formatGwei(capGwei)} ${token}`
  const rungs = rungAmounts(capGwei, setup.network)?.length ?? 0
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
        fee: TEXT.consent.fee(`${formatWei(feeLimitWei)} ${token}`),
      },
      does: [{ step: 'topup', type: 'guardAgreed', agreed }],
    },
  ]
}

function takeBackOf(here: GuardBrief, setup: Setup): Action[] {
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
        fee: TEXT.consent.fee(`${formatWei(mostFeeOf(MOST_RUNGS, 0n))} ${token}`),
      },
      does: [{ step: 'topup', type: 'guardTakenBack' }],
    },
  ]
}

const importOf = ({ stand }: GuardBrief): Action[] =>
  stand === 'exported' ? [{ key: 'p', label: TEXT.keys.import, does: { edit: 'members' } }] : []

function guardVerdict({ guard }: TopUpState, actions: readonly Action[], capGwei: Gwei | undefined): Verdict {
  const { here, work, untilSeconds } = guard
  if (work === 'arming' || work === 'importing') return { mark: 'asking', text: TEXT.verdict.arming }
  if (work === 'taking-back') return { mark: 'asking', text: TEXT.verdict.takingBack }
  if (typeof here === 'object' && here.stand === 'exported')
    return { mark: 'asking', text: TEXT.verdict.exported }
  if (typeof here === 'object' && here.stand !== 'over') return { mark: 'proven', text: TEXT.verdict.armed }
  if (guard.failure !== undefined) return { mark: 'refused', text: TEXT.verdict.refused }
  if (capGwei === undefined) return { mark: 'asking', text: TEXT.verdict.noCap }
  if (untilSeconds === undefined) return { mark: 'asking', text: TEXT.verdict.noDay }
  const isReady = actions.some(({ key }) => key === 'return')
  return isReady ? { mark: 'proven', text: TEXT.verdict.ready } : { mark: 'asking', text: TEXT.verdict.waits }
}

function problemIn({ guard: { failure } }: TopUpState): Problem | undefined {
  if (failure === undefined) return undefined
  const { code, shortMessage: title, details: lines } = failure
  return { ...problemOf({ id: code, kind: 'closed' }, { title, lines, next: failure.nextSteps }) }
}

const row = (id: string, label: string, value: string, long?: string): FactRow => ({
  id: `guard.${id}`,
  label,
  mark: 'given',
  value,
  ...(long === undefined ? {} : { long }),
  source: '',
  explain: TEXT.terms.explain,
})

function termRows(state: TopUpState, offer: GuardOffer | undefined, { capGwei, setup }: About): FactRow[] {
  const { guard } = state
  const { token } = setup.network.names
  const amounts = capGwei === undefined ? undefined : amountsOf(state, capGwei, setup)
  const { cap, rungs, until, slots, account, fee, slotsValue } = TEXT.terms
  const unknown = '–'
  const isWhole = capGwei !== undefined && guard.untilSeconds !== undefined
  return [
    // What is still to be typed stands among the fields alone.
    ...(isWhole ? [row('cap', cap, `${formatGwei(capGwei)} ${token}`)] : []),
    row(
      'rungs',
      rungs,
      amounts === undefined ? unknown : amounts.map((amount) => formatGwei(amount)).join(' · '),
    ),
    ...(isWhole && guard.untilSeconds !== undefined ? [row('until', until, dayOf(guard.untilSeconds))] : []),
    row('slots', slots, slotsValue(guard.slots, latestSlotsBefore(setup.network))),
    offer?.from === undefined || offer.nonce === undefined
      ? row('account', account, unknown)
      : row('account', account, TEXT.terms.nonceValue(offer.nonce), offer.from),
    row('fee', fee, offer?.feeLimitWei === undefined ? unknown : `${formatWei(offer.feeLimitWei)} ${token}`),
  ]
}

function briefRows({ capGwei, untilSeconds, from, nonce }: GuardBrief, setup: Setup): FactRow[] {
  const { token } = setup.network.names
  return [
    row('cap', TEXT.terms.cap, `${formatGwei(capGwei)} ${token}`),
    row('until', TEXT.terms.until, dayOf(untilSeconds)),
    row('account', TEXT.terms.account, TEXT.terms.nonceValue(nonce), from),
  ]
}

function fieldsOf(
  state: TopUpState,
  { capGwei, facts, setup }: About,
): StepField<TopUpEvent | PayingEvent>[] {
  const { guard } = state
  const errorOf = (field: 'until' | 'slots') => (guard.error?.field === field ? guard.error.words : undefined)
  return [
    {
      id: 'amount',
      takes: { step: 'topup', type: 'chosen' },
      ...TEXT.fields.cap,
      value: capGwei === undefined ? '' : formatGwei(capGwei),
      error: state.error,
    },
    {
      id: 'until',
      takes: { step: 'topup', type: 'guardUntilTyped' },
      ...TEXT.fields.until,
      value: guard.untilText,
      error: errorOf('until'),
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

function importFields({ guard: { here, path } }: TopUpState): StepField<TopUpEvent | PayingEvent>[] {
  if (typeof here !== 'object' || here.stand !== 'exported') return []
  return [
    {
      id: 'members',
      takes: { step: 'topup', type: 'guardImported' },
      ...TEXT.fields.signed,
      value: path ?? '',
    },
  ]
}
