import { expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { guardPayment } from '../../../../src/core/observe/picture.ts'
import { toldGuard } from '../../../../src/core/pay/guard/standing.ts'
import { type Arrival, paidByGuardsGwei } from '../../../../src/core/steps/topup/machine.ts'
import { TOPUP_TEXT } from '../../../../src/core/steps/topup/text.ts'
import { topUpView } from '../../../../src/core/steps/topup/view.ts'
import { collectFacts } from '../../../../src/core/wizard/gates.ts'
import { leftOf } from '../../../../src/core/wizard/view-of.ts'
import { armed, guardAfter, handed, hashOf, includedIn } from '../../../support/guard-world.ts'
import { stateAfter, traceOfRegistration } from '../../../support/trace.ts'

const CANCELLATION = 5
const inBlock = toldGuard(guardAfter(handed(3), includedIn(hashOf(3))), 'here')

test('a guard has paid what is in a block, and not what waits, nor by its cancellation', () => {
  expect(guardPayment(inBlock)).toMatchObject({
    amountGwei: tokens(40_000n),
    hash: hashOf(3),
    isFinal: false,
  })
  expect(guardPayment({ ...inBlock, stand: 'over', end: 'paid' })).toMatchObject({ isFinal: true })
  const cancelled = guardAfter(handed(CANCELLATION), includedIn(hashOf(CANCELLATION)))
  for (const guard of [armed(), handed(3), cancelled])
    expect(guardPayment(toldGuard(guard, 'here'))).toBeUndefined()
})

test('what a guard has paid left the wallet, once, and is named as the guard’s', async () => {
  const { setup, events } = await traceOfRegistration()
  const agreed = events.findIndex(({ step, type }) => step === 'topup' && type === 'agreed')
  const state = stateAfter(events.slice(0, agreed), setup)
  const facts = collectFacts(state, setup)
  const arrival: Arrival = {
    hash: hashOf(3),
    block: 99n,
    amountGwei: tokens(40_000n),
    from: undefined,
    byGuard: true,
  }
  const topup = { ...state.topup, arrivals: [arrival] }
  expect(paidByGuardsGwei(topup, inBlock)).toBe(tokens(40_000n))
  const { notes, money } = topUpView(topup, facts, setup)
  expect(notes).toContain(TOPUP_TEXT.notes.byGuard('40,000 BERA', 99n))
  expect(money.line).not.toContain(TOPUP_TEXT.money.arrived('40,000 BERA'))
  const left = (over: object) => leftOf('status', { ...state, ...over }, { facts, setup })?.text
  expect(left({})).toContain('10,000 BERA')
  expect(left({ status: { ...state.status, guard: inBlock } })).toContain('50,000 BERA')
  expect(left({ topup })).toContain('50,000 BERA')
})
