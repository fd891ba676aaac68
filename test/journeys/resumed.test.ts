import { expect, test } from 'vitest'
import { endedOf } from '../../src/core/pay/payment/candidates.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import { RESUME_TEXT } from '../../src/core/wizard/resume-view.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openWords } from '../support/early-words.ts'
import { hardTest } from '../support/hard.ts'
import { outrunBy } from '../support/outrun.ts'
import { live } from '../support/register.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

test('a first deposit that the contract refused is no registration for which nothing was sent', async () => {
  const world = await openWorld()
  const life = world.begin({ mutate: await outrunBy(world) })
  const { session, ending } = await live(world, life)
  expect(ending).toMatchObject({ end: 'refused', step: 'deposit' })
  await world.clock.flow(() => session.stop())
  const open = await world.clock.flow(async () => {
    const next = await world.session(world.begin())
    const upheld = Promise.withResolvers<readonly string[] | undefined>()
    next.subscribe((state) => {
      if (endedOf(state.deposit)?.remembered === false) upheld.resolve(openWords(state, next))
    })
    await next.start()
    return upheld.promise
  })
  expect(open).toEqual([RESUME_TEXT.open.failed])
})

test('before its journal is read no first step says that nothing was paid', async () => {
  const world = await openWorld()
  const { session, ending } = await live(world, world.begin())
  expect(ending).toEqual({ end: 'active' })
  await world.clock.flow(() => session.stop())
  const next = await world.session(world.begin())
  const lineOf = (state: State) => viewOf('genesis', state, next).money.line
  const lines = new Set<string>()
  next.subscribe((state) => lines.add(lineOf(state)))
  lines.add(lineOf(next.getState()))
  const opened = Promise.withResolvers<void>()
  next.subscribe(({ journal }) => journal.status === 'open' && opened.resolve())
  await world.clock.flow(async () => {
    await next.start()
    await opened.promise
  })
  expect([...lines]).toEqual([
    STEP_TEXT.left.unread,
    STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('280,000 BERA')),
  ])
  await world.clock.flow(() => next.stop())
})

hardTest('a way that was paid to its end goes on with the proof, and says so', async () => {
  const world = await openWorld()
  const before = await live(world, world.begin())
  await world.clock.flow(() => before.session.stop())
  const open = await world.clock.flow(async () => {
    const next = await world.session(world.begin())
    const upheld = Promise.withResolvers<readonly string[] | undefined>()
    next.subscribe((state) => {
      if (endedOf(state.topup.send)?.remembered === false) upheld.resolve(openWords(state, next))
    })
    await next.start()
    return upheld.promise
  })
  expect(open).toEqual([RESUME_TEXT.open.toppedUp])
})
