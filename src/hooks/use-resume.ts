import { useMemo, useState } from 'react'
import { isDone } from '../core/gates.ts'
import type { Session } from '../core/session.ts'
import type { State } from '../core/state.ts'
import { depositView } from '../core/steps/deposit/view.ts'
import type { Adoption } from '../core/steps/identity/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { endedOf, liveOf } from '../core/steps/payment/candidates.ts'
import type { PaymentState } from '../core/steps/payment/payment.ts'
import { isBegun } from '../core/steps/payment/sign-again.ts'
import { signView } from '../core/steps/sign/view.ts'
import { topUpView } from '../core/steps/topup/view.ts'
import { type FactRow, type MoneyBand, STEP_IDS, type StepId, type StepView } from '../core/steps/view.ts'
import { useSession } from './session-provider.tsx'

/** What an earlier run of the program left behind, in the words of the steps concerned. */
export type ResumeHook = {
  view: {
    step: StepId
    open: readonly string[]
    facts: readonly FactRow[]
    paymentOpen: boolean
    money: MoneyBand
  }
  proceed(): void
}

/** The way back into an unfinished registration; undefined when there is none or it was taken already. */
export function useResume(): ResumeHook | undefined {
  const { session, state } = useSession()
  const [taken, take] = useState(false)
  const { journal } = state
  const resumed = journal.status === 'open' && journal.resumed
  return useMemo(() => {
    if (!resumed || taken) return undefined
    const facts = session.facts()
    const topup = state.topup.send
    const paysTopUp = isBegun(topup) || state.topup.finished.length > 0
    const pays = paysTopUp || isBegun(state.deposit)
    const payment = paysTopUp
      ? topUpView(state.topup, facts, session.setup)
      : depositView(state.deposit, facts, session.setup)
    const view = pays ? payment : unpaidView(session, state)
    const target = STEP_IDS.find((step) => !isDone(state, step, session.setup)) ?? 'status'
    return {
      view: {
        step: target,
        open: openWords(state.deposit, topup, state.identity.adopted),
        facts: view.facts.filter(({ mark }) => mark !== 'unasked'),
        paymentOpen: isOpen(state.deposit) || isOpen(topup),
        money: view.money,
      },
      proceed() {
        take(true)
        void session.dispatch({ step: 'session', type: 'went', to: target })
      },
    }
  }, [resumed, taken, session, state])
}

const isOpen = (state: PaymentState) => liveOf(state)?.phase === 'under-way'
const isExported = (state: PaymentState) => liveOf(state)?.phase === 'exported'
const isPaid = (state: PaymentState) => endedOf(state)?.outcome.is === 'paid'
const isRemembered = (state: PaymentState) => endedOf(state)?.remembered === true

/** What stands in the journal of a validator for which nothing was paid here. */
function unpaidView({ setup }: Session, { identity, journal, sign }: State): StepView {
  return identity.adopted === undefined ? signView(sign, setup) : identityView(identity, journal, setup)
}

function openWords(deposit: PaymentState, topup: PaymentState, adopted: Adoption | undefined): string[] {
  const ended = isRemembered(topup) ? topup : deposit
  if (isOpen(topup)) return ['A top-up was signed and may have been sent before the program ended.']
  if (isOpen(deposit))
    return ['The first deposit was signed and may have been sent before the program ended.']
  if (isExported(topup) || isExported(deposit))
    return [
      'A transaction was exported to your wallet. It may have been signed and sent without this program.',
    ]
  if (isRemembered(ended))
    return [
      `How ${ended === topup ? 'the top-up' : 'the first deposit'} ended is remembered. The chain is asked whether it is so.`,
    ]
  if (isPaid(topup))
    return adopted === undefined
      ? ['Deposit and top-up are final. What is left is to watch the validator.']
      : [`The top-up of validator ${adopted.index}, adopted here, is final. What is left is to watch it.`]
  if (isPaid(deposit))
    return ['The first deposit is final. What comes next is to prove the registration, and the top-up.']
  if (adopted !== undefined)
    return [
      `Validator ${adopted.index} was adopted here. What comes next is to prove it again, and the top-up.`,
    ]
  return ['A registration was begun here. Nothing of it was sent.']
}
