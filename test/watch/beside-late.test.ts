import { describe, expect, test } from 'vitest'
import { validatorKey } from '../../src/devnet/keys.ts'
import { HARD, one } from '../support/hard.ts'
import { type Endpoint, watchBeside } from '../support/watch-beside.ts'

// Slots are a second here: what is half as late as beside the slots of a real network has the same share of them.
const later =
  (delayMs: number): Endpoint =>
  () => ({ delayMs })
const SECONDS: Readonly<Record<string, Endpoint>> = {
  'that is honest, a quarter of a slot away': later(250),
  'that is honest, half a slot away': later(450),
  'that is honest, nearly a slot away': later(850),
  'that is honest, more than a slot away': later(1300),
  'that is dead': () => ({ instead: 'dead' }),
  'that is dead after half a slot': () => ({ delayMs: 500, instead: 'dead' }),
  'that hangs': () => ({ delayMs: Number.POSITIVE_INFINITY }),
  'that takes its time for calls alone': (method, n) => ({
    delayMs: method === 'eth_call' ? 1500 + (n % 5) * 500 : 0,
  }),
}

/** What a watch tells of a validator that is outbid by a rival and loses its place. */
const beOutbid = (other: Endpoint | undefined, isSigned: boolean) =>
  watchBeside({ ...(other && { other }), isSigned }, async ({ world, user, beginStory, pass, told }) => {
    beginStory()
    await user.topUp(310_000n, validatorKey(world.devnet.descriptor.seed, 'rival').pubkey)
    await pass(40)
    return told.map(({ alarm, change, severity, afterSlots }) => ({ alarm, change, severity, afterSlots }))
  })

describe.each([{ isSigned: true }, { isSigned: false }])(
  'beside a second execution endpoint, %o',
  ({ isSigned }) => {
    // In the suite each of them once, every other one where the set signs.
    test.each(Object.entries(SECONDS).filter((_, at) => HARD || (at % 2 === 0) === isSigned))(
      '%s: being outbid is told in time, and never as an exit',
      async (_, other) => {
        const told = await beOutbid(other, isSigned)
        const of = (alarm: string) => told.filter((each) => each.alarm === alarm)
        expect(of('drops-out')[0]).toMatchObject({ change: 'fired', severity: 'critical' })
        expect(of('drops-out')[0]?.afterSlots).toBeLessThanOrEqual(3)
        expect(of('dropped-out')).toMatchObject([{ change: 'fired', severity: 'critical' }])
        expect(of('exit-begun')).toEqual([])
      },
    )
  },
)

const LEFT_OUT: [string, Endpoint][] = [
  ['dead', () => ({ instead: 'dead' })],
  ['late', later(850)],
]

test.each(one(LEFT_OUT, 0))(
  'a second execution endpoint that is %s is named as left out, until it counts again',
  async (_, other) => {
    const told = await watchBeside({ other, isSigned: false }, async (it) => {
      it.beginStory()
      await it.user.topUp(310_000n, validatorKey(it.world.devnet.descriptor.seed, 'rival').pubkey)
      await it.pass(30)
      it.endpoints.other = () => ({})
      // It stands for a minute at least.
      await it.pass(60)
      return it.told
        .filter(({ alarm }) => alarm === 'endpoint-far-off')
        .map(({ change, severity, title }) => `${change} ${severity} ${title.split(' ')[0]}`)
    })
    expect(told).toEqual([
      expect.stringMatching(/^fired warning localhost:\d+$/),
      expect.stringMatching(/^cleared warning localhost:\d+$/),
    ])
  },
)
