import { afterEach } from 'vitest'
import { startWorld, type World, type WorldInput } from './world.ts'

/** Opens worlds for the tests of one file; each ends with the test that opened it. */
export function worldsOfTests(): (input?: WorldInput) => Promise<World> {
  const worlds: World[] = []
  afterEach(async () => {
    for (const world of worlds.splice(0)) await world.end()
  })
  return async (input) => {
    const world = await startWorld(input)
    worlds.push(world)
    return world
  }
}
