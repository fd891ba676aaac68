import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { activeSet, epochOfSlot, FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest } from '../support/hard.ts'
import { atLine } from '../support/kills.ts'
import { journey, live, register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { pass } from '../support/with-devnet.ts'
import { startWorld } from '../support/world.ts'

const SLOTS_OF_THREE_EPOCHS = 24

/** The places by stake, richest first, and where the user's key sits among them. */
function places(devnet: Devnet, pubkey: string) {
  const state = devnet.state()
  const epoch = epochOfSlot(state.slot, devnet.chain.input.spec)
  const hasPlace = [...activeSet(state, epoch)].sort((a, b) =>
    Number(b.effectiveBalanceGwei - a.effectiveBalanceGwei),
  )
  const own = hasPlace.find((validator) => validator.pubkey === pubkey)
  const others = hasPlace.filter((validator) => validator.pubkey !== pubkey)
  return { own, poorest: others.at(-1)?.effectiveBalanceGwei ?? 0n, taken: hasPlace.length }
}

type Arrived = Parameters<Parameters<typeof journey>[1]>[0]

/** Who has a place may still widen the distance, and reads how much was paid so far. */
async function addsMore(session: Session): Promise<void> {
  const view = () => viewOf('topup', session.getState(), session)
  await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
  expect(view().money.line).toBe('left the wallet 10,000 BERA + 270,000 BERA')
  await session.dispatch({ step: 'topup', type: 'reopened' })
  // What the set says is asked anew before the stake is called enough.
  await until(session, ({ topup }) => topup.snapshot.status === 'known')
  expect(view().actions.map(({ key }) => key)).toEqual(['return', 'a', 'g'])
  expect(view()).toMatchObject({ done: true, fields: [{ id: 'amount', value: '' }] })
  await session.dispatch({ step: 'topup', type: 'chosen', text: '20000' })
  expect(view().money.line).toMatch(
    /^left the wallet 280,000 BERA .* next 20,000 BERA \+ fee( up to [\d.]+)?$/,
  )
  expect(view().facts.find(({ id }) => id === 'amount')?.label).toBe('+20,000 → 300,000')
}

describe('a registration reaches the active set and stays there', () => {
  test('by outbidding the last place where all are taken, with the signer as it is, by a proven set and written down before it is sent', () =>
    journey({ scenario: 'set-full', freshSigner: true }, async ({ world, session, ending }) => {
      const { devnet } = world
      const user = await userOf(devnet)
      expect(ending).toEqual({ end: 'active' })
      expect(viewOf('status', session.getState(), session).notes.join()).toMatch(/^proven [^·]* slot [\d,]+$/)
      expect(await depositsOf(devnet.descriptor.urls.execution, user.pubkey)).toEqual([
        tokens(10_000n),
        expect.any(BigInt),
      ])
      expect(world.wire.map(({ durable }) => durable)).toEqual([true, true])
      await pass(devnet, SLOTS_OF_THREE_EPOCHS)
      const { own, poorest, taken } = places(devnet, user.pubkey)
      expect(taken).toBe(12)
      expect(own?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(own?.effectiveBalanceGwei).toBe(tokens(280_000n))
      expect(poorest).toBe(tokens(290_000n))
      await world.clock.flow(() => addsMore(session))
    }))

  hardTest('with more than the threshold where the last place is a tie at it', () =>
    journey({ scenario: 'tie-at-the-last-place' }, async ({ world, ending }) => {
      const user = await userOf(world.devnet)
      expect(ending).toEqual({ end: 'active' })
      await pass(world.devnet, SLOTS_OF_THREE_EPOCHS)
      const { own, poorest } = places(world.devnet, user.pubkey)
      expect(own?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(own?.effectiveBalanceGwei).toBeGreaterThan(tokens(250_000n))
      expect(own?.effectiveBalanceGwei).toBeLessThan(poorest)
    }),
  )

  hardTest('with the threshold alone where places are free', () =>
    journey({ scenario: 'free-places' }, async ({ world, ending }) => {
      const user = await userOf(world.devnet)
      expect(ending).toEqual({ end: 'active' })
      expect(await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)).toEqual([
        tokens(10_000n),
        tokens(240_000n),
      ])
      await pass(world.devnet, SLOTS_OF_THREE_EPOCHS)
      const { own, taken } = places(world.devnet, user.pubkey)
      expect(taken).toBe(10)
      expect(own?.effectiveBalanceGwei).toBe(tokens(250_000n))
    }),
  )
})

/** The program stops at the key, and nothing was signed or sent. */
async function expectRefused(
  { world, ending }: Arrived,
  id: string,
  { nonceBefore = 0n, money = 'untouched' } = {},
): Promise<void> {
  const user = await userOf(world.devnet)
  const problem = { id, money }
  expect(ending).toMatchObject({ end: 'refused', step: 'identity', problem })
  expect(world.wire).toEqual([])
  expect(world.journal().map(({ type }) => type)).not.toContain('deposit.signed')
  const nonce = await user.rpc('eth_getTransactionCount', [user.address, 'pending'])
  expect(BigInt(nonce as string)).toBe(nonceBefore)
}

const BURNT = 'identity.burnt.own'
const SQUATTED = 'identity.burnt.stranger'

describe('a key that cannot be registered is refused in words, and nothing is sent', () => {
  test('one that has left the set', () =>
    journey({ scenario: 'exited-key' }, (arrived) =>
      expectRefused(arrived, 'identity.left', { money: 'unknown' }),
    ))

  test('one whose operator is a stranger, also after one’s own operator is typed', () =>
    journey({ scenario: 'squatted-key' }, async (arrived) => {
      await expectRefused(arrived, SQUATTED)
      const { world, session } = arrived
      const user = await userOf(world.devnet)
      await session.dispatch({ step: 'identity', type: 'rescueTyped', text: user.address })
      expect(await register(world, session)).toMatchObject({ end: 'refused', step: 'identity' })
      expect(world.wire).toEqual([])
    }))
})

describe('a key whose first deposit was burnt', () => {
  hardTest(
    'is refused, and registered after all by whoever types its operator, with the first stake lost',
    () =>
      journey({ scenario: 'burnt-deposit' }, async (arrived) => {
        await expectRefused(arrived, BURNT, { nonceBefore: 1n, money: 'moved' })
        const { world, session } = arrived
        const user = await userOf(world.devnet)
        const typed = { step: 'identity', type: 'rescueTyped', text: user.address } as const
        expect(await session.dispatch(typed)).toBe(true)
        expect(await register(world, session)).toEqual({ end: 'active' })
        const lost = tokens(10_000n)
        expect(await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)).toEqual([
          lost,
          lost,
          tokens(270_000n),
        ])
        await pass(world.devnet, SLOTS_OF_THREE_EPOCHS)
        expect(places(world.devnet, user.pubkey).own?.effectiveBalanceGwei).toBe(tokens(280_000n))
      }),
  )

  hardTest.each(['deposit.signed', 'deposit.handed-over', 'deposit.included'])(
    'is rescued once, though the process dies after the line %s',
    async (type) => {
      const world = await startWorld({ scenario: 'burnt-deposit' })
      try {
        const user = await userOf(world.devnet)
        const life = world.begin({ dies: atLine(type, 'after') })
        const { session } = await live(world, life)
        await session.dispatch({ step: 'identity', type: 'rescueTyped', text: user.address })
        await world.clock.flow(() => Promise.race([register(world, session), life.died]))
        expect((await live(world, world.begin())).ending).toEqual({ end: 'active' })
        const paid = await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)
        expect(paid).toEqual([tokens(10_000n), tokens(10_000n), tokens(270_000n)])
        expect(new Set(world.wire.map(({ raw }) => raw)).size).toBe(2)
      } finally {
        await world.end()
      }
    },
  )
})
