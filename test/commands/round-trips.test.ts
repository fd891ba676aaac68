import { describe, expect, test } from 'vitest'
import { roundTrips } from '../support/round-trips.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const CASES = [
  ['keys --validator', 4],
  ['topup-plan --validator', 4],
  ['status --validator', 5],
  ['genesis', 1],
] as const

describe('with endpoints that are far away', () => {
  test.each(CASES)('%s waits for %i answers one after another at most', async (name, most) => {
    const world = await openWorld()
    const alone = await roundTrips(world, name)
    expect(alone.inARow).toBeLessThanOrEqual(most)
    expect(alone.questions).toBeGreaterThanOrEqual(5)
    const beside = await roundTrips(world, name, { hasSecond: true })
    expect(beside.inARow).toBeLessThanOrEqual(most)
  })

  // What is asked again on purpose: the heads, until there is a new one; roots and a second endpoint's head, for each proof.
  // Whether a key signs on another node is read in five commits; which forks it names is asked of a second endpoint too.
  test('doctor asks no more than 65 questions, 13 of them in words that were asked before', async () => {
    const { questions, askedBefore } = await roundTrips(await openWorld(), 'doctor', { hasSecond: true })
    expect(questions).toBeLessThanOrEqual(65)
    expect(askedBefore).toBeLessThanOrEqual(13)
  })

  test('status asks no more than 24 questions of three endpoints', async () => {
    const { questions } = await roundTrips(await openWorld(), 'status --validator')
    expect(questions).toBeLessThanOrEqual(24)
  })
})
