import { beforeAll, describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { nextEffectiveBalance } from '../../../../src/core/chain/consensus/state.ts'
import type { Facts, Setup } from '../../../../src/core/chain/facts.ts'
import { gateIsOpen } from '../../../../src/core/pay/gate/facts.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { depositTransition } from '../../../../src/core/steps/deposit/machine.ts'
import { depositView } from '../../../../src/core/steps/deposit/view.ts'
import { topUpView } from '../../../../src/core/steps/topup/view.ts'
import { collectFacts } from '../../../../src/core/wizard/gates.ts'
import { type State, taken } from '../../../../src/core/wizard/state.ts'
import { momentsOf } from '../../../support/moments.ts'
import { pattern } from '../../../support/pattern.ts'
import { traceOfRegistration } from '../../../support/trace.ts'

let setup: Setup
let first: State
let more: State

beforeAll(async () => {
  const trace = await traceOfRegistration()
  ;({ setup } = trace)
  const found = momentsOf(trace, [
    ['deposit', (_, { step, deposit }) => step === 'deposit' && gateIsOpen(deposit.observed, setup)],
    [
      'topup',
      (_, { step, topup }) =>
        step === 'topup' && gateIsOpen(topup.send.observed, setup) && topup.snapshot.status === 'known',
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
      value: expect.stringMatching(/ 10,000 BERA: .* 300,000 BERA$/),
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
    expect(viewOf(10_000_500_000_000n).row('steps')?.value).toMatch(
      /^10,000\.5 .* 10,000: 0\.5 .* 20,000 is 20,000$/,
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
      value: expect.stringMatching(/^285,000 .* 280,000: 5,000 .* 290,000 is 290,000$/),
    })
    expect(rowWith(270_000n)).toBeUndefined()
  })

  /** The row for a top-up of a validator whose stake is whole and counts, under the rules before or from Fulu on. */
  function rowOf({ stake, add, fulu }: { stake: bigint; add: bigint; fulu: boolean }) {
    const facts = collectFacts(more, setup)
    const pubkey = facts.identity?.pubkey
    const { snapshot } = more.topup
    if (snapshot.status !== 'known' || pubkey === undefined) throw new Error('there is no set')
    const { consensus } = snapshot.value
    const index = consensus.validators.findIndex((one) => one.pubkey === pubkey.toLowerCase())
    const effectiveBalanceGwei = tokens(stake)
    const validators = consensus.validators.with(index, {
      ...(consensus.validators[index] ?? raise()),
      effectiveBalanceGwei,
    })
    const balancesGwei = consensus.balancesGwei.with(index, effectiveBalanceGwei)
    const value = { ...snapshot.value, consensus: { ...consensus, validators, balancesGwei } }
    const fuluTimeSeconds = fulu ? 0n : value.timestampSeconds + 1n
    const { spec } = setup.network
    const rules = { ...setup, network: { ...setup.network, spec: { ...spec, fuluTimeSeconds } } }
    const topup = { ...more.topup, snapshot: { ...snapshot, value }, chosenGwei: tokens(add) }
    return topUpView(topup, facts, rules).facts.find(({ id }) => id === 'steps')?.value
  }

  test.each([
    [
      { stake: 250_000n, add: 10_000n, fulu: false },
      '260,000',
      '250,000',
      '10,000',
      '260,000',
      '262,500.000000001',
    ],
    [
      { stake: 250_000n, add: 12_500n, fulu: false },
      '262,500',
      '250,000',
      '12,500',
      '260,000',
      '262,500.000000001',
    ],
    [{ stake: 250_000n, add: 15_000n, fulu: false }, '265,000', '260,000', '5,000', '270,000', '270,000'],
    [{ stake: 250_000n, add: 15_000n, fulu: true }, '265,000', '260,000', '5,000', '270,000', '270,000'],
  ])('names the least that counts as more: %o', (about, stake, counted, rest, next, least) => {
    expect(rowOf(about)).toMatch(pattern`^${stake} .* ${counted}: ${rest} .* ${next} is ${least}$`)
  })

  test('counts whole from Fulu on, where the same amount bought nothing before', () => {
    expect(rowOf({ stake: 250_000n, add: 10_000n, fulu: true })).toBeUndefined()
  })

  test('counts as more from the named least on, and one gwei below it does not', () => {
    const { spec } = setup.network
    const counts = (balanceGwei: bigint) =>
      nextEffectiveBalance({ effectiveBalanceGwei: tokens(250_000n), balanceGwei }, spec, { fulu: false })
    const leastGwei = 262_500_000_000_001n
    expect([counts(leastGwei - 1n), counts(leastGwei)]).toEqual([tokens(250_000n), tokens(260_000n)])
  })
})

function raise(): never {
  throw new Error('the set lacks the validator')
}
