import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { attachRehearsal } from '../../src/compose/attach-rehearsal.ts'
import { nextDecision } from '../../src/compose/autopilot.ts'
import { createSession, type Session } from '../../src/core/session.ts'
import type { Event, State } from '../../src/core/state.ts'
import { isWatched } from '../../src/core/steps/sending/phases.ts'
import type { Life } from '../support/life.ts'
import { type OpenEnds, openEnds, type Stalling } from '../support/open-ends.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
const lives: Life[] = []

beforeAll(async () => {
  world = await startWorld()
})
afterEach(async () => {
  for (const life of lives.splice(0)) {
    life.kill()
    await life.died
  }
})
afterAll(() => world.end())

/** Where the endpoints begin to stall, in the order of a registration, and what makes the step ask again. */
const MOMENTS: readonly [name: string, is: (state: State) => boolean, again?: Event][] = [
  ['the first questions', () => true],
  ['identity', ({ step }) => step === 'identity', { step: 'identity', type: 'retried' }],
  ['sign', ({ sign, step }) => step === 'sign' && sign.plan !== undefined],
  ['the gate of the deposit', ({ step }) => step === 'deposit', { step: 'deposit', type: 'checkAsked' }],
  ['a deposit under way', ({ deposit }) => isWatched(deposit)],
  ['confirm', ({ step }) => step === 'confirm', { step: 'confirm', type: 'retried' }],
  ['the gate of the top-up', ({ step }) => step === 'topup', { step: 'topup', type: 'checkAsked' }],
  ['a top-up under way', ({ topup }) => isWatched(topup.send)],
  ['status', ({ step }) => step === 'status'],
]

/** A session that has come to the moment, and waits for endpoints that stall from then on. */
async function stalledAt(
  is: (state: State) => boolean,
  stalling: Stalling,
  again?: Event,
): Promise<{ session: Session; open: OpenEnds }> {
  let stalls = false
  const life = world.begin()
  lives.push(life)
  const open = openEnds(life.effects, () => (stalls ? stalling : undefined))
  const setup = await world.clock.flow(() =>
    attachRehearsal(open.effects, {
      descriptorPath: join(world.directory, 'descriptor.json'),
      journalDirectory: join(world.directory, 'journal'),
      outputDirectory: world.directory,
    }),
  )
  const session = createSession(open.effects, setup)
  const reached = Promise.withResolvers<void>()
  let queue = Promise.resolve()
  const look = async () => {
    if (stalls) return
    if (is(session.getState())) {
      stalls = true
      reached.resolve()
      return
    }
    const decision = nextDecision(session)
    if (decision !== undefined) await session.dispatch(decision)
  }
  session.subscribe(() => {
    queue = queue.then(look)
    queue.catch(reached.reject)
  })
  await world.clock.flow(async () => {
    void session.start()
    await reached.promise
    if (again !== undefined) await session.dispatch(again)
  })
  await expect.poll(() => waitsFor(open, stalling)).toBe(true)
  return { session, open }
}

function waitsFor(open: OpenEnds, stalling: Stalling): boolean {
  const waits = open.waits()
  return stalling === 'silent'
    ? waits.some((what) => !what.startsWith('a pause'))
    : waits.includes('a pause of 59000 ms')
}

const STALLING = ['silent', 'asks for 59 s'] as const

describe.each(MOMENTS)('an end in %s', (_, is, again) => {
  test.each(STALLING)('comes at once while every endpoint is %s', async (stalling) => {
    const { session, open } = await stalledAt(is, stalling, again)
    const beganMs = world.clock.nowMs()
    const ended = session.stop()
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(open.waits()).toEqual([])
    await ended
    expect([...open.waits(), ...open.held()]).toEqual([])
    expect(world.clock.nowMs()).toBe(beganMs)
  })
})
