import type { Forecast } from '../../consensus/forecast.ts'
import { type Survey, surveyDoubt, surveySource } from '../../consensus/survey.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatDuration, formatGwei, formatWei, ordinal } from '../../format/amount.ts'
import { signsExternally } from '../gate/nonce.ts'
import { gateCommands, gateRows, showsGate } from '../gate/view.ts'
import { known } from '../observation.ts'
import { endedOf } from '../payment/candidates.ts'
import { isBegun } from '../payment/sign-again.ts'
import { walletCommands, walletFields } from '../payment-view/external.ts'
import { paymentRows } from '../payment-view/rows.ts'
import { paymentMoney, paymentNotes, paymentTitle } from '../payment-view/text.ts'
import { paymentWaiting } from '../payment-view/told.ts'
import { gateVerdict, paymentVerdict } from '../payment-view/verdict.ts'
import { hasEnter, type StepView } from '../step-view.ts'
import type { FactRow, MoneyBand, Verdict } from '../view.ts'
import { topUpActions } from './actions.ts'
import { type Arrival, arrivalMoney, arrivalNotes, byOthers } from './arrivals.ts'
import { type TopUpState, topUpPlan } from './machine.ts'
import { adviseTopUp, chosenAmount, forecastTopUp, ladderAround, type TopUpAdvice } from './plan.ts'
import { topUpProblem } from './problem.ts'
import { TOPUP_TEXT as TEXT } from './text.ts'

/** Everything the top-up screen draws. */
export function topUpView(state: TopUpState, facts: Facts, setup: Setup): StepView {
  const { token } = setup.network.names
  const survey = known(state.survey)
  const pubkey = facts.identity?.pubkey
  const advice = survey && pubkey ? adviseTopUp(survey, pubkey, setup) : undefined
  const amountGwei = chosenAmount(state.chosenGwei, advice)
  const seen =
    survey && pubkey && amountGwei !== undefined
      ? forecastTopUp(survey, pubkey, amountGwei, setup)
      : undefined
  const idle = showsGate(state.send)
  const problem = topUpProblem(state, advice, facts)
  const waiting = paymentWaiting(state.send, setup)
  const plan = amountGwei === undefined ? undefined : topUpPlan(amountGwei, facts, setup)
  const enough =
    idle && state.chosenGwei === undefined && (advice?.proposedGwei === 0n || state.finished.length > 0)
  const paid = formatWei(paidBeforeWei(state, facts))
  const others = byOthers(state, facts)
  const checks = idle && !enough ? gateRows(state.send, setup, { less: TEXT.verdict.less }) : []
  const actions = topUpActions(state, { setup, facts, enough, amountGwei, seen, others })
  return {
    step: 'topup',
    title: TEXT.title,
    verdict: topUpVerdict(state, { checks, seen, enough, advice, isOpen: hasEnter(actions) }, facts, setup),
    sections: ['intro', 'facts', 'ladder', 'fields', 'checks', 'notes'],
    folds: ['checks'],
    intro: introOf(advice, setup),
    factsTitle: idle ? TEXT.factsTitle : paymentTitle(state.send),
    facts: idle
      ? adviceRows(advice, amountGwei, seen, setup)
      : paymentRows(state.send, setup, {
          valueSource: TEXT.value.source,
          valueExplain: TEXT.value.explain,
        }),
    fields: [
      ...(idle && advice?.proposedGwei !== undefined ? [amountField(state, amountGwei, token)] : []),
      ...(enough ? [] : walletFields(state.send, 'topup', facts, setup)),
    ],
    checks,
    ladder: idle && survey && pubkey && seen ? ladderAround(survey, pubkey, seen, setup) : [],
    timeline: [],
    notes: [
      ...arrivalNotes(others, setup),
      ...rememberedNotes(facts),
      ...paymentNotes(state.send, facts, setup),
      ...(survey === undefined || seen?.rank === undefined || !idle ? [] : seatWords(survey, seen, token)),
    ],
    money: withArrivals(
      paymentMoney(state.send, plan, setup, {
        before: TEXT.money.before(`${paid} ${token}`, facts.registration !== undefined),
        worst: worstWords(seen, setup),
        after: TEXT.money.after,
        leftBefore: (amount) => `${paid} ${token} + ${amount}`,
      }),
      others,
      setup,
    ),
    ...(problem === undefined ? {} : { problem }),
    ...(waiting === undefined || problem !== undefined ? {} : { waiting }),
    actions,
    commands:
      idle && !signsExternally(state.send, setup)
        ? gateCommands(state.send, plan, setup)
        : walletCommands(state.send),
    done: isPaid(state.send) || enough,
  }
}

type Bought = {
  checks: readonly FactRow[]
  seen: Forecast | undefined
  enough: boolean
  advice: TopUpAdvice | undefined
  isOpen: boolean
}

function topUpVerdict(
  { send }: TopUpState,
  { checks, seen, enough, advice, isOpen }: Bought,
  facts: Facts,
  setup: Setup,
): Verdict {
  const { token } = setup.network.names
  if (isBegun(send)) return paymentVerdict(send)
  if (enough) return { mark: 'proven', text: TEXT.verdict.enough }
  if (seen?.evictedAtOnce === true)
    return {
      mark: 'refused',
      text: TEXT.verdict.amount(outcome(seen, token)),
      next: placeWords(advice, token),
    }
  if (facts.deposit?.remembered === true) return { mark: 'asking', text: TEXT.verdict.remembered }
  const verdict = gateVerdict(send, { checks, isOpen }, setup)
  if (seen === undefined || verdict.mark !== 'proven') return verdict
  return {
    ...verdict,
    text: `${outcome(seen, token)}; ${verdict.text.charAt(0).toLowerCase()}${verdict.text.slice(1)}`,
  }
}

/** The amount that gets a place, where there is one. */
function placeWords(advice: TopUpAdvice | undefined, token: string): string {
  const proposedGwei = advice?.proposedGwei
  return proposedGwei === undefined || proposedGwei === 0n
    ? TEXT.verdict.another
    : TEXT.verdict.place(`${formatGwei(proposedGwei)} ${token}`)
}

const isPaid = (send: TopUpState['send']) => endedOf(send)?.outcome.is === 'paid'

function rememberedNotes({ deposit }: Facts): string[] {
  if (deposit?.remembered !== true) return []
  return [TEXT.notes.remembered(deposit.blockNumber)]
}

function withArrivals(band: MoneyBand, others: readonly Arrival[], setup: Setup): MoneyBand {
  return { ...band, line: `${band.line}${arrivalMoney(others, setup)}` }
}

/** What has left the wallet for this key, without the payment that is on the screen. */
function paidBeforeWei({ finished, send }: TopUpState, { deposit }: Facts): bigint {
  const before = isPaid(send) ? finished.slice(0, -1) : finished
  return before.reduce((sum, { valueWei }) => sum + valueWei, deposit?.valueWei ?? 0n)
}

function introOf(advice: TopUpAdvice | undefined, setup: Setup): string {
  if (advice?.proposedGwei === 0n) return TEXT.intro.enough
  return TEXT.intro.set(setup.network.spec.validatorSetCap, thresholdText(setup), delayText(setup))
}

function thresholdText({ network }: Setup): string {
  return `${formatGwei(network.spec.activationBalanceGwei)} ${network.names.token}`
}

/** How long the stake of a lost key stays locked. */
function delayText({ network }: Setup): string {
  const { withdrawabilityDelayEpochs, slotsPerEpoch } = network.spec
  return formatDuration(Number(withdrawabilityDelayEpochs * slotsPerEpoch) * network.slotMs)
}

function adviceRows(
  advice: TopUpAdvice | undefined,
  amountGwei: bigint | undefined,
  seen: Forecast | undefined,
  setup: Setup,
): FactRow[] {
  if (advice === undefined) return []
  const rows: FactRow[] = []
  if (advice.threshold !== undefined && advice.threshold.addGwei !== amountGwei) {
    const { addGwei, forecast } = advice.threshold
    rows.push({ ...offerRow('threshold', addGwei, forecast, advice, setup), alternative: true })
  }
  if (amountGwei !== undefined && seen !== undefined)
    rows.push(offerRow('amount', amountGwei, seen, advice, setup))
  return rows
}

function offerRow(
  id: string,
  addGwei: bigint,
  seen: Forecast,
  advice: TopUpAdvice,
  { network }: Setup,
): FactRow {
  const total = formatGwei(advice.stakeToBeGwei + addGwei)
  return {
    id,
    mark: seen.keepsSeat && (seen.marginGwei ?? 1n) > 0n ? 'proven' : 'refused',
    label: TEXT.offer.label(formatGwei(addGwei), total),
    value: outcome(seen, network.names.token),
    source: '',
    explain: TEXT.offer.explain,
  }
}

function outcome(seen: Forecast, token: string): string {
  const words = TEXT.outcome
  if (!seen.crossesThreshold) return words.below(`${formatGwei(seen.shortOfThresholdGwei)} ${token}`)
  const { rank, seats } = seen
  const place = rank === undefined ? '' : words.place(ordinal(rank), rank <= seats, seats)
  if (seen.evictedAtOnce) return `${place}${words.lost}`
  if (!seen.keepsSeat) return `${place}${words.out}`
  const margin = seen.marginGwei
  if (margin === undefined) return `${place}${words.free}`
  return `${place}${margin > 0n ? words.above(formatGwei(margin)) : words.tie}`
}

function seatWords(survey: Survey, seen: Forecast, token: string): string[] {
  const more = seen.unseatedByGwei ?? 0n
  return [
    TEXT.notes.margin(surveySource(survey), `${formatGwei(more)} ${token}`),
    ...surveyDoubt(survey),
    TEXT.notes.balance(formatGwei(seen.balanceAfterGwei), formatGwei(seen.effectiveAfterGwei)),
  ]
}

function worstWords(seen: Forecast | undefined, setup: Setup): string {
  if (seen?.crossesThreshold === false) return TEXT.money.locked(thresholdText(setup))
  return TEXT.money.outbid(delayText(setup))
}

function amountField(
  state: TopUpState,
  amountGwei: bigint | undefined,
  token: string,
): StepView['fields'][number] {
  const text = amountGwei === undefined ? '' : formatGwei(amountGwei).replaceAll(',', '')
  return {
    id: 'amount',
    takes: { step: 'topup', type: 'chosen' },
    label: TEXT.field.label(token),
    value: text,
    hint: TEXT.field.hint,
    explain: TEXT.field.explain,
    ...(state.error === undefined ? {} : { error: state.error }),
  }
}
