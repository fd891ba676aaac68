import type { Facts } from '../../facts.ts'
import { isBegun } from '../payment/sign-again.ts'
import { paymentProblem } from '../payment-view/text.ts'
import type { Problem } from '../view.ts'
import type { TopUpState } from './machine.ts'
import type { TopUpAdvice } from './plan.ts'

/** Why nothing can be added, or what became of a payment that went wrong; undefined while all is well. */
export function topUpProblem(
  state: TopUpState,
  advice: TopUpAdvice | undefined,
  facts: Facts,
): Problem | undefined {
  const payment = paymentProblem(state.send)
  if (payment !== undefined) return payment
  if (facts.registration === undefined && !isBegun(state.send)) {
    return {
      title: 'Closed: the registration is not proven.',
      money: 'unknown',
      values: [],
      lines: [
        'A top-up for a key that the chain does not know is burnt. So the proof comes first, each time.',
      ],
      next: ['Esc goes back to the step that proves it'],
    }
  }
  if (state.survey.status === 'failed') {
    const { shortMessage, details, nextSteps } = state.survey.error
    return { title: shortMessage, money: 'untouched', values: [], lines: details, next: nextSteps }
  }
  if (advice?.impossible === undefined || isBegun(state.send)) return undefined
  return {
    title: IMPOSSIBLE[advice.impossible].title,
    money: 'untouched',
    values: [],
    lines: IMPOSSIBLE[advice.impossible].lines,
    next: ['w watches the status'],
  }
}

const IMPOSSIBLE = {
  'not-in-state': {
    title: 'Closed: the beacon state does not hold this key.',
    lines: ['A top-up sent now would be burnt: the chain keeps the money.'],
  },
  leaving: {
    title: 'Closed: this validator has left the active set, or is leaving it.',
    lines: ['What you add now comes back to the withdrawal address; the key never becomes active again.'],
  },
  'no-room': {
    title: 'Closed: the stake is nearly at its maximum.',
    lines: ['The stake has less room left than the least deposit needs.'],
  },
  'seat-out-of-reach': {
    title: 'Closed: no amount gets a place in the active set.',
    lines: ['Even the highest stake that a validator can hold would rank too low.'],
  },
} as const
