import { expect, test } from 'vitest'
import { REHEARSAL_ENDS, receiptNext, summaryOf } from '../../src/compose/summary.ts'
import { STEP_NAMES_TEXT } from '../../src/core/view/names-text.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

test('who leaves a rehearsal reads that its network does not wait for ever', async () => {
  const world = await openWorld()
  const { receipt } = await world.clock.flow(async () => summaryOf(await world.session(world.begin())))
  expect(receipt.next).toEqual([REHEARSAL_ENDS, ...receiptNext({ done: false, open: false, adopted: false })])
})

test('who leaves before a payment reads how far it came and that nothing has left the wallet', async () => {
  const world = await openWorld()
  const { receipt } = await world.clock.flow(async () => summaryOf(await world.session(world.begin())))
  expect(receipt.title).toBe('Not finished yet.')
  expect(receipt.rows).toContainEqual({
    label: 'reached',
    value: `step 1 of 7, genesis: ${STEP_NAMES_TEXT.of.genesis.title}`,
  })
  expect(receipt.rows).toContainEqual({ label: 'money', value: STEP_TEXT.left.paid('0 BERA') })
})
