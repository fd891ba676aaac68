import { formatGwei, formatLimitWei, type Gwei } from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import { guardRows, guardStands } from '../../observe/guard-rows.ts'
import { type GuardStanding, heldElsewhereBy } from '../../observe/picture.ts'
import type { Offer } from '../../pay/desk/offer.ts'
import { cancellationFeeWei, RUNGS_OF_EXTERNAL } from '../../pay/guard/ladder.ts'
import { GUARD_TEXT as TEXT } from '../../pay/guard/text.ts'
import type { PayingEvent } from '../../pay/payment/payment.ts'
import { retryOf } from '../../pay/payment-view/actions.ts'
import { CONSENT_TEXT } from '../../pay/payment-view/consent-text.ts'
import { type ActionView, goTo, type StepField } from '../../view/step-view.ts'
import type { FactRow, MoneyBand, Verdict } from '../../view/view.ts'
import { takeBackOffer } from './guard-offer.ts'
import { dayOf } from './guard-page.ts'
import type { TopUpEvent, TopUpState } from './machine.ts'

type Action = ActionView<TopUpEvent | PayingEvent, Offer>

/** Leads from the page of the guard to that of the step. */
export const GUARD_BACK: Action = {
  key: 'escape',
  label: TEXT.keys.back,
  does: [{ step: 'topup', type: 'guardTurned', open: false }],
}

/** Asks anew for all that the page rests on, and lets go of what failed. */
export const GUARD_RETRY: Action = {
  ...retryOf('topup'),
  does: [
    { step: 'topup', type: 'guardTurned', open: true },
    { step: 'topup', type: 'entered' },
  ],
}

/** Returns the guard that is here and not over. */
export function guardHere({ guard: { here } }: Pick<TopUpState, 'guard'>): GuardStanding | undefined {
  return typeof here === 'object' && here.stand !== 'over' ? here : undefined
}

/** Returns where that guard stands and who holds it. What else is said of one is the business of who does. */
export const guardRow = ({ guard }: Pick<TopUpState, 'guard'>, setup: Setup): FactRow[] =>
  guardRows(guardHere({ guard }), setup).slice(0, 1)

/** Returns what the page is made of while a guard is here. */
export function standingParts(state: TopUpState, here: GuardStanding, setup: Setup) {
  const isBusy = state.guard.work !== undefined
  return {
    verdict: guardVerdict(state, here, setup),
    facts: rowsOf(here, setup),
    fields: importFields(here),
    checks: [],
    notes: notesOf(state, here),
    money: moneyOf(state, here, setup),
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

function moneyOf({ guard: { work } }: TopUpState, here: GuardStanding, setup: Setup): MoneyBand {
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
export const termRow = (id: string, label: string, value: string, long?: string): FactRow => ({
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
