import type { Facts } from '../../facts.ts'
import { isBegun } from '../payment/sign-again.ts'
import { paymentProblem } from '../payment-view/text.ts'
import type { Problem } from '../view.ts'
import type { TopUpState } from './machine.ts'
import type { TopUpAdvice } from './plan.ts'
import { TOPUP_TEXT } from './text.ts'

const { notProven, impossible, watch } = TOPUP_TEXT.problems

/** Why nothing can be added, or what became of a payment that went wrong; undefined while all is well. */
export function topUpProblem(
  state: TopUpState,
  advice: TopUpAdvice | undefined,
  facts: Facts,
): Problem | undefined {
  const payment = paymentProblem(state.send)
  if (payment !== undefined) return payment
  if (facts.registration === undefined && !isBegun(state.send)) {
    return { ...notProven, money: 'unknown', values: [] }
  }
  if (state.survey.status === 'failed') {
    const { shortMessage, details, nextSteps } = state.survey.error
    return { title: shortMessage, money: 'untouched', values: [], lines: details, next: nextSteps }
  }
  if (advice?.impossible === undefined || isBegun(state.send)) return undefined
  return { ...impossible[advice.impossible], money: 'untouched', values: [], next: watch }
}
