import { describe, expect, test } from 'vitest'
import { formatClock } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import {
  type ForkNow,
  forkIsKnown,
  forksAhead,
  forkWarnings,
  forkWords,
  isNear,
  namedForks,
  scheduleFits,
  unknownForksAhead,
} from '../../../../src/core/chain/consensus/fork-outlook.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'

const { spec } = BEPOLIA
const DENEB: Hex = '0x04000000'
const DENEB1: Hex = '0x04010000'
const ELECTRA: Hex = '0x05000000'
const ELECTRA1: Hex = '0x05010000'
const FULU: Hex = '0x06000000'
const UNKNOWN: Hex = '0x07000000'

const HOUR = 3600n
const at = (version: Hex, timestampSeconds: bigint): ForkNow => ({
  version,
  timestampSeconds,
  slot: (timestampSeconds - spec.genesisTimeSeconds) / 2n,
})
const epochAt = (timestampSeconds: bigint) =>
  (timestampSeconds - spec.genesisTimeSeconds) / 2n / spec.slotsPerEpoch

const inElectra1 = at(ELECTRA1, spec.fuluTimeSeconds - 10n * HOUR)
const history = [
  { version: DENEB, epoch: 0n },
  { version: DENEB1, epoch: 40n },
  { version: ELECTRA, epoch: epochAt(spec.electraTimeSeconds) },
  { version: ELECTRA1, epoch: epochAt(spec.electraOneTimeSeconds) },
]

describe('the fork of a head', () => {
  test.each([
    ['Electra1 before Fulu', inElectra1, true],
    ['Fulu from its time on', at(FULU, spec.fuluTimeSeconds), true],
    ['Electra1 just after, for a client that is behind', at(ELECTRA1, spec.fuluTimeSeconds + 30n), true],
    ['Fulu just before, for a client that is ahead', at(FULU, spec.fuluTimeSeconds - 30n), true],
    ['Electra1 an hour after', at(ELECTRA1, spec.fuluTimeSeconds + HOUR), false],
    ['Fulu an hour before', at(FULU, spec.fuluTimeSeconds - HOUR), false],
    ['Deneb, whose rules are not known here', at(DENEB, spec.genesisTimeSeconds + HOUR), false],
    ['an unknown one', at(UNKNOWN, spec.fuluTimeSeconds + HOUR), false],
  ])('%s', (_what, now, fits) => {
    expect(forkIsKnown(now, spec)).toBe(fits)
  })

  test('is named beside the one that it should be', () => {
    expect(forkWords(inElectra1, spec)).toBe('Electra1')
    expect(forkWords(at(FULU, spec.genesisTimeSeconds), spec)).toBe('Fulu, expected Deneb')
    expect(forkWords(at(UNKNOWN, spec.electraTimeSeconds), spec)).toMatch(/0x07000000, expected Electra$/)
  })
})

describe('a schedule', () => {
  const without = (version: Hex) => history.filter((fork) => fork.version !== version)
  const soon = { version: FULU, epoch: epochAt(spec.fuluTimeSeconds) }

  test.each([
    ['the whole history', history, true],
    ['a history out of order', history.toReversed(), true],
    ['a history with what is to come', [...history, soon], true],
    ['one with an unknown fork to come', [...history, { version: UNKNOWN, epoch: 2n ** 64n - 1n }], true],
    ['a history without a fork that began', without(ELECTRA), false],
    ['a history without the present fork', without(ELECTRA1), false],
    ['Fulu begun long before its time', [...history, { version: FULU, epoch: 50n }], false],
    ['an unknown fork in the past', [...history, { version: UNKNOWN, epoch: 50n }], false],
    ['nothing', [], false],
  ])('%s', (_what, schedule, fits) => {
    expect(scheduleFits(schedule, inElectra1, spec)).toBe(fits)
  })

  test('leaves the minute of a fork open within its epoch', () => {
    const schedule = [...history, soon]
    const start = spec.genesisTimeSeconds + soon.epoch * spec.slotsPerEpoch * 2n
    expect(scheduleFits(schedule, at(ELECTRA1, start + 2n), spec)).toBe(true)
    expect(scheduleFits(schedule, at(FULU, spec.fuluTimeSeconds + 2n), spec)).toBe(true)
  })

  test('dates what is to come by the time of a slot', () => {
    const epoch = inElectra1.slot / spec.slotsPerEpoch + 1n
    const [fork] = forksAhead([...history, { version: UNKNOWN, epoch }], inElectra1, spec)
    expect(fork?.label).toBe('unknown fork 0x07000000')
    const inSeconds = (fork?.atSeconds ?? 0n) - inElectra1.timestampSeconds
    expect(inSeconds > 0n && inSeconds <= spec.slotsPerEpoch * 2n).toBe(true)
  })
})

describe('forks to come that are not known here', () => {
  const soon = epochAt(spec.fuluTimeSeconds)
  const unknown = (epoch: bigint) => ({ version: UNKNOWN, epoch })
  const now = inElectra1.timestampSeconds
  const OF_CLIENT = 'a fork of the execution client'

  test.each([
    [
      'none where the schedule holds known ones',
      { schedule: [...history, { version: FULU, epoch: soon }] },
      [],
    ],
    ['one of an unknown version', { schedule: [...history, unknown(soon)] }, ['unknown fork 0x07000000']],
    ['none that began', { schedule: [unknown(50n)] }, []],
    ['none without a date', { schedule: [unknown(2n ** 64n - 1n), unknown(2n ** 62n)] }, []],
    ['none where the client names one of the network', { nextSeconds: spec.fuluTimeSeconds + 30n }, []],
    ['one that the client alone names', { nextSeconds: now + HOUR }, [OF_CLIENT]],
    ['none of the client that began', { nextSeconds: now - HOUR }, []],
    ['none of the client without a date', { nextSeconds: 2n ** 64n - 1n }, []],
    ['both', { schedule: [unknown(soon)], nextSeconds: now + 2n }, ['unknown fork 0x07000000', OF_CLIENT]],
    ['none where nobody names any', {}, []],
  ])('are %s', (_, said, labels) => {
    expect(unknownForksAhead(said, inElectra1, spec).map(({ label }) => label)).toEqual(labels)
  })
})

describe('a warning', () => {
  const left = (seconds: bigint) => forkWarnings(spec, spec.fuluTimeSeconds - seconds)

  test('comes two hours before a fork of the network, and ends with it', () => {
    expect(left(2n * HOUR + 1n)).toEqual([])
    const fuluMs = Number(spec.fuluTimeSeconds) * 1000
    const clock = formatClock(fuluMs, fuluMs - 7_200_000)
    expect(left(2n * HOUR)).toEqual([expect.stringContaining(` about 2 h, at ${clock} (Fulu)`)])
    expect(left(1n)).toHaveLength(1)
    expect(left(0n)).toEqual([])
  })

  test('is one for a fork that both name, and takes the nearer time', () => {
    const now = spec.fuluTimeSeconds - HOUR
    const scheduled = [{ label: 'Fulu', atSeconds: now + 60n }]
    expect(forkWarnings(spec, now, scheduled)).toEqual([expect.stringContaining('in about 1 min (Fulu)')])
  })

  test('comes for a fork that only the node names', () => {
    const now = spec.electraTimeSeconds + HOUR
    const scheduled = [{ label: 'unknown fork 0x07000000', atSeconds: now + 90n }]
    expect(forkWarnings(spec, now, scheduled)).toEqual([expect.stringContaining('unknown fork 0x07000000')])
  })
})

test('two times are of one fork where they are as far apart as the clocks of both layers may be, and no further', () => {
  const nearest = (apart: bigint) => [isNear(1_000n + apart, 1_000n), isNear(1_000n, 1_000n + apart)]
  let apart = 0n
  while (isNear(apart + 1n, 0n)) apart += 1n
  expect(apart).toBeGreaterThan(0n)
  expect(nearest(apart)).toEqual([true, true])
  expect(nearest(apart + 1n)).toEqual([false, false])
})

test('a fork that a client names twice is named once, as it was named first', () => {
  const [current, next] = [
    { atSeconds: 1n, id: '0x01' },
    { atSeconds: 5n, id: '0x02' },
  ] as const
  expect(namedForks({ current, next, last: { ...next, id: undefined } })).toEqual([current, next])
  expect(namedForks({ current, next: 'none', last: undefined })).toEqual([current])
  expect(namedForks({ current, next, last: { atSeconds: 9n, id: undefined } })).toHaveLength(3)
})
