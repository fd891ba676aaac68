import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { liveOf, timesSent } from '../../../../src/core/pay/payment/candidates.ts'
import type { BroadcastResult, PaymentBody, PaymentEvent } from '../../../../src/core/pay/payment/payment.ts'
import { resumePayment } from '../../../../src/core/pay/payment/remembered.ts'
import { fits, mayHaveLeft } from '../../../../src/core/pay/payment/sign-again.ts'
import { replacementFor, SIGNED, signedPayment, stateAfter } from '../../../support/payments.ts'
import { madeOf } from '../../../support/stand-of.ts'

const step = 'deposit'
const { hash } = SIGNED
const PAYMENT = signedPayment()

const results = fc.constantFrom<BroadcastResult>('taken', 'refused', 'no-reply', 'unreachable')
const attempts = fc.array(
  fc.record({ endpoint: fc.constantFrom('one', 'two'), result: fc.option(results, { nil: undefined }) }),
  { maxLength: 12 },
)

/** An attempt, and the reply where one came before the next attempt at the same endpoint. */
const attempt = (
  { endpoint, result }: { endpoint: string; result: BroadcastResult | undefined },
  at: number,
): PaymentBody[] => [
  { type: at % 2 === 0 ? 'handed-over' : 'handed-again', attempt: at + 1, endpoint },
  ...(result === undefined ? [] : [{ type: 'handed', endpoint, hash, result } as const]),
]

describe('signed bytes', () => {
  test('may have left with every attempt but one whose connection never came about', () => {
    fc.assert(
      fc.property(attempts, (made) => {
        const state = stateAfter(made.flatMap(attempt), { from: PAYMENT })
        const count = made.filter(({ result }) => result !== 'unreachable').length
        expect(timesSent(state)).toBe(count)
        expect(mayHaveLeft(state)).toBe(count > 0)
      }),
    )
  })

  test('may have left after a restart wherever the journal says that they were being handed over', () => {
    fc.assert(
      fc.property(attempts, (made) => {
        const lines = made.flatMap(attempt).filter(({ type }) => type === 'handed-over')
        const [state] = resumePayment(stateAfter(lines, { from: PAYMENT }), step)
        expect(mayHaveLeft(state)).toBe(lines.length > 0)
        expect(madeOf(state).handed.map(({ result }) => result)).not.toContain('waits')
      }),
    )
  })

  test('that nobody got are not replaced, and a journal in which they were is read as it was written', () => {
    const replacement = replacementFor(PAYMENT, 'speed-up')
    const replacing = { step, type: 'replacing', replacement } satisfies PaymentEvent
    expect(fits(PAYMENT, replacing)).toBe(false)
    const sent = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }], { from: PAYMENT })
    expect(fits(sent, replacing)).toBe(true)
    expect(liveOf(stateAfter([replacing], { from: PAYMENT }))?.replacement).toEqual(replacement)
  })
})
