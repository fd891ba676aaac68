import { describe, expect, test } from 'vitest'
import { TABLE } from '../../../../src/core/pay/payment/decide.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { both, CASES, CONTRACT, GIVEN, IN_BLOCK, type Rounds, USED } from '../../../support/decide-cases.ts'
import { INCLUDED, stateAfter } from '../../../support/payments.ts'
import { type answer, bytesGiven, type Decided, lastOf, silent } from '../../../support/rounds.ts'

const rowAt = (name: string) => TABLE.find((row) => row.name.startsWith(name))?.name

const last = ({ state, said, slots = [0], parts = {} }: Rounds): Decided =>
  lastOf(state, said, { slots, parts })

describe('the table that decides', () => {
  test.each(CASES.map((one) => [`${one.row}: ${one.is}`, one] as const))('%s', (_, one) => {
    const { told, wanted = [], events = [], given = [], memory = {} } = one.follows
    const at = last(one)
    expect(at.row).toBe(rowAt(one.row) ?? 'no such row')
    expect(at).toMatchObject({ told, wanted, events })
    expect(bytesGiven(at.broadcasts).map(([endpoint]) => endpoint)).toEqual(given)
    const { payment } = at.after
    if (payment.phase !== 'ended') expect(at.after.memory).toMatchObject(memory)
    expect(last({ ...one, ...one.unless }).row).not.toBe(at.row)
  })

  test('has a case of each of its rows; the row that wants the deposits decides on its way', () => {
    const wanting = 'the deposits for the key tell who used the nonce'
    const rows = new Set([...CASES.map(({ row }) => row), wanting].map(rowAt))
    expect(rows).toEqual(new Set(TABLE.map(({ name }) => name)))
  })

  test('asks for the deposits where a nonce is used, and always for a contract account', () => {
    const wantedOf = (state: PaymentState, over: Parameters<typeof answer>[1]) =>
      last({ state, said: both(over) }).wanted
    expect(wantedOf(GIVEN, USED)).toEqual(['deposits'])
    expect(wantedOf(CONTRACT, {})[0]).toBe('deposits')
    expect(wantedOf(GIVEN, {})).toEqual(['world'])
  })

  test('tells the error of an endpoint where nothing else is known', () => {
    const { after } = last({ state: GIVEN, said: [silent('one'), silent('two')] })
    expect(after.tracking).toMatchObject({ status: 'failed', source: 'one' })
  })

  test('says nothing of a payment that was not agreed to, or has ended for certain', () => {
    const paid = stateAfter([INCLUDED, { type: 'ended', outcome: { is: 'paid' } }], { from: GIVEN })
    for (const state of [stateAfter([]), paid])
      expect(last({ state, said: both(IN_BLOCK) })).toMatchObject({
        events: [],
        broadcasts: [],
        told: undefined,
      })
  })
})
