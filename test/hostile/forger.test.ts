import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { FORGERS } from '../../src/core/chain/network/scenario-names.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import type { StepId } from '../../src/core/view/view.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { countsAgain, notSigned } from '../../src/watch/endpoint-words.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import {
  askKey,
  proveAdopted,
  sessionOfValidator,
  shown,
  topUpAdopted,
  typeAddress,
} from '../support/adopting.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { arm, guardOf, isOutbid, ownRecord, sentByGuard } from '../support/guarded.ts'
import { one } from '../support/hard.ts'
import { press } from '../support/press.ts'
import { journey, register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { beginWatch } from '../support/watch-run.ts'
import type { World, WorldInput } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

/** Forgers whose blocks are never the set's. */
const NEVER_SIGNED = FORGERS.filter((forger) => forger !== 'stale')
/** How the engine is named whose blocks don't verify. */
const NAMED = /127\.0\.0\.1:\d+, block \d+: /

const openWorld = worldsOfTests()

/** The same world in which, from some moment on, the engine's blocks carry a signature that the set never made. */
function forging(isForged: () => boolean) {
  return (effects: Effects): Effects => ({
    ...effects,
    http: {
      async request(asked) {
        const reply = await effects.http.request(asked)
        if (!isForged() || !/\/commit(?:\?|$)/.test(asked.url)) return reply
        const text = new TextDecoder().decode(reply.body)
        const changed = text.replace(/"signature":"([A-Za-z0-9+/]{8})/, '"signature":"AAAAAAAA')
        return { ...reply, body: new TextEncoder().encode(changed) }
      },
    },
  })
}

/** A session with the public key of a validator that another tool registered, on a chain that may turn into a forger's. */
async function registered(input: WorldInput = {}, isForged = () => false) {
  const world = await openWorld(input)
  const user = await userOf(world.devnet)
  await user.firstDeposit(10_000n)
  for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
  const life = world.begin({ mutate: forging(isForged) })
  const validator = { pubkey: user.pubkey }
  const session = await sessionOfValidator(world, life, { validator, withEngine: true })
  return { world, user, life, session }
}

const rowOf = (session: Session, step: StepId, id: string) => {
  const { facts, checks } = shown(session, step)
  return [...facts, ...checks].find((row) => row.id === id)
}

/** Nothing of a validator that is shown is taken, and nothing behind it opens. */
async function takesNothing({ world, user, session }: Awaited<ReturnType<typeof registered>>) {
  await askKey(session)
  await until(session, () => shown(session, 'identity').problem !== undefined)
  expect(shown(session, 'identity')).toMatchObject({
    done: false,
    fields: [],
    problem: { id: 'identity.unproven' },
  })
  expect(rowOf(session, 'identity', 'beacon')?.mark).toBe('unknown')
  await session.dispatch({ step: 'identity', type: 'addressTyped', text: user.address })
  for (const to of ['confirm', 'topup', 'status'] as const)
    expect([to, await session.dispatch({ step: 'session', type: 'went', to })]).toEqual([to, false])
  expect(session.facts().validator).toBeUndefined()
  expect(world.journal().map(({ type }) => type)).toEqual(['journal'])
  expect(world.wire).toEqual([])
}

const MINE = 'genesis/11'
const keyOf = ({ devnet }: World, name: Parameters<typeof validatorKey>[1]): Hex =>
  validatorKey(devnet.descriptor.seed, name).pubkey

/** A watch on the validator that has the last place. */
const watching = (world: World, isForged = () => false) =>
  beginWatch(
    ['--devnet', join(world.directory, 'descriptor.json'), '--lang', 'en', `${keyOf(world, MINE)}=mine`],
    { effects: world.begin({ mutate: forging(isForged) }).effects, directory: world.directory },
  )

describe('a forger that is all endpoints at once', () => {
  // Beside each of them the light client refuses the first block (test/devnet/signed-blocks.test.ts).
  test.each(one(NEVER_SIGNED, 0))('gets no first deposit (%s)', (forger) =>
    journey({ forger, patienceSeconds: 60 }, ({ world, ending }) => {
      expect(ending).toMatchObject({
        end: 'waiting',
        step: 'deposit',
        words: expect.stringMatching(NAMED),
      })
      expect(world.wire).toEqual([])
    }),
  )

  test.each(NEVER_SIGNED)('gets no validator adopted, and no top-up (%s)', async (forger) => {
    const it = await registered({ forger })
    await it.world.clock.flow(() => takesNothing(it))
    expect(shown(it.session, 'identity').problem?.lines.join(' ')).toMatch(NAMED)
  })

  test('gets no validator adopted by a signed block that is old (stale)', async () => {
    const it = await registered({ forger: 'stale' })
    const { setup } = it.session
    const network = { ...setup.network, clockIsWall: true }
    const session = createSession(it.life.effects, { ...setup, network }, openAlarms)
    await it.world.clock.flow(async () => {
      await session.clock.sleep(90_000)
      await takesNothing({ ...it, session })
    })
    expect(shown(session, 'identity').problem?.lines.join(' ')).toMatch(/ slot 19 /)
  })

  test('gets no top-up where it begins after an honest time, not even through a gate that stands open', async () => {
    let isForged = false
    const { world, user, session } = await registered({}, () => isForged)
    await world.clock.flow(async () => {
      await askKey(session)
      await typeAddress(session, user.address)
      isForged = true
      await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
      await session.clock.sleep(20_000)
      expect(rowOf(session, 'confirm', 'signed')).toMatchObject({
        mark: 'unknown',
        value: expect.stringMatching(NAMED),
      })
      expect(session.facts().registration).toBeUndefined()
      expect(await session.dispatch({ step: 'session', type: 'went', to: 'topup' })).toBe(false)
      isForged = false
      await session.dispatch({ step: 'confirm', type: 'retried' })
      await proveAdopted(session)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup))
      isForged = true
      await press(session, 'topup', 'return')
      await session.clock.sleep(20_000)
      expect(session.getState().topup.send.failure?.code).toBe('wallet.gate-closed')
      expect(rowOf(session, 'topup', 'key')).toMatchObject({
        mark: 'unknown',
        value: expect.stringMatching(NAMED),
      })
      expect(world.wire).toEqual([])
      isForged = false
      await session.dispatch({ step: 'topup', type: 'checkAsked' })
      await topUpAdopted(session)
    })
    expect(await ownDeposits(world)).toEqual([tokens(10_000n), tokens(270_000n)])
  })

  test('has nothing that it says of the validator stand as proven on the status screen', async () => {
    let isForged = false
    const { world, user, session } = await registered({}, () => isForged)
    await world.clock.flow(async () => {
      await askKey(session)
      await typeAddress(session, user.address)
      await proveAdopted(session)
      await session.dispatch({ step: 'session', type: 'went', to: 'status' })
      await until(session, () => rowOf(session, 'status', 'status')?.mark === 'proven')
      isForged = true
      await until(session, ({ status }) => status.alarms.some(({ alarm }) => alarm === 'chain-unsigned'))
      expect(rowOf(session, 'status', 'rank')).toBeUndefined()
      for (const id of ['status', 'balance'])
        expect(rowOf(session, 'status', id)).toMatchObject({ mark: 'unknown' })
      expect(shown(session, 'status').notes.join(' ')).toMatch(NAMED)
      isForged = false
      await until(session, () => rowOf(session, 'status', 'status')?.mark === 'proven')
      await until(session, ({ status }) => status.alarms.length === 0)
    })
  })

  test('moves no guard by a danger that the set did not sign', async () => {
    let isForged = false
    const world = await openWorld({ scenario: 'outbid-while-active' })
    await world.clock.flow(async () => {
      const session = await world.session(world.begin({ mutate: forging(() => isForged) }))
      expect(await register(world, session)).toEqual({ end: 'active' })
      await arm(session, '50000')
      await until(session, ({ status }) => status.guard?.holder === 'here')
      const before = (await ownRecord(world)).balanceGwei
      isForged = true
      while (!isOutbid(world)) await session.clock.sleep(1_000)
      await session.clock.sleep(40_000)
      expect((await ownRecord(world)).balanceGwei).toBe(before)
      expect(sentByGuard(world)).toEqual([])
      expect(guardOf(session)).toMatchObject({ stand: 'armed', troubles: ['unproven'] })
    })
  })

  test('has a watch say that nothing is proven while it makes up that a validator drops out, and is paid back', async () => {
    const world = await openWorld({ scenario: 'outbid-while-active', forger: 'other-keys' })
    const user = await userOf(world.devnet)
    const { told, faults } = await world.clock.flow(async () => {
      const watch = watching(world)
      await world.clock.sleep(5_000)
      await user.firstDeposit(600_000n)
      await world.clock.sleep(90_000)
      await watch.stop()
      return watch
    })
    expect(faults).toEqual([])
    const [first, ...others] = told
    expect(first).toMatchObject({
      alarm: 'chain-unsigned',
      change: 'fired',
      severity: 'critical',
      title: notSigned('').title,
      what: expect.stringMatching(NAMED),
    })
    expect(others.map(({ alarm }) => alarm)).toContain('dropped-out')
    expect(others.filter(({ change }) => change === 'cleared')).toEqual([])
    for (const { title, what } of others)
      expect([title, what]).toEqual([
        expect.stringMatching(/^Not proven: mine /),
        expect.stringMatching(NAMED),
      ])
  })

  test('ends no alarm of a watch that began in an honest time, and what is signed again does', async () => {
    const world = await openWorld({ scenario: 'outbid-while-active' })
    const user = await userOf(world.devnet)
    let isForged = false
    await world.clock.flow(async () => {
      const watch = watching(world, () => isForged)
      const cleared = () => watch.told.filter(({ change }) => change === 'cleared').map(({ alarm }) => alarm)
      await world.clock.sleep(5_000)
      await user.topUp(310_000n, keyOf(world, 'rival'))
      while (watch.told.length === 0) await world.clock.sleep(1_000)
      expect(watch.told).toMatchObject([{ alarm: 'drops-out', title: expect.stringMatching(/^mine /) }])
      isForged = true
      await user.topUp(100_000n, keyOf(world, MINE))
      await world.clock.sleep(40_000)
      expect(cleared()).toEqual([])
      isForged = false
      while (cleared().length < 3) await world.clock.sleep(1_000)
      await watch.stop()
      expect(cleared().toSorted()).toEqual(['chain-unsigned', 'deposit-unexpected', 'drops-out'])
      expect(
        watch.told.find(({ change, alarm }) => change === 'cleared' && alarm === 'chain-unsigned')?.title,
      ).toBe(countsAgain('signed').title)
      expect(watch.faults).toEqual([])
    })
  })
})
