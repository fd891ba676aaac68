import { expect, test } from 'vitest'
import { endpointName } from '../../../../src/core/base/format/endpoint-url.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { resumePayment } from '../../../../src/core/pay/payment/remembered.ts'
import { paymentRows } from '../../../../src/core/pay/payment-view/rows.ts'
import { signedPayment } from '../../../support/payments.ts'
import { answer, givenTo, lastOf, silent } from '../../../support/rounds.ts'

const URLS = { execution: 'http://127.0.0.1:8545', secondExecution: 'http://10.0.0.2:8545' }
const [one, two] = [endpointName(URLS.execution), endpointName(URLS.secondExecution)]
const setup = { network: BEPOLIA, endpoints: { ...URLS, node: 'http://127.0.0.1:3500' } } as Setup

/** A payment that was being given to both endpoints when the program was left. */
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
  expect(rowsAfter([answer(one, { knows: true }), silent(two)])).toEqual([
    'proven says that it has it already',
    'unknown no reply, may have it',
  ])
})

test('what it said stands while it is silent, and falls with its own next word', () => {
  const first = [answer(one, { knows: true }), silent(two)]
  expect(rowsAfter(first, [silent(one), silent(two)])[0]).toBe('proven says that it has it already')
  expect(rowsAfter(first, [answer(one), silent(two)])[0]).toBe('unknown no reply, may have it')
})
