import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import {
  type DepositPicture,
  LIMITS,
  type NetworkPicture,
  type WatchContext,
} from '../../src/core/observe/picture.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import { memoryText, readMemory } from '../../src/watch/keep.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { HEADS, look, START_MS, seenValidator } from '../support/pictures.ts'

const context: WatchContext = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const { slotMs } = MAINNET
const MINUTE = 60_000 / slotMs

/** What a watch tells of looks, slot by slot, from a memory on; at each look the disk is read again. */
function told(
  sightings: readonly NetworkPicture[],
  from: WatchMemory = emptyMemory(MAINNET),
): { events: WatchEvent[]; memory: WatchMemory } {
  let memory = from
  const events: WatchEvent[] = []
  for (const picture of sightings) {
    const next = watchTransition(memory, picture, context)
    memory = readMemory(memoryText(next.memory), 'watch.json', MAINNET)
    events.push(...next.events)
  }
  return { events, memory }
}

/** Looks in which the own node answers or does not, one a slot, beside an own execution client that does. */
function ofNode(answers: readonly boolean[], { from = 0, jumpMs = 0 } = {}): NetworkPicture[] {
  return answers.map((isThere, at) => {
    const slot = 1000n + BigInt(from + at)
    const node = { role: 'node', place: 0, name: '127.0.0.1:3500' } as const
    const heads = [
      isThere ? { ...node, slot } : node,
      { role: 'execution', place: 0, name: '127.0.0.1:8545', slot } as const,
    ]
    return look({ atMs: START_MS + (from + at) * slotMs + jumpMs, heads, validators: [] })
  })
}

const repeat = <T>(pattern: readonly T[], times: number): T[] =>
  Array.from({ length: times }, () => pattern).flat()
const ofSilence = (events: readonly WatchEvent[]) => events.filter(({ alarm }) => alarm === 'node-silent')
const changes = (events: readonly WatchEvent[]) => events.map(({ change }) => change)

/** Silent 8 seconds of 12. */
const FLAPPING = [true, true, false, false, false, false]
const STEADY = Array.from({ length: 12 * MINUTE }, () => true)

describe('a node that is silent again and again', () => {
  test('is told, is over, is told once more with how often, and is over when it stays so', () => {
    const hour = repeat(FLAPPING, 10 * MINUTE)
    const { events } = told(ofNode([true, ...hour, ...STEADY]))
    const found = ofSilence(events)
    expect(changes(found).filter((change) => change !== 'repeated')).toEqual([
      'fired',
      'cleared',
      'fired',
      'cleared',
    ])
    expect(changes(found).filter((change) => change === 'repeated').length).toBeLessThanOrEqual(4)
    expect(new Set(found.map(({ id }) => id)).size).toBe(2)
    expect(found[2]?.what).toContain('It came 2 times')
    expect(found.at(-1)?.what).toMatch(/It had come \d{3} times/)
  })

  test('is told in its minute, each time that comes after a quiet while', () => {
    const once = [true, ...Array.from({ length: 5 }, () => false), ...STEADY]
    const found = ofSilence(told(ofNode(repeat(once, 3))).events)
    expect(changes(found)).toEqual(['fired', 'cleared', 'fired', 'cleared', 'fired', 'cleared'])
    expect(new Set(found.map(({ id }) => id)).size).toBe(3)
  })

  test('never ends as one that stands, and never stands as one that is over', () => {
    const answers = fc.array(fc.boolean(), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(answers, (some) => {
        const { events, memory } = told(ofNode([true, ...some, ...STEADY]))
        expect(ofSilence(events).at(-1)?.change ?? 'cleared').toBe('cleared')
        expect(memory.alarms).toEqual([])
        const silent = Array.from({ length: 5 * MINUTE }, () => false)
        const last = told(ofNode([true, ...some, true, ...silent]))
        expect(ofSilence(last.events).at(-1)?.change).not.toBe('cleared')
        expect(last.memory.alarms.map(({ alarm }) => alarm)).toContain('node-silent')
      }),
      { numRuns: 40 },
    )
  })
})

test('a clock that is set back by a day holds no repetition back', () => {
  const silent = Array.from({ length: 5 }, () => false)
  const first = told(ofNode([true, ...silent]))
  expect(changes(ofSilence(first.events))).toEqual(['fired'])
  const day = { from: 6, jumpMs: -24 * 3_600_000 }
  const hours = Array.from({ length: 120 * MINUTE }, () => false)
  const after = ofSilence(told(ofNode(hours, day), first.memory).events)
  expect(after.filter(({ change }) => change === 'repeated').length).toBeGreaterThanOrEqual(1)
})

describe('deposits that an endpoint makes up', () => {
  const madeUp = (at: number, count: number): DepositPicture[] =>
    Array.from({ length: count }, (_, index) => ({
      index: BigInt(at * 1000 + index),
      blockSlot: BigInt(1000 + at),
      amountGwei: 10_000_000_000_000n,
      transactionHash: `0x${(at * 1000 + index).toString(16).padStart(64, '0')}`,
      isOwn: false,
    }))
  const looks = Array.from({ length: 40 }, (_, at) => {
    const deposits = madeUp(at, 320)
    return look({ atMs: START_MS + at * slotMs, validators: [seenValidator({ deposits })] })
  })

  test('are told up to a number, then all together once, and fit on the disk', () => {
    const { events, memory } = told(looks)
    const found = events.filter(({ alarm }) => alarm === 'deposit-unexpected')
    expect(found.length).toBeLessThanOrEqual(24)
    expect(found.at(-1)?.what).toContain('more')
    expect(memoryText(memory).length).toBeLessThan(100_000)
  })

  test('do not hide one that comes alone later', () => {
    const after = [1, 2].map((epochs) => {
      const slot = 1040n + BigInt(epochs) * 3n * MAINNET.spec.slotsPerEpoch
      const own = seenValidator()
      const record = own.record === 'absent' || own.record === undefined ? undefined : own.record
      const ahead = own.ahead && { ...own.ahead, slot, epoch: slot / MAINNET.spec.slotsPerEpoch }
      return look({
        atMs: START_MS + Number(slot) * slotMs,
        heads: HEADS.map((head) => (head.slot === undefined ? head : { ...head, slot })),
        validators: [
          {
            ...own,
            deposits: [],
            ...(ahead === undefined ? {} : { ahead }),
            ...(record === undefined ? {} : { record: { ...record, slot } }),
          },
        ],
      })
    })
    const { memory } = told([...looks, ...after])
    expect(memory.alarms.filter(({ alarm }) => alarm === 'deposit-unexpected')).toEqual([])
    const one = look({
      atMs: START_MS + 3000 * slotMs,
      validators: [seenValidator({ deposits: madeUp(2000, 1) })],
    })
    const { events } = told([one], memory)
    expect(events.filter(({ alarm }) => alarm === 'deposit-unexpected')).toHaveLength(1)
  })
})

test('a node that stands still because its execution client is silent is told as that alone', () => {
  const at = (slots: number, isThere: boolean): NetworkPicture => {
    const slot = 1000n + BigInt(isThere ? slots : 3)
    const execution = { role: 'execution', place: 0, name: '127.0.0.1:8545' } as const
    return look({
      atMs: START_MS + slots * slotMs,
      heads: [
        { role: 'node', place: 0, name: '127.0.0.1:3500', slot },
        isThere ? { ...execution, slot } : execution,
        { role: 'execution', place: 1, name: 'rpc.example.com', slot: 1000n + BigInt(slots) },
      ],
      validators: [],
    })
  }
  const looks = [0, 1, 2, 3].map((slots) => at(slots, true))
  const stopped = Array.from({ length: 60 }, (_, after) => at(4 + after, false))
  const { events } = told([...looks, ...stopped])
  const critical = events.filter(({ severity, change }) => severity === 'critical' && change !== 'repeated')
  expect(critical.map(({ alarm }) => alarm)).toEqual(['execution-silent'])
})

test('a chain that stands is not called going on by a watch that was not there for a while', () => {
  const at = (minutes: number, slot: bigint): NetworkPicture =>
    look({
      atMs: START_MS + minutes * 60_000,
      heads: [
        { role: 'node', place: 0, name: '127.0.0.1:3500', slot },
        { role: 'execution', place: 0, name: '127.0.0.1:8545', slot },
        { role: 'execution', place: 1, name: 'rpc.example.com', slot },
      ],
      validators: [],
    })
  const minutes = (from: number, to: number, slot: bigint) =>
    Array.from({ length: (to - from) * MINUTE }, (_, slots) => at(from + slots / MINUTE, slot))
  // It stands for an hour, in which the watch is gone twice.
  const looks = [at(0, 1000n), ...minutes(1, 10, 1001n), ...minutes(20, 30, 1001n), ...minutes(40, 60, 1001n)]
  const { events, memory } = told([...looks, ...minutes(61, 62, 1001n)])
  const halted = (all: readonly WatchEvent[]) =>
    changes(all.filter(({ alarm }) => alarm === 'chain-halted')).filter((change) => change !== 'repeated')
  expect(halted(events)).toEqual(['fired'])
  expect(halted(told([at(62, 1001n), at(62.1, 1002n)], memory).events)).toEqual(['cleared'])
})
