import { formatGwei, typedGwei } from '../../base/format/amount.ts'
import { sameHex } from '../../base/format/hex.ts'
import { asksForPlace } from '../../chain/consensus/propose-top-up.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import {
  compareOffers,
  gateOffer,
  type Offer,
  type OfferedState,
  type PaymentOffer,
  paymentOffer,
  termsOf,
} from '../../pay/desk/offer.ts'
import { gateIsOpen } from '../../pay/gate/facts.ts'
import { signsExternally } from '../../pay/gate/nonce.ts'
import { gateCommands, gateRows, showsGate } from '../../pay/gate/view.ts'
import { agreementOf, isPaid } from '../../pay/payment/candidates.ts'
import type { PayingEvent, PaymentPlan } from '../../pay/payment/payment.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import {
  neededField,
  paymentActions,
  retryOf,
  signerChoice,
  walletCommands,
  walletFields,
} from '../../pay/payment-view/actions.ts'
import { depositConsent, withConsents } from '../../pay/payment-view/consent-view.ts'
import { paymentNotes, walletHint } from '../../pay/payment-view/notes.ts'
import { paymentRows } from '../../pay/payment-view/rows.ts'
import { PAYMENT_TEXT } from '../../pay/payment-view/text.ts'
import {
  gateVerdict,
  paymentMoney,
  paymentProblem,
  paymentTitle,
  paymentVerdict,
  paymentWaiting,
} from '../../pay/payment-view/view.ts'
import { firstAmountRows, isAboveLeast } from '../../view/amount-rows.ts'
import { known } from '../../view/observation.ts'
import { problemOf } from '../../view/rows.ts'
import { goOn, hasEnter, type StepField, type StepView, stepView } from '../../view/step-view.ts'
import type { Consent, FactRow, Problem } from '../../view/view.ts'
import {
  DEPOSIT_TEXT,
  type DepositState,
  type DepositStepEvent,
  depositAgreement,
  depositPlan,
} from './machine.ts'

/** Builds the offer of the signed first deposit, or of a rescue, from what is known now. */
function depositOffer(
  state: DepositState,
  { kind, plan }: Pick<PaymentOffer, 'kind' | 'plan'>,
  setup: Setup,
): PaymentOffer {
  return {
    kind,
    level: 'send',
    ...gateOffer(state, plan, setup),
    world: { about: kind === 'rescue' ? 'burnt-key' : 'unused-key' },
    deposits: known(state.observed.key)?.deposits,
    isFollowed: false,
  }
}

/** Returns the key's state that a first deposit under way was agreed about, and the deposits made since. */
function depositUnderWay(state: DepositState): OfferedState {
  const { otherDeposit } = state.memory
  const hash = otherDeposit?.hash
  return {
    world: agreementOf(state)?.world,
    deposits: hash === undefined ? [] : [{ hash, amountGwei: undefined }],
    isFollowed: false,
  }
}

/** Builds an opened offer again from the present state; undefined where it is no longer possible. */
export function depositOfferNow(
  opened: Offer,
  state: DepositState,
  facts: Facts,
  setup: Setup,
): Offer | undefined {
  if (opened.kind === 'guard') return undefined
  if (!('plan' in opened)) return paymentOffer(state, opened, depositUnderWay(state))
  if (isBegun(state)) return undefined
  const plan = depositPlan(facts, setup)
  if (plan !== undefined) return depositOffer(state, { kind: kindOf(facts), plan }, setup)
  // What the plan is made of is being asked again.
  const offer = depositOffer(state, opened, setup)
  return { ...offer, checks: { ...offer.checks, calldata: 'unknown' } }
}

/** Returns whether a signature is for a first deposit or for a rescue. */
const kindOf = ({ signature }: Pick<Facts, 'signature'>): 'first' | 'rescue' =>
  signature?.rescue === true ? 'rescue' : 'first'

/** Everything the deposit screen draws. */
export function depositView(
  state: DepositState,
  facts: Facts,
  setup: Setup,
): StepView<DepositStepEvent | PayingEvent, Offer> {
  const { token } = setup.network.names
  const plan = depositPlan(facts, setup)
  const problem = paymentProblem(state) ?? unverified(state, plan)
  const checks = showsGate(state) ? gateRows(state, setup, { another: DEPOSIT_TEXT.signLess }) : []
  const actions = depositActions(state, facts, setup)
  const isSent = showsGate(state) && known(state.observed.key)?.sent !== undefined
  const verdict = isBegun(state)
    ? paymentVerdict(state, setup)
    : gateVerdict(state, { checks, isOpen: hasEnter(actions) }, setup)
  const { money, value } = DEPOSIT_TEXT
  const amountGwei = facts.signature?.amountGwei ?? 0n
  const worst = money.worst(`${formatGwei(amountGwei)} ${token}`)
  return stepView({
    step: 'deposit',
    title: DEPOSIT_TEXT.title,
    verdict: isSent ? undefined : verdict,
    sections: ['intro', 'facts', 'fields', 'checks', 'notes'],
    folds: ['checks'],
    intro: introOf(state, amountGwei, setup),
    factsTitle: showsGate(state) ? DEPOSIT_TEXT.factsTitle : paymentTitle(state),
    facts: showsGate(state) ? planRows(facts, setup) : paymentRows(state, setup, value),
    checks,
    fields: [...riskFields(state, facts, setup), ...walletFields(state, 'deposit', facts, setup)],
    notes: [...(isSent ? DEPOSIT_TEXT.sentNotes : []), ...paymentNotes(state, facts, setup)],
    money: isSent
      ? { line: money.sent, worst }
      : paymentMoney(state, plan, setup, {
          before: money.before(token),
          worst,
          after: money.after,
          leftBefore: (amount) => amount,
        }),
    activeField: neededField(state, facts, setup) ?? riskFields(state, facts, setup).find(isOpenField)?.id,
    problem,
    waiting: problem === undefined ? paymentWaiting(state, setup) : undefined,
    actions: withConsents(actions, state, { agreed: consentOf(state, facts, { plan, worst }, setup), setup }),
    commands:
      showsGate(state) && !signsExternally(state, setup)
        ? gateCommands(state, plan, setup)
        : walletCommands(state),
    commandHint: walletHint(state),
    done: isPaid(state),
  })
}

/** Of a payment that is under way nothing is checked any more before it is sent. */
function introOf(state: DepositState, amountGwei: bigint, { network: { spec, names } }: Setup): string {
  const { intro } = DEPOSIT_TEXT
  if (!asksForPlace(amountGwei, spec))
    return intro.noWayBack(`${formatGwei(spec.activationBalanceGwei)} ${names.token}`)
  return isBegun(state) ? '' : intro.joins
}

/** After a restart a payment may be abandoned before anybody has looked at the signature again. */
function unverified(state: DepositState, plan: PaymentPlan | undefined): Problem | undefined {
  if (isBegun(state) || plan !== undefined) return undefined
  return problemOf(
    { id: 'deposit.not-verified', kind: 'closed' },
    DEPOSIT_TEXT.notVerified,
    [],
    state.abandoned.length === 0 ? 'untouched' : 'unknown',
  )
}

function consentOf(
  state: DepositState,
  { signature }: Facts,
  { plan, worst }: { plan: PaymentPlan | undefined; worst: string },
  setup: Setup,
): Consent | undefined {
  if (plan === undefined || signature === undefined) return undefined
  return depositConsent(state, { plan, signature, worst }, setup)
}

/** What was signed: the user compares it once more before it is sent. */
function planRows({ signature, identity }: Facts, { network }: Setup): FactRow[] {
  if (signature === undefined || identity === undefined) return []
  const { rows } = DEPOSIT_TEXT
  const { withdrawalAddress, operator, amountGwei } = signature
  const isSame = sameHex(operator, withdrawalAddress)
  const amount = rows.amount(`${formatGwei(amountGwei)} ${network.names.token}`, network.spec.depositContract)
  const { same, ...operatorText } = rows.operator
  const shape = { mark: 'given', value: '', source: '' } as const
  return [
    { ...shape, id: 'amount', ...amount, source: DEPOSIT_TEXT.value.source, consented: true },
    ...firstAmountRows(amountGwei, network),
    { ...shape, id: 'pubkey', ...rows.pubkey, long: identity.pubkey },
    { ...shape, id: 'withdrawal', ...rows.withdrawal, long: withdrawalAddress },
    { ...shape, id: 'operator', ...operatorText, ...(isSame ? { value: same } : { long: operator }) },
  ]
}

/** A first deposit above the least is confirmed by a word of its own, before the one that sends it. */
function riskFields(
  state: DepositState,
  { signature }: Facts,
  setup: Setup,
): StepField<DepositStepEvent | PayingEvent>[] {
  const { payment, riskText, observed } = state
  const isDue = payment.phase === 'open' && signature !== undefined && known(observed.key)?.sent === undefined
  if (!isDue || !isAboveLeast(signature.amountGwei, setup.network)) return []
  const word = `${PAYMENT_TEXT.typed.risk} ${typedGwei(signature.amountGwei)}`
  const text = DEPOSIT_TEXT.risk(word)
  const isTaken = riskText === word
  const error = riskText === undefined || isTaken ? {} : { error: text.another }
  const takes = { step: 'deposit', type: 'riskTyped' } as const
  return [{ id: 'risk', takes, ...text.field, value: isTaken ? word : '', ...error }]
}

const isOpenField = ({ value }: StepField<DepositStepEvent | PayingEvent>): boolean => value === ''

function depositActions(
  state: DepositState,
  facts: Facts,
  setup: Setup,
): StepView<DepositStepEvent | PayingEvent, Offer>['actions'] {
  if (isPaid(state)) return [goOn('deposit')]
  if (isBegun(state)) return paymentActions(state, 'deposit', depositUnderWay(state))
  const amount = facts.signature === undefined ? '' : typedGwei(facts.signature.amountGwei)
  const { keys } = DEPOSIT_TEXT
  const verb = signsExternally(state, setup) ? 'prepare' : 'send'
  const sent = known(state.observed.key)?.sent
  const agreement = depositAgreement(facts, setup)
  const others = [retryOf('deposit'), ...signerChoice(state, 'deposit', setup)]
  if (agreement === undefined) return others
  const agree = { key: 'return', does: [agreement] }
  if (sent !== undefined) return [{ ...agree, label: keys.continueWith }, ...others]
  if (!gateIsOpen(state.observed, setup) || riskFields(state, facts, setup).some(isOpenField)) return others
  const typed = `${PAYMENT_TEXT.typed[facts.signature?.rescue === true ? 'rescue' : verb]} ${amount}`
  const offer = depositOffer(state, { kind: kindOf(facts), plan: agreement.plan }, setup)
  const terms = termsOf(offer)
  if (terms === undefined || compareOffers(offer, offer).is !== 'same') return others
  const does = [{ ...agreement, terms }]
  const anew = [{ step: 'deposit', type: 'entered' }] as const
  return [{ key: 'return', label: keys[verb], typed, offer, anew, does }, ...others]
}
