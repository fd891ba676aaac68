import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { STANDING_TEXT } from '../../src/core/chain/key-state/standing-text.ts'
import type { NetworkKind } from '../../src/core/chain/network/network.ts'
import { DEPOSIT_TEXT } from '../../src/core/steps/deposit/machine.ts'
import { TOPUP_CHECKS_TEXT } from '../../src/core/steps/topup/text.ts'
import {
  askKey,
  proveAdopted,
  SECOND,
  sessionOfValidator,
  topUpAdopted,
  typeAddress,
  watchUntilActive,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { clientWords } from '../support/client-words.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { anyNumbers, pattern } from '../support/pattern.ts'
import {
  beginWithSecond,
  decided,
  listen,
  saidOf,
  sessionOfKind,
  silentAt,
  withoutState,
} from '../support/real-money.ts'
import { register } from '../support/register.ts'
import { unsigned } from '../support/unsigned.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const PAID_ONCE = [tokens(10_000n), tokens(270_000n)]

const openWorld = worldsOfTests()

/** A whole node that does not offer its state, beside two endpoints, of which the second may be silent. */
async function begin(world: World, kind: NetworkKind, isSilent = () => false, engines = unsigned) {
  const life = beginWithSecond(world, {
    mutate: (effects) => silentAt(engines(withoutState(effects)), SECOND, isSilent),
  })
  const session = await sessionOfKind(world, life, kind)
  return { session, said: listen(session) }
}

const HELD = anyNumbers(TOPUP_CHECKS_TEXT.reported(TOPUP_CHECKS_TEXT.holds(1n)))

describe('where the node does not offer its state', () => {
  const KINDS: [NetworkKind, string][] = [
    ['test', 'send 270000'],
    ['real', 'risk 270000'],
  ]
  test.each(one(KINDS, 1))(
    'a whole registration is made on %s money, and what is reported is said: %s',
    async (kind, typed) => {
      const world = await openWorld()
      await world.clock.flow(async () => {
        const { session, said } = await begin(world, kind)
        expect(await register(world, decided(session))).toEqual({ end: 'active' })
        const last = (start: string) => saidOf(said, start).at(-1)
        expect(last('identity beacon: ')).toMatch(/^unknown /)
        expect(last('deposit key: ')).toBe(
          `proven ${DEPOSIT_TEXT.checks.reported(DEPOSIT_TEXT.checks.unused)}`,
        )
        expect(last('deposit way: ')).toMatch(/^unknown 280,000[.\d]* BERA /)
        expect(saidOf(said, 'deposit types: ')).toEqual(['send 10000'])
        expect(session.facts().registration).toMatchObject({ anchors: 2 })
        expect(last('topup key: ')).toMatch(pattern`^proven ${HELD}$`)
        expect(saidOf(said, 'topup types: ')).toEqual([typed])
        const notes = saidOf(said, 'topup note: ').join('\n')
        expect(notes).toContain(STANDING_TEXT.mayDropOut.you('10,000 BERA'))
        expect(session.getState().status.lastSnapshot).toMatchObject({ proof: undefined })
        const seen = [...saidOf(said, 'topup note: '), ...saidOf(said, 'status note: ')].join('\n')
        expect(seen).not.toMatch(/^proven /m)
      })
      expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    },
  )

  test.each(one<NetworkKind>(['test', 'real'], 1))(
    'no first deposit leaves on %s money while one of two endpoints does not say who the operator is',
    async (kind) => {
      const world = await openWorld()
      let isAway = false
      await world.clock.flow(async () => {
        const { session, said } = await begin(world, kind, () => isAway)
        session.subscribe(({ step }) => {
          isAway ||= step === 'sign'
        })
        const waiting = await register(world, decided(session), { patienceSeconds: 20 })
        expect(waiting).toMatchObject({ end: 'waiting', step: 'deposit' })
        expect(saidOf(said, 'deposit types: ')).toEqual([])
        expect(saidOf(said, 'deposit second: ')).toContain(
          `unknown ${clientWords('unreachable', 'execution RPC', 'http://second.test:80')}`,
        )
        expect(saidOf(said, 'deposit key: ').at(-1)).toMatch(
          pattern`^unknown ${DEPOSIT_TEXT.checks.notProven}: ${anyNumbers(DEPOSIT_TEXT.checks.silent('http://second.test:80', 1n))}\.$`,
        )
      })
      expect(world.wire).toEqual([])
    },
  )

  test('the registration and the operator are proven by what the set signed, the set is not', async () => {
    const world = await openWorld()
    await world.clock.flow(async () => {
      const { session, said } = await begin(world, 'real', undefined, (effects) => effects)
      expect(await register(world, decided(session))).toEqual({ end: 'active' })
      expect(session.facts().registration).toMatchObject({ anchors: 0, signed: { percent: 100 } })
      expect(saidOf(said, 'deposit key: ').at(-1)).toBe(
        `proven ${DEPOSIT_TEXT.checks.reported(DEPOSIT_TEXT.checks.unused)}`,
      )
      expect(saidOf(said, 'topup key: ').at(-1)).toMatch(pattern`^proven ${HELD}$`)
      expect(session.getState().status.lastSnapshot).toMatchObject({ proof: undefined })
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })

  hardTest('a burnt key is not registered after all on real money: its absence is not proven', async () => {
    const world = await openWorld({ scenario: 'burnt-deposit' })
    await world.clock.flow(async () => {
      const { session, said } = await begin(world, 'real')
      await askKey(session)
      const text = getAddress((await userOf(world.devnet)).address)
      await session.dispatch({ step: 'identity', type: 'rescueTyped', text })
      const waiting = await register(world, decided(session), { patienceSeconds: 10 })
      expect(waiting).toMatchObject({ step: 'deposit' })
      expect(saidOf(said, 'deposit key: ').at(-1)).toBe(`refused ${DEPOSIT_TEXT.checks.absenceReported}`)
      expect(saidOf(said, 'deposit types: ')).toEqual([])
    })
    expect(world.wire).toEqual([])
  })

  hardTest(
    'a validator is adopted with its key alone by the rules of real money, and topped up',
    async () => {
      const world = await openWorld()
      const user = await userOf(world.devnet)
      await user.firstDeposit(10_000n)
      for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
      await world.clock.flow(async () => {
        const life = withSecondEndpoint(world, { mutate: withoutState })
        const validator = { pubkey: user.pubkey }
        const session = await sessionOfValidator(world, life, { validator, kind: 'real' })
        const said = listen(session)
        await askKey(session)
        await typeAddress(session, user.address)
        await proveAdopted(session)
        expect(session.facts().registration).toMatchObject({ validatorIndex: 12, anchors: 2 })
        await topUpAdopted(session)
        await watchUntilActive(session)
        expect(saidOf(said, 'identity beacon: ')).toEqual([
          'proven validator 12, pending_initialized, proven',
        ])
        expect(saidOf(said, 'topup types: ')).toEqual(['risk 270000'])
        expect(saidOf(said, 'topup key: ').at(-1)).toMatch(pattern`^proven ${HELD}$`)
      })
      expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    },
  )
})
