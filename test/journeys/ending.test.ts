import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { attachRehearsal } from '../../src/compose/attach-rehearsal.ts'
import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { liveOf } from '../../src/core/pay/payment/candidates.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { one } from '../support/hard.ts'
import type { Life } from '../support/life.ts'
import { type OpenEnds, openEnds, type Stalling } from '../support/open-ends.ts'
import { type LifeOptions, startWorld, type World } from '../support/world.ts'

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

/** Where the endpoints begin to stall, and what makes the step ask again. */
type Moment = [name: string, is: (state: State) => boolean, again?: Event]

/** In the order of a registration, which goes on from one test to the next. */
const MOMENTS: readonly Moment[] = [
  ['the first questions', () => true],
  ['identity', ({ step }) => step === 'identity', { step: 'identity', type: 'retried' }],
  ['sign', ({ sign, step }) => step === 'sign' && sign.plan !== undefined],
  ['the gate of the deposit', ({ step }) => step === 'deposit', { step: 'deposit', type: 'checkAsked' }],
  ['a deposit under way', ({ deposit }) => liveOf(deposit) !== undefined],
  ['confirm', ({ step }) => step === 'confirm', { step: 'confirm', type: 'retried' }],
  ['the gate of the top-up', ({ step }) => step === 'topup', { step: 'topup', type: 'checkAsked' }],
]

const LATER_MOMENTS: readonly Moment[] = [
  ['a top-up under way', ({ topup }) => liveOf(topup.send) !== undefined],
  ['status', ({ step }) => step === 'status'],
]

/** A machine under load needs it. */
const LONG = { timeout: 20_000 }

type Opened = { session: Session; open: OpenEnds }

const STALLING = ['silent', 'asks for 8 s'] as const

/** Each moment with one way of stalling, in turns; with both where everything is tried. */
const inTurns = (moments: readonly Moment[], first: number) =>
  moments.flatMap(([name, is, again], at) =>
    one(STALLING, (first + at) % STALLING.length).map((stalling) => ({ name, is, again, stalling })),
  )

/** A session with the network, and an account of what it has open. */
async function openSession(
  stalls: () => Stalling | undefined,
  mutate: NonNullable<LifeOptions['mutate']> = (effects) => effects,
): Promise<Opened> {
  const life = world.begin({ mutate })
  lives.push(life)
  const open = openEnds(life.effects, stalls)
  const setup = await world.clock.flow(() =>
    attachRehearsal(open.effects, {
      descriptorPath: join(world.directory, 'descriptor.json'),
      journalDirectory: join(world.directory, 'journal'),
      outputDirectory: world.directory,
    }),
  )
  return { session: createSession(open.effects, setup, openAlarms), open }
}

/** A session that has come to the moment, and waits for endpoints that stall from then on. */
async function stalledAt(is: (state: State) => boolean, stalling: Stalling, again?: Event): Promise<Opened> {
  let stalls = false
  const { session, open } = await openSession(() => (stalls ? stalling : undefined))
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
  await expect.poll(() => waitsFor(open, stalling), LONG).toBe(true)
  return { session, open }
}

function waitsFor(open: OpenEnds, stalling: Stalling): boolean {
  const waits = open.waits()
  return stalling === 'silent'
    ? waits.some((what) => !what.startsWith('a pause'))
    : waits.includes('a pause of 8000 ms')
}

async function endsAtOnce({ session, open }: Opened): Promise<void> {
  const beganMs = world.clock.nowMs()
  const ended = session.stop()
  await new Promise<void>((resolve) => setImmediate(resolve))
  expect(open.waits()).toEqual([])
  await ended
  expect([...open.waits(), ...open.held()]).toEqual([])
  expect(world.clock.nowMs()).toBe(beganMs)
}

test.each(inTurns(MOMENTS, 0))(
  'an end in $name comes at once while every endpoint is $stalling',
  async ({ is, again, stalling }) => endsAtOnce(await stalledAt(is, stalling, again)),
)

test('an end while a line is being written begins nothing afterwards', async () => {
  const written = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const { session, open } = await openSession(
    () => undefined,
    (effects) => ({
      ...effects,
      store: { ...effects.store, openAppend: (path, options) => slowly(effects, path, options) },
    }),
  )
  async function slowly(effects: Effects, ...given: Parameters<Effects['store']['openAppend']>) {
    const file = await effects.store.openAppend(...given)
    const append = async (line: string) => {
      await file.append(line)
      if (!line.includes('"topup.signed"')) return
      written.resolve()
      await goOn.promise
    }
    return { append, close: () => file.close() }
  }
  session.subscribe(() => {
    const decision = nextDecision(session)
    if (decision !== undefined) void session.dispatch(decision)
  })
  await world.clock.flow(async () => {
    void session.start()
    await written.promise
  })
  const ended = session.stop()
  goOn.resolve()
  await ended
  expect([...open.waits(), ...open.held()]).toEqual([])
})

test.each(inTurns(LATER_MOMENTS, MOMENTS.length))(
  'an end in $name comes at once while every endpoint is $stalling',
  async ({ is, stalling }) => endsAtOnce(await stalledAt(is, stalling)),
)
