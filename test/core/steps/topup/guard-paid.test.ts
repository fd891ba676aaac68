import { expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { type GuardStanding, guardPayment } from '../../../../src/core/observe/picture.ts'
import { toldGuard } from '../../../../src/core/pay/guard/standing.ts'
import { type Arrival, paidByGuards } from '../../../../src/core/steps/topup/machine.ts'
import { TOPUP_TEXT } from '../../../../src/core/steps/topup/text.ts'
import { topUpView } from '../../../../src/core/steps/topup/view.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import { collectFacts } from '../../../../src/core/wizard/gates.ts'
import type { Event } from '../../../../src/core/wizard/state.ts'
import { leftOf } from '../../../../src/core/wizard/view-of.ts'
import { armed, guardAfter, handed, hashOf, includedIn } from '../../../support/guard-world.ts'
import { apply, stateAfter, traceOfRegistration } from '../../../support/trace.ts'

const CANCELLATION = 5
const inBlock = toldGuard(guardAfter(handed(3), includedIn(hashOf(3))), 'here')
/** A guard of another account, with its own hashes, that has paid 20,000. */
const other: GuardStanding = {
  ...toldGuard(guardAfter(handed(1), includedIn(hashOf(1))), 'nobody'),
  from: `0x${'71'.repeat(20)}`,
  hash: `0x${'ab'.repeat(32)}`,
  hashes: [`0x${'ab'.repeat(32)}`, `0x${'ac'.repeat(32)}`],
  stand: 'over',
  end: 'paid',
}

async function before() {
  const { setup, events } = await traceOfRegistration()
  const agreed = events.findIndex(({ step, type }) => step === 'topup' && type === 'agreed')
  const state = stateAfter(events.slice(0, agreed), setup)
  const leftAfter = (...more: readonly Event[]) => {
    const after = more.reduce((now, event) => apply(now, event, setup), state)
    return leftOf('status', after, { facts: collectFacts(after, setup), setup })
  }
  return { setup, state, leftAfter }
}

const read = (guards: readonly GuardStanding[], isWhole = true): Event => ({
  step: 'topup',
  type: 'guardsRead',
  guards: { guards, isWhole },
})
const held = (guard: GuardStanding): Event => ({ step: 'status', type: 'guarded', guard })
const arrival = (hash: GuardStanding['hash'], amountGwei: bigint): Arrival => ({
  hash: hash ?? '0x',
  block: 99n,
  amountGwei,
  from: undefined,
  byGuard: true,
})

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

test('what each guard has paid left the wallet, whatever account it is of, and once however it is seen', async () => {
  const { leftAfter } = await before()
  const arrived = (upTo: bigint, ...arrivals: Arrival[]): Event => ({
    step: 'topup',
    type: 'arrived',
    arrivals,
    upTo,
  })
  const both = arrived(99n, arrival(inBlock.hash, tokens(40_000n)), arrival(other.hash, tokens(20_000n)))
  expect(leftAfter()?.text).toContain(' 10,000 BERA')
  expect(leftAfter(read([]), held(inBlock))?.text).toContain(' 50,000 BERA')
  expect(leftAfter(read([other, inBlock]))?.text).toContain(' 70,000 BERA')
  expect(leftAfter(read([other]), held(inBlock))?.text).toContain(' 70,000 BERA')
  expect(leftAfter(read([other]), held(inBlock), held(armedNext))?.text).toContain(' 70,000 BERA')
  expect(leftAfter(both)?.text).toContain(' 70,000 BERA')
  expect(leftAfter(read([other, inBlock]), both)?.text).toContain(' 70,000 BERA')
})

test('of two amounts of one guard that were seen in a block, as a block was replaced, one left the wallet', async () => {
  const { leftAfter } = await before()
  const arrivals = [arrival(hashOf(1), tokens(20_000n)), arrival(hashOf(3), tokens(40_000n))]
  const arrived: Event = { step: 'topup', type: 'arrived', arrivals, upTo: 99n }
  expect(leftAfter(arrived, read([inBlock]))?.text).toContain(' 50,000 BERA')
})

test('an amount that waits for a block, and a guard that cannot be read, may have left the wallet beside the rest', async () => {
  const { leftAfter } = await before()
  for (const events of [[read([toldGuard(handed(3), 'here')])], [read([], false)]]) {
    const left = leftAfter(...events)
    expect(left).toMatchObject({ is: 'perhaps' })
    expect(left?.text).toContain(STEP_TEXT.left.withGuard('10,000 BERA'))
  }
  const [waits, cancels] = [handed(3), handed(CANCELLATION)].map((guard) => toldGuard(guard, 'here'))
  if (waits === undefined || cancels === undefined) throw new Error('no guard')
  // An amount may be first while its cancellation waits; where none was handed over none can be.
  expect(leftAfter(read([cancels]))).toMatchObject({ is: 'paid' })
  expect(leftAfter(read([waits]), held({ ...waits, stand: 'over', end: 'cancelled' }))).toMatchObject({
    is: 'paid',
  })
})

test('a payment of a guard is named as the guard’s, and not as that of others', async () => {
  const { setup, state } = await before()
  const topup = { ...state.topup, arrivals: [arrival(hashOf(3), tokens(40_000n))] }
  expect(paidByGuards(topup)).toEqual({ paidGwei: tokens(40_000n), isAll: true })
  const { notes, money } = topUpView(topup, collectFacts(state, setup), setup)
  expect(notes).toContain(TOPUP_TEXT.notes.byGuard('40,000 BERA', 99n))
  expect(money.line).not.toContain(TOPUP_TEXT.money.arrived('40,000 BERA'))
})

/** The guard that is armed after the others. */
const armedNext: GuardStanding = { ...toldGuard(armed(), 'here'), nonce: 6, hashes: [] }
