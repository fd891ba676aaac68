import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { expectOnePaymentEach } from '../support/kills.ts'
import { type Ending, register } from '../support/register.ts'
import { type Carry, carryCommands, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import { type LifeOptions, startWorld, type World } from '../support/world.ts'

const worlds: World[] = []

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})

async function openWorld(): Promise<World> {
  const world = await startWorld()
  worlds.push(world)
  return world
}

/** A registration whose setup names no keystore, with a wallet on another machine. */
async function registerElsewhere(world: World, carry: Carry, life: LifeOptions = {}): Promise<Ending> {
  const process = world.begin(life)
  return world.clock.flow(async () => {
    const session = await sessionWithoutKeystore(world, process)
    await carryCommands(world, session, carry)
    return register(world, session)
  })
}

describe('without a keystore a registration is paid from a wallet on another machine', () => {
  test('with the signed bytes pasted', async () => {
    const world = await openWorld()
    expect(await registerElsewhere(world, ({ sign }) => sign())).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })

  test('with the path of a file that holds them', async () => {
    const world = await openWorld()
    const ending = await registerElsewhere(world, async ({ step, sign }) => {
      const path = join(world.directory, `${step}.signed`)
      writeFileSync(path, `${await sign()}\n`)
      return path
    })
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})
