import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { nonceFault, ownNonces } from '../../../../src/core/pay/gate/nonce.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentBody, PaymentOutcome, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import {
  address,
  exportedPayment,
  hash,
  INCLUDED,
  preparing,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'

const OTHER = address(6)

/** How a payment ended, without the block. */
type End = Exclude<PaymentOutcome['is'], 'paid' | 'cancelled'>
const ENDS: Readonly<Record<End, PaymentBody>> = {
  reverted: { type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } },
  'nonce-taken': { type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } },
}

const signedThen = (...bodies: PaymentBody[]): PaymentState => stateAfter(bodies, { from: signedPayment() })
const PAID = signedThen(INCLUDED, { type: 'ended', outcome: { is: 'paid' } })
const found = { type: 'found', from: SENDER, hash: hash(8), valueWei: 1n, nonce: 8, data: undefined } as const
const PAID_INSTEAD = signedThen(
  found,
  { ...INCLUDED, hash: found.hash },
  { type: 'ended', outcome: { is: 'paid' } },
)
const HELD_BACK = stateAfter([{ type: 'held-back', reason: 'more arrived' }], { from: signedPayment() })
const ABANDONED = stateAfter([{ type: 'reopened' }], { from: HELD_BACK })

describe('the nonce of a new payment', () => {
  test.each<[string, PaymentState, Hex, number, RegExp | undefined]>([
    ['is free where the other payment was never begun', initialPayment, SENDER, 0, undefined],
    ['is free where the other one is not signed', stateAfter(preparing()), SENDER, 5, undefined],
    ['was used by a paid one', PAID, SENDER, 5, /nonce 5, but .* first deposit 0x0*1 used nonce 5/],
    ['is before that of a paid one', PAID, SENDER, 4, /nonce 4, but .* used nonce 5/],
    ['comes after that of a paid one', PAID, SENDER, 6, undefined],
    ['is of another account', PAID, OTHER, 5, undefined],
    [
      'was used by the cancellation',
      signedThen(INCLUDED, { type: 'ended', outcome: { is: 'cancelled' } }),
      SENDER,
      5,
      /used nonce 5/,
    ],
    ['was used by a refused one', signedThen(ENDS.reverted), SENDER, 5, /used nonce 5/],
    ['was used in the place of a lost one', signedThen(ENDS['nonce-taken']), SENDER, 5, /nonce 5/],
    ['may be used by a signed one', signedPayment(), SENDER, 5, /may still use nonce 5/],
    [
      'may be used by one that waits',
      signedThen({ type: 'handed-over', attempt: 1, endpoint: 'one' }),
      SENDER,
      5,
      /may still use nonce 5/,
    ],
    ['may be used by an exported one', exportedPayment(), SENDER, 5, /first deposit may still use nonce 5/],
    ['was used by what the wallet sent instead', PAID_INSTEAD, SENDER, 7, /0x0*8 used nonce 8/],
    ['comes after what the wallet sent instead', PAID_INSTEAD, SENDER, 9, undefined],
    ['may be that of an abandoned one: then only one of the two can happen', ABANDONED, SENDER, 5, undefined],
    ['may come after that of an abandoned one', ABANDONED, SENDER, 6, undefined],
    [
      'is not below that of an abandoned one: then both could happen',
      ABANDONED,
      SENDER,
      4,
      /first deposit was abandoned and may still use nonce 5/,
    ],
    ['is not bound by what another account abandoned', ABANDONED, OTHER, 4, undefined],
    [
      'is not that of a live one, whatever was abandoned before it',
      stateAfter([...preparing(), SIGNED], { from: ABANDONED }),
      SENDER,
      5,
      /may still use nonce 5/,
    ],
  ])('%s', (_, other, from, nonce, expected) => {
    const fault = nonceFault({ from, nonce }, ownNonces(other, 'deposit'))
    if (expected === undefined) expect(fault).toBeUndefined()
    else expect(fault).toMatch(expected)
  })

  test.each<[string, PaymentState]>([
    ['that were exported', exportedPayment({ signer: 'contract' })],
    [
      'that were abandoned',
      stateAfter([{ type: 'abandoned' }], { from: exportedPayment({ signer: 'contract' }) }),
    ],
  ])('says nothing of the calls of a contract account %s', (_, state) => {
    expect(ownNonces(state, 'deposit')).toEqual([])
  })
})
