import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { attended } from '../../src/compose/attended-rehearsal.ts'
import { contractAddressFault, POOLS_TEXT } from '../../src/core/chain/network/pools.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { TOPUP_CHECKS_TEXT } from '../../src/core/steps/topup/text.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { endCard } from '../../src/core/wizard/story/end-card.ts'
import { STORIES_TEXT } from '../../src/core/wizard/story/stories-text.ts'
import {
  askKey,
  proveAdopted,
  sessionOfValidator,
  shown,
  typeAddress,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { press } from '../support/press.ts'
import { until } from '../support/two-machines.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** A session that has proven the pool's validator of a rehearsal, by the rules of real money. */
async function provenPool(world: World) {
  const { pubkey = '0x' } = world.devnet.state().validators[5] ?? {}
  const vault = world.devnet.descriptor.pools?.vault ?? '0x'
  const life = withSecondEndpoint(world, {})
  const session = await sessionOfValidator(world, life, { validator: { pubkey }, kind: 'real' })
  await askKey(session)
  await typeAddress(session, getAddress(vault))
  await proveAdopted(session)
  await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
  await until(session, ({ topup }) => topup.snapshot.status === 'known')
  return { session, vault, pubkey }
}

test('a pool’s validator is adopted and watched, and never topped up, whatever amount is typed', async () => {
  const world = await openWorld()
  await world.clock.flow(async () => {
    const { session, vault } = await provenPool(world)
    for (const amount of [undefined, '10000', '300000']) {
      if (amount !== undefined) await session.dispatch({ step: 'topup', type: 'chosen', text: amount })
      const view = shown(session, 'topup')
      expect(view.problem).toMatchObject({ id: 'topup.pool', kind: 'closed' })
      expect(view.actions.filter(({ typed }) => typed !== undefined)).toEqual([])
    }
    await session.dispatch({ step: 'session', type: 'went', to: 'status' })
    const isActive = () =>
      shown(session, 'status').facts.some(({ id, mark }) => id === 'status' && mark === 'proven')
    await until(session, isActive)
    const { actions, facts } = shown(session, 'status')
    expect(actions.map(({ key }) => key).filter((key) => 'tg'.includes(key))).toEqual([])
    expect(facts.find(({ id }) => id === 'pool')?.long).toBe(POOLS_TEXT.onlyItsDoor)
    await press(session, 'status', 'l')
    expect(shown(session, 'status').notes[0]).toBe(POOLS_TEXT.left)
    expect(contractAddressFault(vault, session.setup.network)).toBeDefined()
    await session.stop()
  })
  expect(world.journal().map(({ type }) => type)).toEqual(['journal', 'identity.adopted'])
})

test('the check right before a signature refuses a pool’s validator by itself', async () => {
  const world = await openWorld()
  const pubkey = await world.clock.flow(async () => {
    const { session, pubkey: key } = await provenPool(world)
    const { network } = session.setup
    const { pools } = network
    // As if the screen did not know: only what is asked after the word does.
    delete network.pools
    await session.dispatch({ step: 'topup', type: 'chosen', text: '10000' })
    await until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup))
    const does = shown(session, 'topup').actions.find(({ typed }) => typed !== undefined)?.does
    expect(does).toMatchObject([{ type: 'agreed' }])
    if (pools !== undefined) network.pools = pools
    for (const event of does as readonly Event[]) await session.dispatch(event)
    const keyCheck = () => session.getState().topup.send.observed.key
    await until(session, () => {
      const check = keyCheck()
      return check.status === 'known' && !check.value.good
    })
    expect(keyCheck()).toMatchObject({ value: { words: TOPUP_CHECKS_TEXT.pool } })
    await session.stop()
    return key
  })
  expect(await depositsOf(world.devnet.descriptor.urls.execution, pubkey)).toEqual([])
  expect(world.journal().map(({ type }) => type)).not.toContain('topup.signed')
})

test('the story of it: the node’s own key is a pool’s, its page is closed, and what somebody adds is told', async () => {
  const world = await openWorld({ scenario: 'pool-validator' })
  await world.clock.flow(async () => {
    const life = world.begin()
    const session = attended(await world.session(life), life.effects)
    await session.start()
    const problem = () => shown(session, 'identity').problem?.id
    await until(session, () => shown(session, 'genesis').done)
    await session.dispatch({ step: 'session', type: 'went', to: 'identity' })
    await until(session, () => session.getState().step === 'identity' && problem() === 'identity.registered')
    // Nothing before its closed page says that it can be topped up from here.
    const { lines = [] } = shown(session, 'identity').problem ?? {}
    expect(lines.at(-1)).toBe(POOLS_TEXT.onlyItsDoor)
    const { suggestedAddress = '' } = session.setup
    expect(contractAddressFault(suggestedAddress, session.setup.network)).toBe(POOLS_TEXT.vault)
    await typeAddress(session, suggestedAddress)
    await proveAdopted(session)
    await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
    await until(session, () => shown(session, 'topup').problem?.id === 'topup.pool')
    // However long somebody reads, nothing has happened before the last step.
    await world.clock.sleep(120_000)
    expect(session.getState().story).toMatchObject({ phase: 'before', events: [] })
    await session.dispatch({ step: 'session', type: 'went', to: 'status' })
    await until(session, ({ story }) => story?.phase === 'soon')
    const told = () => session.getState().status.alarms.map(({ alarm }) => alarm)
    await until(session, () => told().includes('deposit-unexpected'))
    await until(session, ({ story }) => story?.phase === 'over')
    const { story } = session.getState()
    if (story === undefined) throw new Error('there is no story')
    expect(story.events).toMatchObject([{ id: 'gift-added', index: 11 }])
    const { rows } = endCard(story, session.setup, { hasKeys: true })
    const gift = STORIES_TEXT.event('gift-added', { amount: '10,000 BERA', index: '11', blocks: '' })
    expect(rows.find(({ id }) => id === 'happened')?.text).toContain(gift)
    await session.stop()
  })
})
