import { expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { STANDING_TEXT } from '../../../../src/core/chain/key-state/standing-text.ts'
import { topUpView } from '../../../../src/core/steps/topup/view.ts'
import { collectFacts } from '../../../../src/core/wizard/gates.ts'
import { pattern } from '../../../support/pattern.ts'
import { stateAfter, traceOfRegistration } from '../../../support/trace.ts'

test('only of an amount that keeps a place is it said when others would take it', async () => {
  const { setup, events } = await traceOfRegistration()
  const agreed = events.findIndex(({ step, type }) => step === 'topup' && type === 'agreed')
  const state = stateAfter(events.slice(0, agreed), setup)
  const facts = collectFacts(state, setup)
  const notesWith = (amount: bigint) =>
    topUpView({ ...state.topup, chosenGwei: tokens(amount) }, facts, setup).notes[0]
  expect(notesWith(270_000n)).toMatch(
    pattern`^proven state .* ${STANDING_TEXT.mayDropOut.you('10,000 BERA')}$`,
  )
  expect(notesWith(240_000n)).toMatch(/^proven [^·]* slot \d+$/)
})
