import { expect, test } from 'vitest'
import { endpointName } from '../../../../src/core/base/format/endpoint-url.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import type { BroadcastResult } from '../../../../src/core/pay/payment/payment.ts'
import { resumePayment } from '../../../../src/core/pay/payment/remembered.ts'
import { paymentRows } from '../../../../src/core/pay/payment-view/rows.ts'
import { PAYMENT_ROWS_TEXT } from '../../../../src/core/pay/payment-view/rows-text.ts'
import { signedPayment } from '../../../support/payments.ts'
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

test('what it said stands while it is silent, and falls with its own next word', () => {
  const first = [answer(one, { knows: true }), silent(two)]
  expect(rowsAfter(first, [silent(one), silent(two)])[0]).toBe(HAS_IT)
  expect(rowsAfter(first, [answer(one), silent(two)])[0]).toBe(NO_REPLY)
})
