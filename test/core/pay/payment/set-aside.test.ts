import { describe, expect, test } from 'vitest'
import { mayAbandon, mayHaveLeft, mayReopen } from '../../../../src/core/pay/payment/sign-again.ts'
import {
  exportedPayment,
  hash,
  INCLUDED,
  replacementFor,
  SENDER,
  SIGNED,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'

const FOUND = { type: 'found', from: SENDER, hash: hash(8), valueWei: 1n, nonce: 5, data: undefined } as const

describe('signed bytes that no line says were given away', () => {
  test('are set aside while nothing says that they left', () => {
    expect(mayReopen(signedPayment(), 'topup')).toBe(true)
    expect(mayHaveLeft(signedPayment())).toBe(false)
  })

  test('are not, once a block had them, though it was orphaned', () => {
    const state = stateAfter([INCLUDED, { type: 'orphaned' }], { from: signedPayment() })
    expect(mayReopen(state, 'topup')).toBe(false)
  })

  test('are not, once a deposit of the account with their nonce was found', () => {
    const state = stateAfter([FOUND], { from: signedPayment() })
    expect(mayHaveLeft(state)).toBe(true)
    expect(mayReopen(state, 'topup')).toBe(false)
    expect(mayAbandon(state)).toBe(false)
  })
})

test('a call of a contract account is never signed', () => {
  const state = exportedPayment({ signer: 'contract' })
  expect(stateAfter([SIGNED], { from: state })).toBe(state)
})

test('a speed-up that is not signed, for a wrong password, is offered again at once', () => {
  const given = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }], { from: signedPayment() })
  const stuck = { ...given, memory: { ...given.memory, isStuck: true } }
  const replacing = { type: 'replacing', replacement: replacementFor(stuck, 'speed-up') } as const
  const error = {
    code: 'wallet.wrong-password',
    shortMessage: '',
    details: [],
    nextSteps: [],
    retryable: true,
    money: 'untouched',
  } as const
  const after = stateAfter([replacing, { type: 'failed', error }], { from: stuck })
  expect(after.memory.isStuck).toBe(true)
  expect(after.payment).toMatchObject({ phase: 'under-way', replacement: undefined })
})
