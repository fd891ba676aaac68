import { formatCount, formatGwei, type Gwei, gweiToWei } from '../../base/format/amount.ts'
import { groupHex, type Hex } from '../../base/format/hex.ts'
import { back, decides, KEY } from '../../base/format/next.ts'
import { encodeFirstDeposit, encodeRescueDeposit } from '../../chain/deposit/calldata.ts'
import type { Facts, Setup, SignatureFact } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { paymentTransition } from '../../pay/payment/machine.ts'
import type { PaymentCommand, PaymentEvent, PaymentPlan, PaymentState } from '../../pay/payment/payment.ts'
import { resumePayment } from '../../pay/payment/remembered.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'
import { STEP_NAMES_TEXT } from '../../view/text.ts'
import type { Explain } from '../../view/view.ts'

export type DepositState = PaymentState
export type DepositStepEvent = (PaymentEvent & { step: 'deposit' }) | { step: 'deposit'; type: 'entered' }

/** It `looks` alone: an error in it is the step's, and none of the payment. */
export type DepositCommand = { step: 'deposit'; type: 'watch-key'; scope: 'here'; looks: true }

const WATCH_KEY: DepositCommand = { step: 'deposit', type: 'watch-key', scope: 'here', looks: true }

type Result = readonly [DepositState, readonly (PaymentCommand | DepositCommand)[]]

/** Returns the fourth step: send the first deposit, once. */
export function depositTransition(state: DepositState, event: DepositStepEvent): Result {
  if (event.type !== 'entered') return paymentTransition(state, event)
  const [next, commands] = isBegun(state)
    ? resumePayment(state, 'deposit')
    : paymentTransition(state, { step: 'deposit', type: 'checkAsked' })
  return [next, [...commands, WATCH_KEY]]
}

/** The agreement to the first deposit that fits the signature: about a key that nobody has used, or a burnt one. */
export function depositAgreement(
  facts: Facts,
  setup: Setup,
): (DepositStepEvent & { type: 'agreed' }) | undefined {
  const plan = depositPlan(facts, setup)
  if (plan === undefined || facts.signature === undefined) return undefined
  const about = facts.signature.rescue ? 'burnt-key' : 'unused-key'
  return { step: 'deposit', type: 'agreed', plan, world: { about } }
}

/** Returns the one payment that fits the signature: the value is computed from the signed message, never typed. */
export function depositPlan(facts: Facts, { network }: Setup): PaymentPlan | undefined {
  const { identity, signature } = facts
  if (facts.genesis === undefined || identity === undefined || signature === undefined) return undefined
  return {
    to: network.spec.depositContract,
    valueWei: gweiToWei(signature.amountGwei),
    data: calldataOf(identity.pubkey, signature),
  }
}

function calldataOf(pubkey: Hex, fact: SignatureFact): Hex {
  const { withdrawalCredentials, signature, operator, rescue } = fact
  const signed = { pubkey, withdrawalCredentials, signature }
  return rescue ? encodeRescueDeposit(signed) : encodeFirstDeposit({ ...signed, operator })
}

const signed = {
  who: 'You, in the step before. The signature covers it.',
  later: 'Only by going back and signing again.',
}

/** Every sentence of the step that sends the first deposit, beside those of any payment. */
export const DEPOSIT_TEXT = {
  title: STEP_NAMES_TEXT.of.deposit.title,
  factsTitle: 'What is sent?',
  intro: {
    joins: `This amount joins the active set at once. If it ranks too low, ${STANDING_TEXT.outForEver}; its rank is checked below, right before sending.`,
    noWayBack: (threshold: string) =>
      `No way back: below ${threshold} of stake nothing can be taken out again.`,
  },
  value: { source: 'as signed', explain: 'The amount that is sent, read from the signed message.' },
  sentNotes: [
    'A deposit with exactly these fields is on the chain already. This program did not send it.',
    'Continue with that deposit. Nothing new is sent.',
  ],
  money: {
    before: (token: string) => `left the wallet 0 ${token}`,
    sent: 'the deposit is on the chain · nothing is sent now',
    worst: (amount: string) => `worst case: the chain rejects it despite all checks: ${amount} lost.`,
    after: 'the contract has it; the chain must still count the deposit.',
  },
  rows: {
    amount: (amount: string, contract: Hex): { label: string; value: string; explain: Explain } => ({
      label: 'amount',
      value: `${amount} to the deposit contract`,
      explain: {
        what: `The amount is read from the signed message; no other amount can be sent. It goes to the deposit contract ${groupHex(contract)}, whose code was compared in step 1.`,
        ...signed,
      },
    }),
    pubkey: { label: 'validator', explain: { what: 'The key that is registered.', ...signed } },
    withdrawal: {
      label: 'withdrawal',
      explain: {
        what: 'Where the stake is paid out when the validator leaves. It can never be changed.',
        ...signed,
      },
    },
    operator: {
      label: 'operator',
      same: 'the same address',
      explain: {
        what: 'The operator: the account that manages and receives the validator’s rewards. It never receives the stake.',
        ...signed,
      },
    },
  },
  /** The word of its own for more than the least. */
  risk: (word: string) => ({
    field: {
      label: 'confirm the risk',
      hint: `more than the least is at risk; type: ${word}`,
      explain: {
        what: 'The first of two words. If the chain refuses this deposit, the whole amount is lost, not only the least.',
        who: 'You.',
        later: 'Until the deposit is sent. Esc and e sign less.',
      },
    },
    another: `Type exactly: ${word}`,
  }),
  notVerified: {
    title: 'Closed: the signature is not verified since this start.',
    lines: ['Only what the verifiers accept is sent, so they are asked again first.'],
    next: [back`${KEY} goes back to the step that verifies it; Enter leads here again`],
  },
  keys: { continueWith: 'continue with it', send: 'send', prepare: 'prepare' },
  /** How a smaller amount is paid. */
  signLess: decides('e')`Esc and ${KEY} sign less`,
  /** What the final checks of this step find. */
  checks: {
    noKey: 'no key',
    noSignature: 'no signature',
    noPlace: (leastGwei: Gwei, token: string) =>
      `no place for this amount: out at once and for ever. Sign ${formatGwei(leastGwei)} ${token}, then top up`,
    place: (free: string, rank: number | undefined, places: number) =>
      `${free}; place ${rank ?? '–'} of ${places}`,
    reported: (words: string) => `${words}, reported (not proven)`,
    hasOperator: (operator: Hex) => `the contract has an operator: ${operator}`,
    sent: 'sent, exactly as signed',
    registered: (index: number) => `registered already: validator ${index}`,
    needsHome: 'needs the home of the node',
    inGenesis: 'a validator of the genesis file uses it',
    silent: (endpoint: string, block: bigint) =>
      `${endpoint} does not name the operator at block ${formatCount(block)}`,
    oneEndpoint:
      'your node serves no state to prove it, so a second execution endpoint must confirm that the key is unused',
    unused: 'unused',
    unusedProven: (slot: bigint) => `unused, proven, slot ${formatCount(slot)}`,
    notProven: 'It is not proven that the key is unused',
    rescueNeedsSecond: 'a rescue needs two execution endpoints that answer',
    otherOperator: (operator: Hex) => `the contract names ${operator}`,
    registeredMeanwhile: 'the chain has registered it meanwhile',
    absenceReported: 'that it is not registered is reported (not proven)',
    mayBeCounted: 'a deposit for it may still be counted',
    rescuable: 'not registered, proven; earlier deposits refused',
    otherCalldata: 'the calldata differs from what was signed',
    asSigned: 'as signed, signature verified',
    behind: 'it is behind: it knows no operator of the key yet',
    secondOperator: (operator: Hex) => `the contract has operator ${operator}`,
    secondAgrees: (nonce: number) => `same chain, same operator, nonce ${nonce}`,
  },
}
