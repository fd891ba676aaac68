import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { NetworkKind } from '../../src/core/chain/network/network.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import { CONFIRM_TEXT } from '../../src/core/steps/confirm/facts.ts'
import { TOPUP_CHECKS_TEXT } from '../../src/core/steps/topup/text.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import {
  askKey,
  proveAdopted,
  SECOND,
  sessionOfValidator,
  shown,
  topUpAdopted,
  typeAddress,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { type Answer, answering } from '../support/answering.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { faultCode } from '../support/fault-code.ts'
import { hardTest, one } from '../support/hard.ts'
import { lagging } from '../support/lagging.ts'
import { anyNumbers, pattern } from '../support/pattern.ts'
import { beginWithSecond, decided, listen, saidOf, sessionOfKind, silentAt } from '../support/real-money.ts'
import { register } from '../support/register.ts'
import { unsigned } from '../support/unsigned.ts'
import { userOf } from '../support/user-of.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const PAID_ONCE = [tokens(10_000n), tokens(270_000n)]

const openWorld = worldsOfTests()

/** A validator of more slots than any endpoint here is behind, adopted and proven by the rules of real money. */
async function adopted(mutate: (world: World) => LifeOptions['mutate'], { isSigned = false } = {}) {
  const world = await openWorld()
  const user = await userOf(world.devnet)
  await user.firstDeposit(10_000n)
  for (let slot = 0; slot < 24; slot += 1) await world.devnet.advanceSlot()
  const life = withSecondEndpoint(world, {
    mutate: (effects) => mutate(world)?.(effects) ?? effects,
  })
  const validator = { pubkey: user.pubkey }
  // Only an engine serves what the validator set signs.
  const session = await sessionOfValidator(world, life, { validator, kind: 'real', withEngine: isSigned })
  await world.clock.flow(async () => {
    await askKey(session)
    await typeAddress(session, user.address)
    await proveAdopted(session)
  })
  return { world, session, said: listen(session), waits: waitsOf(session) }
}

/** How long each look at the key took before the top-up, in seconds. */
function waitsOf(session: Session): readonly number[] {
  const waits: number[] = []
  let sinceMs: number | undefined
  session.subscribe(({ topup }) => {
    const { status } = topup.send.observed.key
    const nowMs = session.clock.monotonicMs()
    if (status === 'asking') sinceMs ??= nowMs
    if (status === 'asking' || sinceMs === undefined) return
    waits.push((nowMs - sinceMs) / 1000)
    sinceMs = undefined
  })
  return waits
}

/** Looks at the gate of the top-up for so long; it stays shut and nothing leaves. */
async function staysShut({ world, session }: { world: World; session: Session }, seconds: number) {
  if (session.getState().step !== 'topup')
    await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
  await session.clock.sleep(seconds * 1000)
  expect(shown(session, 'topup').actions.map(({ key }) => key)).not.toContain('return')
  expect(world.wire).toEqual([])
}

describe('a second endpoint that falls silent while the registration is proven', () => {
  test.each(one<NetworkKind>(['test', 'real'], 0))(
    'leaves it unproven (%s money) until it holds the root, too',
    async (kind) => {
      const world = await openWorld()
      let isAway = true
      const isSilent = () => isAway && world.journal().some(({ type }) => type === 'deposit.ended')
      const life = beginWithSecond(world, {
        mutate: (effects) => silentAt(unsigned(effects), SECOND, isSilent),
      })
      await world.clock.flow(async () => {
        const session = await sessionOfKind(world, life, kind)
        const said = listen(session)
        const waiting = await register(world, decided(session), { patienceSeconds: 20 })
        expect(waiting).toMatchObject({ end: 'waiting', step: 'confirm' })
        expect(session.facts().registration).toBeUndefined()
        expect(await session.dispatch({ step: 'session', type: 'went', to: 'topup' })).toBe(false)
        expect(saidOf(said, 'confirm secondAnchor: ')).toContain(
          'unknown The execution RPC at http://second.test:80 does not answer.',
        )
        isAway = false
        expect(await register(world, decided(session))).toEqual({ end: 'active' })
        expect(session.facts().registration).toMatchObject({ anchors: 2 })
      })
      expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    },
  )

  test('leaves a signed registration proven, and only the top-up waits for it', async () => {
    const world = await openWorld()
    let isAway = true
    const isSilent = () => isAway && world.journal().some(({ type }) => type === 'deposit.ended')
    const life = beginWithSecond(world, { mutate: (effects) => silentAt(effects, SECOND, isSilent) })
    await world.clock.flow(async () => {
      const session = await sessionOfKind(world, life, 'real')
      const said = listen(session)
      const waiting = await register(world, decided(session), { patienceSeconds: 20 })
      expect(waiting).toMatchObject({ end: 'waiting', step: 'topup' })
      expect(session.facts().registration).toMatchObject({ signed: { percent: 100, leftOut: [] } })
      expect(saidOf(said, 'topup second: ').at(-1)).toMatch(/^unknown /)
      isAway = false
      expect(await register(world, decided(session))).toEqual({ end: 'active' })
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })
})

describe('a second endpoint that is behind the first one', () => {
  /** The notes of the proof on a whole way with an endpoint that is so many slots behind. */
  async function notesOfWay(slots: number, engines: (effects: Effects) => Effects) {
    const world = await openWorld()
    const mutate = (effects: Effects) => engines(lagging(effects, SECOND, () => slots))
    const life = beginWithSecond(world, { mutate })
    const notes = await world.clock.flow(async () => {
      const session = await sessionOfKind(world, life, 'real')
      const said = listen(session)
      expect(await register(world, decided(session))).toEqual({ end: 'active' })
      return saidOf(said, 'confirm note: ')
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    return notes
  }
  const SECOND_HOLDS = CONFIRM_TEXT.anchored({ anchors: 2 }, {} as Session['setup'])

  test.each(one([2, 8], 0))(
    'by %i slots all along is waited for on the whole way, and nobody is blamed',
    async (slots) => {
      expect(await notesOfWay(slots, unsigned)).toEqual([SECOND_HOLDS])
    },
  )

  test.each(one([2, 8], 0))('by %i slots all along blames nobody where the set signs', async (slots) => {
    const notes = await notesOfWay(slots, (effects) => effects)
    expect(notes).toEqual([expect.stringMatching(/100 %.*[\d,]+\.$/)])
  })

  hardTest.each([1, 4, 8])(
    'by %i slots opens the gate of a top-up once it is there, and no sooner',
    async (slots) => {
      let behind = 0
      const { world, session, waits } = await adopted(
        () => (effects) => lagging(effects, SECOND, () => behind),
      )
      behind = slots
      await world.clock.flow(() => topUpAdopted(session))
      expect(await ownDeposits(world)).toEqual(PAID_ONCE)
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(slots - 1)
      expect(Math.max(...waits)).toBeLessThanOrEqual(8)
    },
  )

  hardTest('by 20 slots shuts the gate at once, which names it, until it is there', async () => {
    let behind = 0
    const arrived = await adopted(() => (effects) => lagging(effects, SECOND, () => behind))
    const { world, session, said, waits } = arrived
    behind = 20
    await world.clock.flow(async () => {
      await staysShut(arrived, 30)
      expect(saidOf(said, 'topup key: ').at(-1)).toMatch(
        pattern`^unknown ${anyNumbers(STEP_TEXT.doubt.noRoot('http://second.test:80', 1n))}$`,
      )
      expect(Math.max(...waits)).toBeLessThan(1)
      behind = 0
      await session.dispatch({ step: 'topup', type: 'checkAsked' })
      await topUpAdopted(session)
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })

  test('by 20 slots holds up no top-up where the set signs, and is named', async () => {
    let behind = 0
    const lag = () => (effects: Effects) => lagging(effects, SECOND, () => behind)
    const { world, session, said, waits } = await adopted(lag, { isSigned: true })
    behind = 20
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.clock.sleep(30_000)
      expect(saidOf(said, 'topup key: ').at(-1)).toMatch(
        pattern`^proven ${anyNumbers(TOPUP_CHECKS_TEXT.holds(1n))}$`,
      )
      expect(Math.max(...waits)).toBeLessThan(1)
      await topUpAdopted(session)
    })
    expect(saidOf(said, 'topup second: ').at(-1)).toMatch(
      pattern`^proven ${anyNumbers(GATE_TEXT.second.notNewer(1n, 1n))}$`,
    )
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })

  test('by more than the validator is old knows no operator yet, which is not called another one', async () => {
    let behind = 0
    const arrived = await adopted(() => (effects) => lagging(effects, SECOND, () => behind))
    behind = 60
    await arrived.world.clock.flow(() => staysShut(arrived, 10))
    expect(saidOf(arrived.said, 'topup second: ')).toContain(`unknown ${TOPUP_CHECKS_TEXT.behind}`)
  })

  hardTest('and stands still is waited for eight slots, and shuts the gate then', async () => {
    let stoodAt: bigint | undefined
    const arrived = await adopted(({ devnet }) => (effects) => {
      const behind = () => (stoodAt === undefined ? 0 : Number(devnet.state().slot - stoodAt))
      return lagging(effects, SECOND, behind)
    })
    const { world, session, said, waits } = arrived
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await session.clock.sleep(5000)
      expect(shown(session, 'topup').actions.map(({ key }) => key)).toContain('return')
      stoodAt = world.devnet.state().slot
      await session.clock.sleep(3000)
      await session.dispatch({ step: 'topup', type: 'checkAsked' })
      await staysShut(arrived, 20)
    })
    expect(waits.at(-1)).toBeGreaterThan(7)
    expect(Math.max(...waits)).toBeLessThanOrEqual(8)
    expect(saidOf(said, 'topup key: ').at(-1)).toMatch(/^unknown http:\/\/second\.test:80 /)
  })
})

describe('a first endpoint that is far ahead of all others', () => {
  async function aheadOfAll({ isSigned = false } = {}) {
    let isAhead = false
    const ahead: Answer = ({ method, params: [block] }, truth) => {
      if (!isAhead) return undefined
      const later = (quantity: unknown) => numberToHex(Number(quantity) + 30)
      if (method === 'eth_blockNumber') return truth().then(later)
      if (method !== 'eth_getBlockByNumber' || block !== 'latest') return undefined
      return truth().then((found) => {
        const { number, timestamp, ...rest } = found as { number: string; timestamp: string }
        return { ...rest, number: later(number), timestamp: later(timestamp) }
      })
    }
    const arrived = await adopted(
      ({ devnet }) =>
        (effects) =>
          answering(effects, ahead, devnet.descriptor.urls.execution),
      { isSigned },
    )
    isAhead = true
    await arrived.world.clock.flow(() => staysShut(arrived, 15))
    return arrived
  }

  test('shuts the gate', async () => {
    const { said, session } = await aheadOfAll()
    expect(saidOf(said, 'topup key: ').at(-1)).toMatch(/^unknown /)
    expect(faultCode(session.getState().topup.send.observed.key)).toBe('client.rejected')
  })

  test('shuts the gate where the set signs, although the key is proven at the block that is signed', async () => {
    const { said } = await aheadOfAll({ isSigned: true })
    expect(saidOf(said, 'topup key: ').at(-1)).toMatch(
      pattern`^proven ${anyNumbers(TOPUP_CHECKS_TEXT.holds(1n))}$`,
    )
    expect(saidOf(said, 'topup node: ').at(-1)).toMatch(/^refused /)
  })
})
