import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_TEXT } from '../../src/core/steps/deposit/machine.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { hardTest } from '../support/hard.ts'
import { live, register } from '../support/register.ts'
import { madeOf, standOf } from '../support/stand-of.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { carryCommands, sessionWithoutKeystore, signShown } from '../support/wallet-machine.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const rows = ({ facts }: AnyView) =>
  Object.fromEntries(facts.map(({ id, mark, value }) => [id, `${mark} ${value}`]))

const lines = (world: World, type: string) => world.journal().filter((line) => line.type === type)

const OTHER = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

/** The user gives up, goes back to the step before, and has something else signed there. */
async function planAnew(session: Session, field: 'operator' | 'withdrawalAddress'): Promise<void> {
  const { plan } = session.getState().sign
  if (plan === undefined) throw new Error('there is no plan')
  await session.dispatch({ step: 'deposit', type: 'abandoned' })
  await session.dispatch({ step: 'session', type: 'went', to: 'sign' })
  await session.dispatch({ step: 'sign', type: 'dropped' })
  await session.dispatch({ step: 'sign', type: 'planned', plan: { ...plan, [field]: OTHER } })
}

describe('a first deposit that was given up for another plan, and sent after all', () => {
  const PLANS = [
    ['operator', 'before anything else is asked'],
    ['withdrawalAddress', 'before anything else is asked'],
    ['operator', 'while the new one waits to be signed'],
  ] as const

  hardTest.each(PLANS)('counts with its own %s: %s', async (field, moment) => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    const { ending, session } = await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, world.begin())
      let raw: Hex | undefined
      const sendOld = () => user.rpc('eth_sendRawTransaction', [raw])
      await carryCommands(world, session, async ({ step, sign }) => {
        if (step !== 'deposit') return sign()
        if (raw !== undefined) {
          await sendOld()
          return undefined
        }
        raw = await sign()
        await planAnew(session, field)
        if (moment === 'before anything else is asked')
          void until(session, (state) => state.sign.signature?.[field] === OTHER).then(sendOld)
        return undefined
      })
      return { session, ending: await register(world, session) }
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await ownDeposits(world)).toHaveLength(2)
    expect(lines(world, 'deposit.found')).toHaveLength(1)
    const { plan, signature } = session.getState().sign
    expect(plan?.[field].toLowerCase()).toBe(user.address.toLowerCase())
    expect(signature?.[field].toLowerCase()).toBe(user.address.toLowerCase())
    const shown = viewOf('sign', session.getState(), session).facts.map(({ long }) => long)
    expect(shown.map((text) => text?.toLowerCase())).not.toContain(OTHER.toLowerCase())
    const { own } = session.getState().identity
    expect(own?.operator.toLowerCase()).toBe(user.address.toLowerCase())
    expect(own?.withdrawalCredentials).toBe(user.withdrawalCredentials)
  })
})

/** Something happens on the chain before anything more is asked, once the time has come. */
function holding(happens: () => Promise<void>) {
  let happened: Promise<void> | undefined
  let hasCome = () => false
  return {
    when(come: () => boolean) {
      hasCome = come
    },
    mutate: (effects: Effects): Effects => ({
      ...effects,
      http: {
        async request(request) {
          if (hasCome()) happened ??= happens()
          await happened
          return effects.http.request(request)
        },
      },
    }),
  }
}

describe('a first deposit that the user sends himself, exactly as it was signed', () => {
  const TAKEN = 'the deposit is on the chain · nothing is sent now'

  hardTest('before the step asks: it is offered, taken for the payment, and paid once', async () => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    const shown = new Set<string>()
    const held = holding(async () => {
      await user.firstDeposit(10_000n)
      await world.devnet.advanceSlot()
    })
    const { ending, session } = await world.clock.flow(async () => {
      const session = await world.session(world.begin(held))
      held.when(() => session.getState().step === 'deposit')
      session.subscribe((state) => {
        const { actions, money, commands } = viewOf('deposit', state, session)
        const offered = standOf(state.deposit) === 'open' && actions.find(({ key }) => key === 'return')
        if (offered) shown.add(`${offered.label}, ${commands.length} commands, ${money.line}`)
      })
      return { session, ending: await register(world, session) }
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await ownDeposits(world)).toHaveLength(2)
    expect(lines(world, 'deposit.found')).toHaveLength(1)
    expect(session.facts().deposit).toMatchObject({ nonce: 0, external: true })
    expect([...shown]).toEqual([`${DEPOSIT_TEXT.keys.continueWith}, 0 commands, ${TAKEN}`])
  })

  hardTest(
    'with the very command that is shown, twice, while it is agreed to: it is the payment',
    async () => {
      const world = await openWorld()
      const user = await userOf(world.devnet)
      let command = ''
      const held = holding(async () => {
        const raw = await signShown(world, command)
        await user.rpc('eth_sendRawTransaction', [raw])
        await world.devnet.advanceSlot()
        await expect(user.rpc('eth_sendRawTransaction', [raw])).rejects.toThrow()
      })
      const { ending } = await world.clock.flow(async () => {
        const session = await world.session(world.begin(held))
        held.when(() => standOf(session.getState().deposit) === 'agreed')
        session.subscribe((state) => {
          command = viewOf('deposit', state, session).commands[0] ?? command
        })
        return { ending: await register(world, session) }
      })
      expect(ending).toEqual({ end: 'active' })
      expect(await ownDeposits(world)).toHaveLength(2)
      expect(lines(world, 'deposit.found')).toHaveLength(1)
      expect(lines(world, 'deposit.handed-over')).toEqual([])
    },
  )

  test('while this program is not running: the key counts as its own, and the deposit is taken up', async () => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    const life = world.begin()
    await world.clock.flow(async () => {
      const session = await world.session(life)
      session.subscribe(({ step }) => {
        if (step === 'deposit') life.kill()
      })
      await Promise.race([register(world, session), life.died])
    })
    await user.firstDeposit(10_000n)
    const { ending, session } = await live(world, world.begin())
    expect(ending).toEqual({ end: 'active' })
    expect(await ownDeposits(world)).toHaveLength(2)
    expect(lines(world, 'sign.signed')).toHaveLength(1)
    const { operator } = rows(viewOf('identity', session.getState(), session))
    expect(operator).toMatch(/^proven /)
  })
})

hardTest(
  'what was given up and is found in the moment of agreeing to another payment is not called untouched',
  async () => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    const rich = privateKeyToAccount(`0x${'77'.repeat(32)}`)
    await world.devnet.execution.rpc('hardhat_setBalance', [rich.address, numberToHex(10n ** 24n)])
    const said = new Set<string>()
    let old: Hex | undefined
    /** A block takes the old one before everything is asked for the last time. */
    const held = holding(async () => {
      await user.rpc('eth_sendRawTransaction', [old])
      await world.devnet.advanceSlot()
    })
    await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, world.begin(held))
      held.when(() => old !== undefined && standOf(session.getState().topup.send) === 'agreed')
      session.subscribe((state) => {
        const { problem } = viewOf('topup', state, session)
        if (madeOf(state.topup.send).found.length > 0 && problem !== undefined)
          said.add(`${problem.title} ${problem.money}`)
      })
      await carryCommands(world, session, async ({ step, sign }) => {
        if (step === 'deposit') return sign()
        if (lines(world, 'topup.abandoned').length > 0) return undefined
        old = await sign()
        await session.dispatch({ step, type: 'abandoned' })
        await session.dispatch({ step, type: 'senderTyped', text: rich.address })
        return undefined
      })
      expect(await register(world, session)).toEqual({ end: 'active' })
    })
    expect(lines(world, 'topup.found')).toHaveLength(1)
    expect([...said]).toEqual([])
    expect(await ownDeposits(world)).toHaveLength(2)
  },
)
