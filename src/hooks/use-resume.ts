import { useMemo, useState } from 'react'
import { isDone } from '../core/gates.ts'
import type { Adoption } from '../core/steps/identity/state.ts'
import { endedOf, liveOf } from '../core/steps/payment/candidates.ts'
import type { PaymentState } from '../core/steps/payment/payment.ts'
import { isBegun } from '../core/steps/payment/sign-again.ts'
import { type FactRow, type MoneyBand, STEP_IDS, type StepId } from '../core/steps/view.ts'
import { viewOf } from '../core/view-of.ts'
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
    const topup = state.topup.send
    const paysTopUp = isBegun(topup) || state.topup.finished.length > 0
    const pays = paysTopUp || isBegun(state.deposit)
    const unpaid = state.identity.adopted === undefined ? 'sign' : 'identity'
    const payment = paysTopUp ? 'topup' : 'deposit'
    const view = viewOf(pays ? payment : unpaid, state, session)
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
      `The journal says how ${ended === topup ? 'the top-up' : 'the first deposit'} ended. The chain is asked to confirm it.`,
    ]
  if (isPaid(topup))
    return adopted === undefined
      ? ['Deposit and top-up are final. The next step is to watch the validator.']
      : [`The top-up of validator ${adopted.index}, adopted here, is final. The next step is to watch it.`]
  if (isPaid(deposit))
    return ['The first deposit is final. The next steps are to prove the registration and to top up.']
  if (adopted !== undefined)
    return [
      `Validator ${adopted.index} was adopted here. The next steps are to prove it again and to top up.`,
    ]
  return ['A registration was started here. Nothing was sent.']
}
