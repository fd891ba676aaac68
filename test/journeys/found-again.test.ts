import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import type { Effects } from '../../src/core/effects/effects.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import type { Session } from '../../src/core/session.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { register } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { carryCommands, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import { startWorld, type World } from '../support/world.ts'

const worlds: World[] = []

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})

async function openWorld(): Promise<World> {
  const world = await startWorld()
  worlds.push(world)
  return world
}

async function depositsIn({ devnet }: World): Promise<bigint[]> {
  const { pubkey } = await userOf(devnet)
  return depositsOf(devnet.descriptor.urls.execution, pubkey)
}

const lines = (world: World, type: string) => world.journal().filter((line) => line.type === type)

const OTHER = '0x00000000219ab540356cBB839Cbe05303d7705Fa'

/** The user gives up, goes back to the step before, and has something else signed there. */
async function planAnew(session: Session, field: 'operator' | 'withdrawalAddress'): Promise<void> {
  const { plan } = session.getState().sign
  if (plan === undefined) throw new Error('there is no plan')
  await session.dispatch({ step: 'deposit', type: 'released' })
  await session.dispatch({ step: 'session', type: 'went', to: 'sign' })
  await session.dispatch({ step: 'sign', type: 'dropped' })
  await session.dispatch({ step: 'sign', type: 'planned', plan: { ...plan, [field]: OTHER } })
}

describe('a first deposit that was given up for another plan, and sent after all', () => {
  test.each(['operator', 'withdrawalAddress'] as const)('counts with its own %s', async (field) => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    const { ending, session } = await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, world.begin())
      await carryCommands(world, session, async ({ step, sign }) => {
        if (step !== 'deposit') return sign()
        const raw = await sign()
        await planAnew(session, field)
        void until(session, (state) => state.sign.signature?.[field] === OTHER).then(() =>
          user.rpc('eth_sendRawTransaction', [raw]),
        )
        return undefined
      })
      return { session, ending: await register(world, session) }
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await depositsIn(world)).toHaveLength(2)
    expect(lines(world, 'deposit.prepared')).toHaveLength(1)
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

test('what was given up and is found in the moment of agreeing to another payment is not called untouched', async () => {
  const world = await openWorld()
  const user = await userOf(world.devnet)
  const rich = privateKeyToAccount(`0x${'77'.repeat(32)}`)
  await world.devnet.execution.rpc('anvil_setBalance', [rich.address, numberToHex(10n ** 24n)])
  const said = new Set<string>()
  let old: Hex | undefined
  let agreed: Session | undefined
  let taken: Promise<void> | undefined
  const takeOld = async () => {
    await user.rpc('eth_sendRawTransaction', [old])
    await world.devnet.advanceSlot()
  }
  /** A block takes the old one before everything is asked for the last time. */
  const mutate = (effects: Effects): Effects => ({
    ...effects,
    http: {
      async request(request) {
        if (old !== undefined && agreed?.getState().topup.send.phase === 'confirmed') taken ??= takeOld()
        await taken
        return effects.http.request(request)
      },
    },
  })
  await world.clock.flow(async () => {
    const session = await sessionWithoutKeystore(world, world.begin({ mutate }))
    agreed = session
    session.subscribe((state) => {
      const { problem } = viewOf('topup', state, session)
      if (state.topup.send.strays.length > 0 && problem !== undefined)
        said.add(`${problem.title} ${problem.money}`)
    })
    await carryCommands(world, session, async ({ step, sign }) => {
      if (step === 'deposit') return sign()
      if (lines(world, 'topup.released').length > 0) return undefined
      old = await sign()
      await session.dispatch({ step, type: 'released' })
      await session.dispatch({ step, type: 'payerTyped', text: rich.address })
      return undefined
    })
    expect(await register(world, session)).toEqual({ end: 'active' })
  })
  expect(lines(world, 'topup.found')).toHaveLength(1)
  expect([...said]).toEqual([])
  expect(await depositsIn(world)).toHaveLength(2)
})
