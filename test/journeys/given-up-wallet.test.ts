import { numberToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import type { Session } from '../../src/core/session.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { register } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import { type Carry, carryCommands, readMktx, sessionWithoutKeystore } from '../support/wallet-machine.ts'
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

type Handed = Parameters<Carry>[0]

/** A registration in which the user does something of his own with each command; */
function registerWith(world: World, does: (session: Session, handed: Handed) => ReturnType<Carry>) {
  return world.clock.flow(async () => {
    const session = await sessionWithoutKeystore(world, world.begin())
    await carryCommands(world, session, (handed) => does(session, handed))
    return { session, ending: await register(world, session) }
  })
}

const paid = async (world: World) => {
  const { pubkey } = await userOf(world.devnet)
  return depositsOf(world.devnet.descriptor.urls.execution, pubkey)
}
const send = async (world: World, raw: Hex | undefined) => {
  const user = await userOf(world.devnet)
  await user.rpc('eth_sendRawTransaction', [raw])
}
const giveUp = async (session: Session, step: 'deposit' | 'topup') => {
  await session.dispatch({ step, type: 'released' })
  await session.dispatch({ step, type: 'checkAsked' })
}
const lines = (world: World, type: string) => world.journal().filter((line) => line.type === type)

describe('a transaction that was handed out and given up', () => {
  test.each(['deposit', 'topup'] as const)('is prepared again with the same number: %s', async (step) => {
    const world = await openWorld()
    const { ending } = await registerWith(world, async (session, { step: of, sign }) => {
      if (of !== step || lines(world, `${step}.released`).length > 0) return sign()
      await giveUp(session, step)
      return undefined
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
    const made = lines(world, `${step}.prepared`)
    const numbers = made.map(
      ({ data }) => (data.prepared as { transaction: { nonce: number } }).transaction.nonce,
    )
    expect(numbers).toHaveLength(2)
    expect(new Set(numbers).size).toBe(1)
  })

  test.each(['deposit', 'topup'] as const)(
    'although it was sent, is found before another number is taken: %s',
    async (step) => {
      const world = await openWorld()
      const { ending } = await registerWith(world, async (session, { step: of, sign }) => {
        if (of !== step) return sign()
        const raw = await sign()
        await session.dispatch({ step, type: 'released' })
        await send(world, raw)
        await world.devnet.advanceSlot()
        await session.dispatch({ step, type: 'checkAsked' })
        return undefined
      })
      expect(ending).toEqual({ end: 'active' })
      expect(await paid(world)).toHaveLength(2)
      expect(lines(world, `${step}.prepared`)).toHaveLength(1)
      expect(lines(world, `${step}.found`)).toHaveLength(1)
    },
  )

  test('and sent while the one after it waits to be signed, is the one that counts', async () => {
    const world = await openWorld()
    let old: Hex | undefined
    const { ending, session } = await registerWith(world, async (session, { step, sign }) => {
      if (step === 'deposit') return sign()
      if (old !== undefined) {
        await send(world, old)
        return undefined
      }
      old = await sign({ maxFeePerGas: 10n ** 10n })
      await giveUp(session, step)
      return undefined
    })
    expect(ending).toEqual({ end: 'active' })
    expect(await paid(world)).toHaveLength(2)
    expect(session.getState().topup.finished).toHaveLength(1)
  })
})

describe('while a wallet is to sign', () => {
  test('another program takes the number: it is said, and the step can be opened again', async () => {
    const world = await openWorld()
    const { ending, session } = await registerWith(world, async () => {
      const user = await userOf(world.devnet)
      await user.send(user.address, '0x', 0n)
      return undefined
    })
    expect(ending).toMatchObject({
      end: 'refused',
      problem: { title: 'Another transaction of this account took the number of ours.', money: 'untouched' },
    })
    const view = viewOf('deposit', session.getState(), session)
    expect(view.actions.map(({ id }) => id)).toEqual(['reopen'])
    expect(view.commands).toEqual([])
    expect(await paid(world)).toEqual([])
  })

  test('somebody else pays for the key: after a restart nothing is shown, and it is said', async () => {
    const world = await openWorld()
    const stranger = privateKeyToAccount(`0x${'77'.repeat(32)}`)
    const rich = numberToHex(10n ** 23n)
    await world.devnet.execution.rpc('anvil_setBalance', [stranger.address, rich])
    const life = world.begin()
    await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, life)
      await carryCommands(world, session, async ({ command }) => {
        const { from: _, wallet: __, ...transaction } = readMktx(command)
        await send(world, await stranger.signTransaction({ ...transaction, nonce: 0 }))
        await world.devnet.advanceSlot()
        life.kill()
        return undefined
      })
      await Promise.race([register(world, session), life.died])
    })
    const shown: string[] = []
    const { session } = await world.clock.flow(async () => {
      const again = await sessionWithoutKeystore(world, world.begin())
      await carryCommands(world, again, async ({ command }) => {
        shown.push(command)
        return undefined
      })
      return { session: again, ending: await register(world, again) }
    })
    expect(shown).toEqual([])
    const { deposit } = session.getState()
    expect(deposit).toMatchObject({ phase: 'external', clear: undefined, tracking: { status: 'known' } })
    expect(JSON.stringify(deposit.tracking)).toContain('a deposit for this key is on the chain')
  })
})
