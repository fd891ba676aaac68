import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/format/hex.ts'
import { sendTransition } from '../../../../src/core/steps/sending/machine.ts'
import { paymentProblem } from '../../../../src/core/steps/sending/payment.ts'
import { initialSend, type SendEvent, type SendState } from '../../../../src/core/steps/sending/state.ts'

const hash: Hex = `0x${'01'.repeat(32)}`
const address: Hex = `0x${'44'.repeat(20)}`
const PLAN = { to: address, valueWei: 10n ** 22n, data: '0xe12cf4cb' } as const
const PREPARED = {
  transaction: {
    ...PLAN,
    chainId: 80094,
    nonce: 3,
    gasLimit: 150_000n,
    maxFeePerGasWei: 3n,
    maxPriorityFeePerGasWei: 1n,
  },
  from: address,
  baseline: { blockNumber: 7n, blockHash: hash, balanceWei: 10n ** 24n },
}
const FAILED: SendEvent = {
  step: 'deposit',
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
const MINED: SendEvent = {
  step: 'deposit',
  type: 'mined',
  blockNumber: 9n,
  blockHash: hash,
  feeWei: 1n,
  hash,
}
const SENDING: SendEvent = { step: 'deposit', type: 'sending', attempt: 1, endpoint: 'x' }
const FINAL: SendEvent = { step: 'deposit', type: 'final' }

const SIGNED: readonly SendEvent[] = [
  { step: 'deposit', type: 'confirmed', plan: PLAN },
  { step: 'deposit', type: 'prepared', prepared: PREPARED },
  { step: 'deposit', type: 'signed', raw: '0x02', hash },
]

const paymentAfter = (...events: SendEvent[]): SendState =>
  [...SIGNED, ...events].reduce((state, event) => sendTransition(state, event)[0], initialSend)

describe('a failure on the way of a payment', () => {
  test('is shown while its bytes may be anywhere, and does not call the money untouched', () => {
    expect(paymentProblem(paymentAfter(SENDING, FAILED))).toMatchObject({
      title: 'The password does not open the keystore.',
      money: 'unknown',
    })
  })

  test('leaves the money untouched while the bytes were given to nobody', () => {
    expect(paymentProblem(paymentAfter(FAILED))?.money).toBe('untouched')
  })

  test('is forgotten once the payment is in a block', () => {
    expect(paymentProblem(paymentAfter(FAILED, MINED))).toBeUndefined()
  })

  test('that comes after the block is shown until the block is final', () => {
    expect(paymentProblem(paymentAfter(MINED, FAILED))?.money).toBe('unknown')
    expect(paymentProblem(paymentAfter(MINED, FAILED, FINAL))).toBeUndefined()
  })

  test('that comes after the end is no problem of the payment', () => {
    expect(paymentProblem(paymentAfter(MINED, FINAL, FAILED))).toBeUndefined()
  })
})
