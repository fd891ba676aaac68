import { beforeAll, describe, expect, test } from 'vitest'
import type { Facts, Setup } from '../../../src/core/facts.ts'
import { tokens } from '../../../src/core/format/amount.ts'
import { collectFacts } from '../../../src/core/gates.ts'
import type { State } from '../../../src/core/state.ts'
import { depositTransition } from '../../../src/core/steps/deposit/machine.ts'
import { depositView } from '../../../src/core/steps/deposit/view.ts'
import { gateIsOpen } from '../../../src/core/steps/gate/facts.ts'
import type { PaymentState } from '../../../src/core/steps/payment/payment.ts'
import { taken } from '../../../src/core/steps/step-view.ts'
import { topUpView } from '../../../src/core/steps/topup/view.ts'
import { momentsOf } from '../../support/moments.ts'
import { traceOfRegistration } from '../../support/trace.ts'

let setup: Setup
let first: State
let more: State

beforeAll(async () => {
  const trace = await traceOfRegistration()
  ;({ setup } = trace)
  const found = momentsOf(trace, [
    ['deposit', (_, { step, deposit }) => step === 'deposit' && gateIsOpen(deposit.seen, setup)],
    [
      'topup',
      (_, { step, topup }) =>
        step === 'topup' && gateIsOpen(topup.send.seen, setup) && topup.snapshot.status === 'known',
    ],
  ])
  const [deposit, topUp] = found
  if (deposit === undefined || topUp === undefined) throw new Error('the gate was never open')
  first = deposit.state
  more = topUp.state
})

function viewOf(amountGwei: bigint, deposit: PaymentState = first.deposit) {
  const facts = collectFacts(first, setup)
  if (facts.signature === undefined) throw new Error('nothing is signed')
  const about: Facts = { ...facts, signature: { ...facts.signature, amountGwei } }
  const view = depositView(deposit, about, setup)
  const row = (id: string) => view.facts.find((one) => one.id === id)
  return { view, row, enter: view.actions.find(({ key }) => key === 'return') }
}

describe('a first deposit of the least', () => {
  test('asks for its word alone', () => {
    const { view, row, enter } = viewOf(tokens(10_000n))
    expect([row('aboveLeast'), row('steps'), view.activeField]).toEqual([undefined, undefined, undefined])
    expect(enter?.typed).toBe('send 10000')
  })
})

describe('a first deposit above the least', () => {
  test('has a row that warns, and closes nothing', () => {
    expect(viewOf(tokens(300_000n)).row('aboveLeast')).toMatchObject({
      mark: 'unknown',
      advice: true,
      value: 'the least is 10,000 BERA: one refused call would lose all 300,000 BERA',
    })
  })

  test('can be sent only after a word of its own', () => {
    const { view, enter } = viewOf(tokens(300_000n))
    expect(enter).toBeUndefined()
    expect(view.activeField).toBe('risk')
    const field = view.fields.find(({ id }) => id === 'risk')
    if (field === undefined) throw new Error('there is no field')
    const typedIn = (text: string) => {
      const event = taken(field, text)
      if (event.step !== 'deposit') throw new Error('another step')
      return viewOf(tokens(300_000n), depositTransition(first.deposit, event)[0])
    }
    const wrong = typedIn('yes')
    expect(wrong.enter).toBeUndefined()
    expect(wrong.view.fields[0]?.error).toBe('Type exactly: risk 300000')
    expect(typedIn('risk 300000').enter?.typed).toBe('send 300000')
    expect(typedIn('risk 300000').view.activeField).toBeUndefined()
  })

  test('is asked for it again once another amount is signed', () => {
    const accepted = depositTransition(first.deposit, {
      step: 'deposit',
      type: 'riskTyped',
      text: 'risk 300000',
    })
    expect(viewOf(tokens(310_000n), accepted[0]).enter).toBeUndefined()
  })
})

describe('a stake that is no whole step', () => {
  test('is said of a first deposit, with the steps around it', () => {
    expect(viewOf(10_000_500_000_000n).row('steps')?.value).toBe(
      '10,000.5 counts as 10,000: 0.5 buys nothing; steps are 10,000 and 20,000',
    )
    expect(viewOf(tokens(280_000n)).row('steps')).toBeUndefined()
  })

  test('is said of a top-up, by the stake with it', () => {
    const facts = collectFacts(more, setup)
    const rowWith = (amount: bigint) =>
      topUpView({ ...more.topup, chosenGwei: tokens(amount) }, facts, setup).facts.find(
        ({ id }) => id === 'steps',
      )
    expect(rowWith(275_000n)).toMatchObject({
      mark: 'unknown',
      value: '285,000 counts as 280,000: 5,000 buys nothing; steps are 280,000 and 290,000',
    })
    expect(rowWith(270_000n)).toBeUndefined()
  })
})
