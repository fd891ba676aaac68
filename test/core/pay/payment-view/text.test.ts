import { describe, expect, test } from 'vitest'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentBody, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { paymentProblem } from '../../../../src/core/pay/payment-view/view.ts'
import { depositTransition } from '../../../../src/core/steps/deposit/machine.ts'
import { initialTopUp, topUpTransition } from '../../../../src/core/steps/topup/machine.ts'
import { INCLUDED, preparing, signedPayment, stateAfter } from '../../../support/payments.ts'

const FAILED: PaymentBody = {
  type: 'failed',
  error: {
    code: 'signer.cancelled',
    shortMessage: 'The password does not open the keystore.',
    details: [],
    nextSteps: [],
    retryable: true,
    money: 'untouched',
  },
}
const HANDED_OVER: PaymentBody = { type: 'handed-over', attempt: 1, endpoint: 'x' }
const PAID: PaymentBody = { type: 'ended', outcome: { is: 'paid' } }

const paymentAfter = (...bodies: PaymentBody[]): PaymentState => stateAfter(bodies, { from: signedPayment() })

describe('a failure on the way of a payment', () => {
  test('is shown while its bytes may be anywhere, and does not call the money untouched', () => {
    expect(paymentProblem(paymentAfter(HANDED_OVER, FAILED))).toMatchObject({
      title: 'The password does not open the keystore.',
      money: 'unknown',
    })
  })

  test('leaves the money untouched while the bytes were given to nobody', () => {
    expect(paymentProblem(paymentAfter(FAILED))?.money).toBe('untouched')
  })

  test('is forgotten once the payment is in a block', () => {
    expect(paymentProblem(paymentAfter(FAILED, INCLUDED))).toBeUndefined()
  })

  test('that comes after the block is shown until the block is final', () => {
    expect(paymentProblem(paymentAfter(INCLUDED, FAILED))?.money).toBe('unknown')
    expect(paymentProblem(paymentAfter(INCLUDED, FAILED, PAID))).toBeUndefined()
  })

  test('that comes after the end is no problem of the payment', () => {
    expect(paymentProblem(paymentAfter(INCLUDED, PAID, FAILED))).toBeUndefined()
  })

  test('before anything is signed is shown until all is asked again', () => {
    const [agreed] = preparing()
    if (agreed === undefined) throw new Error('nothing was agreed to')
    const failed = stateAfter([agreed, FAILED], { step: 'deposit' })
    expect(paymentProblem(failed)?.title).toBe('The password does not open the keystore.')
    const [again, commands] = depositTransition(failed, { step: 'deposit', type: 'entered' })
    expect(commands).toContainEqual({ step: 'deposit', type: 'check', scope: 'here' })
    expect(paymentProblem(again)).toBeUndefined()
    const state = { ...initialTopUp, send: stateAfter([agreed, FAILED], { from: initialPayment }) }
    const [topUp] = topUpTransition(state, { step: 'topup', type: 'entered' }, {} as Setup)
    expect(paymentProblem(topUp.send)).toBeUndefined()
  })
})
