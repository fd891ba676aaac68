import { expect, test } from 'vitest'
import { GUARD_ENDS, REHEARSAL_ENDS, receiptNext, summaryOf } from '../../src/compose/summary.ts'
import type { GuardStanding } from '../../src/core/observe/picture.ts'
import { type GuardEvent, guardTransition } from '../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../src/core/pay/guard/standing.ts'
import { receiptLines } from '../../src/core/view/desk-words.ts'
import { STEP_NAMES_TEXT, STEP_TEXT } from '../../src/core/view/text.ts'
import { armed, terms } from '../support/guard-world.ts'
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

test('who leaves an armed guard reads that nobody holds it now, also in lines, and nothing where it is not so', async () => {
  const world = await openWorld()
  const nobodys = toldGuard(armed(), 'nobody')
  const held = toldGuard(armed(), 'here')
  const elsewhere = toldGuard(armed(), { heldBy: 'Process 7.' })
  const after = (event: GuardEvent) => toldGuard(guardTransition(armed(), event) ?? armed(), 'nobody')
  const over = after({ type: 'void' })
  const exported = guardTransition(undefined, { type: 'exported', terms: terms() })
  const cases: [page: GuardStanding | 'none', status: GuardStanding | undefined, isSaid: boolean][] = [
    ['none', undefined, false],
    [nobodys, undefined, true],
    [nobodys, held, true],
    // What the status screen saw after the welcome back is what counts.
    [elsewhere, held, true],
    [elsewhere, undefined, false],
    [nobodys, elsewhere, false],
    [nobodys, { ...nobodys, stand: 'unreadable' }, false],
    [over, held, false],
    [nobodys, over, false],
    ...(exported === undefined
      ? []
      : [[toldGuard(exported, 'nobody'), undefined, false] as [GuardStanding, undefined, boolean]]),
    [{ ...nobodys, nonce: over.nonce + 1 }, over, true],
    [{ ...nobodys, from: `0x${'71'.repeat(20)}`, nonce: over.nonce - 1 }, over, true],
  ]
  await world.clock.flow(async () => {
    const session = await world.session(world.begin())
    for (const [here, guard, isSaid] of cases) {
      await session.dispatch({ step: 'topup', type: 'guardTold', here, isOver: false })
      await session.dispatch({ step: 'status', type: 'guarded', guard })
      const { receipt } = summaryOf(session)
      expect(
        receipt.next.includes(GUARD_ENDS),
        JSON.stringify([typeof here === 'object' && here.stand, guard?.stand]),
      ).toBe(isSaid)
      const lines = receiptLines(receipt, (text) => text).map((line) => line.trim())
      expect(lines.join(' ').includes(GUARD_ENDS)).toBe(isSaid)
    }
  })
})
