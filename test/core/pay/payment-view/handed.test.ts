import { expect, test } from 'vitest'
import { endpointName } from '../../../../src/core/base/format/endpoint-url.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { broadcastTo, paymentBytes, timesSent } from '../../../../src/core/pay/payment/candidates.ts'
import type { BroadcastResult, PaymentBody, PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { resumePayment } from '../../../../src/core/pay/payment/remembered.ts'
import { paymentRows } from '../../../../src/core/pay/payment-view/rows.ts'
import { PAYMENT_ROWS_TEXT } from '../../../../src/core/pay/payment-view/rows-text.ts'
import { signedPayment, stateAfter } from '../../../support/payments.ts'
import { answer, givenTo, lastOf, silent } from '../../../support/rounds.ts'

const URLS = { execution: 'http://127.0.0.1:8545', secondExecution: 'http://10.0.0.2:8545' }
const [one, two] = [endpointName(URLS.execution), endpointName(URLS.secondExecution)]
const setup = { network: BEPOLIA, endpoints: { ...URLS, node: 'http://127.0.0.1:3500' } } as Setup

/** A payment that was being given to both endpoints when the program was left. */
const handedAs = (result: BroadcastResult) => {
  const { mark, value } = PAYMENT_ROWS_TEXT.handed({ endpoint: '', hash: '0x', times: 1, result })
  return `${mark} ${value}`
}
const [HAS_IT, NO_REPLY] = [handedAs('has-it'), handedAs('no-reply')]

const resumed = () => resumePayment(givenTo(signedPayment(), one, two), 'deposit')[0]

function rowsAfter(...said: readonly (ReturnType<typeof answer> | ReturnType<typeof silent>)[][]) {
  const state = said.reduce(
    (before, round) => lastOf(before, round, { slots: [0], parts: {} }).after,
    resumed(),
  )
  const rows = paymentRows(state, setup, { source: '', explain: '' })
  return rows.filter(({ id }) => id.startsWith('handed.')).map(({ mark, value }) => `${mark} ${value}`)
}

test('an endpoint that says after a restart that it has the payment is not told to have given no reply', () => {
  expect(rowsAfter([answer(one, { knows: true }), silent(two)])).toEqual([HAS_IT, NO_REPLY])
})

test('the words of a refusal stand until the endpoint answers otherwise, and never become “may have it”', () => {
  const { hash } = paymentBytes(signedPayment()) ?? { hash: '0x' as const }
  const REFUSED = { result: 'refused', said: 'replacement transaction underpriced' } as const
  const handed = (over: { result: BroadcastResult; said?: string }): PaymentBody => ({
    type: 'handed',
    endpoint: one,
    hash,
    ...over,
  })
  const again: PaymentBody = { type: 'handed-again', attempt: 2, endpoint: one }
  const valueAfter = (...bodies: PaymentBody[]) => {
    const state = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: one }, ...bodies], {
      from: signedPayment(),
    })
    return PAYMENT_ROWS_TEXT.handed(broadcastTo(state, one, hash)).value
  }
  const refused = valueAfter(handed(REFUSED))
  expect(refused).toContain(REFUSED.said)
  expect(valueAfter(handed(REFUSED), again)).toBe(refused)
  expect(valueAfter(handed(REFUSED), again, handed({ result: 'no-reply' }))).toBe(refused)
  expect(valueAfter(handed(REFUSED), again, handed({ result: 'taken' }))).not.toBe(refused)
})

test('the number of attempts that is told never falls by a restart', () => {
  let live = signedPayment()
  for (let attempt = 1; attempt <= 40; attempt += 1) {
    const type = Number.isInteger(Math.log2(attempt)) ? 'handed-over' : 'handed-again'
    live = stateAfter([{ type, attempt, endpoint: attempt % 2 === 0 ? one : two }], { from: live })
    const lines = Array.from({ length: attempt }, (_, at) => at + 1).filter((at) =>
      Number.isInteger(Math.log2(at)),
    )
    const replayed = stateAfter(
      lines.map((at) => ({ type: 'handed-over', attempt: at, endpoint: at % 2 === 0 ? one : two })),
      { from: signedPayment() },
    )
    const said = (state: PaymentState) => PAYMENT_ROWS_TEXT.signed(timesSent(state)).value
    expect(said(replayed)).toBe(said(live))
  }
})

test('what it said stands while it is silent, and falls with its own next word', () => {
  const first = [answer(one, { knows: true }), silent(two)]
  expect(rowsAfter(first, [silent(one), silent(two)])[0]).toBe(HAS_IT)
  expect(rowsAfter(first, [answer(one), silent(two)])[0]).toBe(NO_REPLY)
})
