import { asksForPlace } from '../../consensus/forecast-entry.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { groupHex, sameHex } from '../../format/hex.ts'
import { gateIsOpen, gateRows, showsGate } from '../gate/rows.ts'
import { gateCommands } from '../gate/shell.ts'
import { signsExternally } from '../gate/signer.ts'
import { known } from '../observation.ts'
import { endedOf } from '../payment/candidates.ts'
import { isBegun } from '../payment/sign-again.ts'
import { paymentActions, signerChoice } from '../payment-view/actions.ts'
import { neededField, walletCommands, walletFields } from '../payment-view/external.ts'
import { paymentRows } from '../payment-view/rows.ts'
import { paymentMoney, paymentNotes, paymentProblem, paymentTitle } from '../payment-view/text.ts'
import { paymentWaiting } from '../payment-view/told.ts'
import { gateVerdict, paymentVerdict } from '../payment-view/verdict.ts'
import { type ActionView, goOn, hasEnter, type StepView } from '../step-view.ts'
import type { FactRow } from '../view.ts'
import { type DepositState, depositAgreement, depositPlan } from './machine.ts'

/** Everything the deposit screen draws. */
export function depositView(state: DepositState, facts: Facts, setup: Setup): StepView {
  const { token } = setup.network.names
  const plan = depositPlan(facts, setup)
  const problem = paymentProblem(state)
  const waiting = paymentWaiting(state, setup)
  const checks = showsGate(state) ? gateRows(state, setup, { less: SIGN_LESS }) : []
  const actions = depositActions(state, facts, setup)
  const isSent = showsGate(state) && known(state.seen.key)?.sent !== undefined
  const activeField = neededField(state, facts, setup)
  const threshold = formatGwei(setup.network.spec.activationBalanceGwei)
  const worst = worstText(facts.signature?.amountGwei ?? 0n, token)
  return {
    step: 'deposit',
    title: 'Send the first deposit',
    ...(isSent
      ? {}
      : {
          verdict: isBegun(state)
            ? paymentVerdict(state)
            : gateVerdict(state, { checks, isOpen: hasEnter(actions) }, setup),
        }),
    sections: ['intro', 'facts', 'fields', 'checks', 'notes'],
    folds: ['checks'],
    intro: asksForPlace(facts.signature?.amountGwei ?? 0n, setup.network.spec)
      ? 'This amount joins the active set at once. If it ranks too low, the key is lost for ever; its rank is checked below, right before sending.'
      : `No way back: below ${threshold} ${token} of stake nothing can be taken out again.`,
    factsTitle: showsGate(state) ? 'What is sent?' : paymentTitle(state),
    facts: showsGate(state)
      ? planRows(facts, setup)
      : paymentRows(state, setup, {
          valueSource: 'as signed',
          valueExplain: 'The amount that is sent, read from the signed message.',
        }),
    checks,
    fields: walletFields(state, 'deposit', facts, setup),
    ladder: [],
    timeline: [],
    notes: [...(isSent ? SENT_NOTES : []), ...paymentNotes(state, facts, setup)],
    money: isSent
      ? { line: 'the deposit is on the chain · nothing is sent now', worst }
      : paymentMoney(state, plan, setup, {
          before: `left the wallet 0 ${token}`,
          worst,
          after: 'the contract has it; the chain must still count the deposit.',
          leftBefore: (amount) => amount,
        }),
    ...(activeField === undefined ? {} : { activeField }),
    ...(problem === undefined ? {} : { problem }),
    ...(waiting === undefined || problem !== undefined ? {} : { waiting }),
    actions,
    commands:
      showsGate(state) && !signsExternally(state, setup)
        ? gateCommands(state, plan, setup)
        : walletCommands(state),
    done: isPaid(state),
  }
}

const SIGN_LESS = 'Esc and e sign less'

const isPaid = (state: DepositState) => endedOf(state)?.outcome.is === 'paid'

const worstText = (amountGwei: bigint, token: string): string =>
  `worst case: the chain rejects it despite all checks: ${formatGwei(amountGwei)} ${token} lost.`
const SENT_NOTES = [
  'A deposit with exactly these fields is on the chain already. This program did not send it.',
  'Continue with that deposit. Nothing new is sent.',
]

function planRows({ signature, identity }: Facts, { network }: Setup): FactRow[] {
  if (signature === undefined || identity === undefined) return []
  const isSame = sameHex(signature.operator, signature.withdrawalAddress)
  const signed = {
    who: 'You, in the step before. The signature covers it.',
    later: 'Only by going back and signing again.',
  }
  return [
    {
      id: 'amount',
      mark: 'proven',
      label: 'amount',
      value: `${formatGwei(signature.amountGwei)} ${network.names.token} to the deposit contract`,
      source: 'as signed',
      explain: {
        what: `The amount is read from the signed message; no other amount can be sent. It goes to the deposit contract ${groupHex(network.spec.depositContract)}, whose code was compared in step 1.`,
        ...signed,
      },
    },
    {
      id: 'pubkey',
      mark: 'proven',
      label: 'validator',
      value: '',
      long: identity.pubkey,
      source: '',
      explain: { what: 'The key that is registered.', ...signed },
    },
    {
      id: 'withdrawal',
      mark: 'proven',
      label: 'withdrawal',
      value: '',
      long: signature.withdrawalAddress,
      source: '',
      explain: {
        what: 'Where the stake is paid out when the validator leaves. It can never be changed.',
        ...signed,
      },
    },
    {
      id: 'operator',
      mark: 'proven',
      label: 'operator',
      value: isSame ? 'the same address' : '',
      ...(isSame ? {} : { long: signature.operator }),
      source: '',
      explain: {
        what: 'The operator: the account that manages the validator’s rewards. It does not receive the stake.',
        ...signed,
      },
    },
  ]
}

function depositActions(state: DepositState, facts: Facts, setup: Setup): StepView['actions'] {
  if (isPaid(state)) return [goOn('deposit')]
  if (isBegun(state)) return paymentActions(state, 'deposit')
  const amount =
    facts.signature === undefined ? '' : formatGwei(facts.signature.amountGwei).replaceAll(',', '')
  const outside = signsExternally(state, setup)
  const word = outside ? 'prepare' : 'send'
  const sent = known(state.seen.key)?.sent
  const agreement = depositAgreement(facts, setup)
  const retry: ActionView = { key: 'r', label: 'ask again', does: [{ step: 'deposit', type: 'entered' }] }
  const others = [retry, ...signerChoice(state, 'deposit', setup)]
  if (agreement === undefined) return others
  const agree = { key: 'return', does: [agreement] }
  if (sent !== undefined) return [{ ...agree, label: 'continue with it' }, ...others]
  if (!gateIsOpen(state.seen, setup)) return others
  const typed = `${facts.signature?.rescue === true ? 'rescue' : word} ${amount}`
  return [{ ...agree, label: word, typed }, ...others]
}
