import { formatGwei, formatWei, type Gwei, weiToGwei } from '../../base/format/amount.ts'
import { asksForPlace } from '../../chain/consensus/propose-top-up.ts'
import type { Setup, SignatureFact } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { known } from '../../view/observation.ts'
import type { ActionView } from '../../view/step-view.ts'
import type { Consent } from '../../view/view.ts'
import type { Offer } from '../desk/offer.ts'
import { feeLimitWei } from '../funds.ts'
import { signsExternally } from '../gate/nonce.ts'
import { agreedPlan, draftOf, newestBytes } from '../payment/candidates.ts'
import type { PaymentEvent, PaymentPlan, PaymentState, Replacement } from '../payment/payment.ts'

const WORST = {
  speedUp: (fee: string) => `worst case: it takes longer all the same. It is paid once, ${fee}.`,
  cancel: 'worst case: the payment may still win: it is in a block first, and counts.',
  sendAgain: 'worst case: it takes longer. It is paid once.',
  abandon: 'worst case: a signed copy is sent all the same; it is found, and counts.',
}

/** What stands on every screen that asks for a word before money moves. Amounts come with their token. */
export const CONSENT_TEXT = {
  undo: {
    locked: (threshold: string) => `No way back: below ${threshold} of stake nothing can be taken out again.`,
    joins: (threshold: string, places: number) =>
      `No way back: at ${threshold} without a place among the ${places} ${STANDING_TEXT.outForEver}.`,
    exported: 'Once your wallet has signed it, nobody here can hold it back.',
    speedUp: 'No way back: whichever of the two is in a block first is the payment.',
    cancel: 'No way back: what is cancelled is not paid; another payment needs a word of its own.',
    sendAgain: 'No way back: once an endpoint has it, the next block may hold it.',
    abandon: 'No way back: what is abandoned here does not go on.',
  },
  stake: {
    first: (amount: string) => `At stake: ${amount}, which only the withdrawal address can get back.`,
    rescue: (amount: string) => `At stake: ${amount} more; what was burnt before stays lost.`,
    topUp: (amount: string, all: string) => `At stake: ${amount} more, ${all} in all.`,
    risk: (outcome: string) => `By the present set: ${outcome}.`,
    speedUp: (amount: string) => `At stake: ${amount}, once: one nonce is used once.`,
    cancel: (amount: string) => `At stake: a fee; ${amount} stays in the account if the transfer is first.`,
    sendAgain: (amount: string) => `At stake: ${amount}, once: one nonce is used once.`,
    abandon: (amount: string) => `At stake: ${amount}, if somebody has signed it after all.`,
  },
  worst: WORST,
  receivers: { contract: 'deposit contract', own: 'your own account' },
  fee: (most: string) => `fee up to ${most}`,
  /** The owners of a contract account carry the call out. */
  feeOfOwners: 'the owners pay the fee',
  noFee: 'no fee',
}

const withToken = (amount: string, { network }: Setup): string => `${amount} ${network.names.token}`

/** Returns what stands above the word that sends a first deposit; `worst` is that of its money band. */
export function depositConsent(
  state: PaymentState,
  { plan, signature, worst }: { plan: PaymentPlan; signature: SignatureFact; worst: string },
  setup: Setup,
): Consent {
  const { amountGwei, rescue } = signature
  const amount = withToken(formatGwei(amountGwei), setup)
  const isLocked = !asksForPlace(amountGwei, setup.network.spec)
  return {
    undo: undoOf(isLocked, state, setup),
    stake: rescue ? CONSENT_TEXT.stake.rescue(amount) : CONSENT_TEXT.stake.first(amount),
    worst,
    ...sentOf(plan, state, setup),
  }
}

/** The same of a top-up: `allGwei` is the stake with it, `risk` what it comes to where that is no safe place. */
export function topUpConsent(
  state: PaymentState,
  about: { plan: PaymentPlan; allGwei: Gwei; isLocked: boolean; risk: string | undefined; worst: string },
  setup: Setup,
): Consent {
  const { plan, allGwei, isLocked, risk, worst } = about
  const amount = withToken(formatGwei(weiToGwei(plan.valueWei)), setup)
  const stake = CONSENT_TEXT.stake.topUp(amount, withToken(formatGwei(allGwei), setup))
  return {
    undo: undoOf(isLocked, state, setup),
    stake: risk === undefined ? stake : `${stake} ${CONSENT_TEXT.stake.risk(risk)}`,
    worst,
    ...sentOf(plan, state, setup),
  }
}

/** Each action that asks for a word, with what stands above it, read of the very events that the word lets go. */
export function withConsents<E extends { type: string }>(
  actions: readonly ActionView<E, Offer>[],
  state: PaymentState,
  { agreed, setup }: { agreed: Consent | undefined; setup: Setup },
): ActionView<E, Offer>[] {
  return actions.map((action) => {
    const { typed, does } = action
    if (typed === undefined || typeof does === 'string' || 'edit' in does) return action
    const [first] = does.flatMap((event) => consentTo(event, state, { agreed, setup }) ?? [])
    const { token } = setup.network.names
    return first === undefined ? { ...action, token } : { ...action, token, consent: first }
  })
}

/** What a word of a payment lets go. */
type WordEvent = Extract<PaymentEvent, { type: 'agreed' | 'replacing' | 'abandoned' | 'sending-again' }>

const isOfWord = (event: { type: string }): event is WordEvent =>
  event.type === 'agreed' ||
  event.type === 'replacing' ||
  event.type === 'abandoned' ||
  event.type === 'sending-again'

function consentTo(
  event: { type: string },
  state: PaymentState,
  { agreed, setup }: { agreed: Consent | undefined; setup: Setup },
): Consent | undefined {
  if (!isOfWord(event)) return undefined
  switch (event.type) {
    case 'agreed':
      return agreed
    case 'replacing':
      return replaceConsent(state, event.replacement, setup)
    case 'abandoned':
      return underWayConsent(state, 'abandon', setup)
    case 'sending-again':
      return underWayConsent(state, 'sendAgain', setup)
  }
}

/** The most that a transaction may cost besides its value. */
const mostFeeOf = ({ gasLimit, maxFeePerGasWei }: Replacement['transaction']): string =>
  formatWei(gasLimit * maxFeePerGasWei)

/** Of a speed-up or a cancellation, whose transaction is known to the last field. */
function replaceConsent(state: PaymentState, { kind, transaction }: Replacement, setup: Setup): Consent {
  const { to, valueWei } = transaction
  const paid = withToken(formatWei(agreedPlan(state)?.valueWei ?? valueWei), setup)
  const fee = CONSENT_TEXT.fee(withToken(mostFeeOf(transaction), setup))
  const sent = { amount: withToken(formatWei(valueWei), setup), fee }
  if (kind === 'cancellation')
    return {
      undo: CONSENT_TEXT.undo.cancel,
      stake: CONSENT_TEXT.stake.cancel(paid),
      worst: CONSENT_TEXT.worst.cancel,
      to: { name: CONSENT_TEXT.receivers.own, address: to },
      ...sent,
    }
  return {
    undo: CONSENT_TEXT.undo.speedUp,
    stake: CONSENT_TEXT.stake.speedUp(paid),
    worst: CONSENT_TEXT.worst.speedUp(fee),
    to: { name: CONSENT_TEXT.receivers.contract, address: to },
    ...sent,
  }
}

/** Of the word that abandons a draft, by which nothing is sent, or that sends again what was to be canceled. */
function underWayConsent(
  state: PaymentState,
  word: 'abandon' | 'sendAgain',
  setup: Setup,
): Consent | undefined {
  const transaction = (newestBytes(state) ?? draftOf(state))?.transaction
  if (transaction === undefined) return undefined
  const amount = withToken(formatWei(transaction.valueWei), setup)
  return {
    undo: CONSENT_TEXT.undo[word],
    stake: CONSENT_TEXT.stake[word](amount),
    worst: CONSENT_TEXT.worst[word],
    to: { name: CONSENT_TEXT.receivers.contract, address: transaction.to },
    amount,
    fee: word === 'abandon' ? CONSENT_TEXT.noFee : CONSENT_TEXT.fee(withToken(mostFeeOf(transaction), setup)),
  }
}

function undoOf(isLocked: boolean, state: PaymentState, setup: Setup): string {
  const { spec } = setup.network
  const threshold = withToken(formatGwei(spec.activationBalanceGwei), setup)
  const undo = isLocked
    ? CONSENT_TEXT.undo.locked(threshold)
    : CONSENT_TEXT.undo.joins(threshold, spec.validatorSetCap)
  return signsExternally(state, setup) ? `${undo} ${CONSENT_TEXT.undo.exported}` : undo
}

function sentOf({ to, valueWei }: PaymentPlan, { observed }: PaymentState, setup: Setup) {
  const isContract = known(observed.sender)?.contract === true
  const price = known(observed.balance)?.price
  const most = price === undefined ? undefined : withToken(formatWei(feeLimitWei(price)), setup)
  return {
    to: { name: CONSENT_TEXT.receivers.contract, address: to },
    amount: withToken(formatWei(valueWei), setup),
    fee: isContract || most === undefined ? CONSENT_TEXT.feeOfOwners : CONSENT_TEXT.fee(most),
  }
}
