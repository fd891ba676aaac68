import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { watchHistory } from '../../../scripts/vectors/watch.ts'
import { FAR_FUTURE_EPOCH } from '../../../src/core/consensus/state.ts'
import { tokens } from '../../../src/core/format/amount.ts'
import { MAINNET } from '../../../src/core/network/presets.ts'
import type { WatchEvent } from '../../../src/core/watch/event.ts'
import { memoryText, readMemory } from '../../../src/core/watch/keep.ts'
import { emptyMemory, type WatchMemory } from '../../../src/core/watch/memory.ts'
import {
  LIMITS,
  type SeenAhead,
  type SeenValidator,
  type Sighting,
} from '../../../src/core/watch/sighting.ts'
import { acknowledge, watchTransition } from '../../../src/core/watch/transition.ts'
import { runsOf, sampled } from '../../support/hard.ts'
import { pubkey, validatorOf } from '../consensus/model.ts'

const context = { network: MAINNET, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const SLOT_MS = MAINNET.slotMs
const START_MS = 1_800_000_000_000

/** What happens in one look of a made-up story. */
type Happening = {
  /** Slots since the look before. */
  slots: number
  node: 'answers' | 'silent'
  other: 'answers' | 'silent'
  key: 'own' | 'other' | 'unseen'
  record: 'unseen' | 'active' | 'leaving' | 'left' | 'paid'
  ahead: 'unseen' | 'keeps' | 'keeps, not whole' | 'thin' | 'drops' | 'drops soon' | 'no way'
  fork: 'unseen' | 'known' | 'unknown'
  signed: boolean | undefined
  restarts: boolean
}

const happening: fc.Arbitrary<Happening> = fc.record({
  slots: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2000 })),
  node: fc.constantFrom('answers', 'answers', 'silent'),
  other: fc.constantFrom('answers', 'answers', 'silent'),
  key: fc.constantFrom('own', 'own', 'other', 'unseen'),
  record: fc.constantFrom('unseen', 'active', 'active', 'active', 'leaving', 'left', 'paid'),
  ahead: fc.constantFrom('unseen', 'keeps', 'keeps, not whole', 'thin', 'drops', 'drops soon', 'no way'),
  fork: fc.constantFrom('unseen', 'known', 'unknown'),
  signed: fc.option(fc.boolean(), { nil: undefined }),
  restarts: fc.boolean(),
})

const place = (unseatedByGwei: bigint): SeenAhead['place'] => ({
  epoch: 10n,
  rank: 3,
  seats: 69,
  stakeGwei: tokens(300_000n),
  lastSeat: undefined,
  cut: undefined,
  marginGwei: undefined,
  unseatedByGwei,
})

function aheadOf(kind: Exclude<Happening['ahead'], 'unseen'>, slot: bigint): SeenAhead {
  const epoch = slot / MAINNET.spec.slotsPerEpoch
  const keeps = { dropsOutAtEpoch: undefined, activeAtEpoch: undefined, rescue: undefined }
  const base = {
    ...keeps,
    slot,
    epoch,
    oneDepositGwei: tokens(10_000n),
    isWhole: true,
    isReported: false,
    place: place(tokens(99_000n)),
  }
  const drops = (inEpochs: bigint, leastTopUpGwei: bigint) => {
    const lastGoodBlock = (epoch + inEpochs) * MAINNET.spec.slotsPerEpoch - 1n
    const rescue = { leastTopUpGwei, lastGoodBlock, sendByBlock: lastGoodBlock - 6n }
    return { ...base, dropsOutAtEpoch: epoch + inEpochs, rescue }
  }
  switch (kind) {
    case 'keeps':
      return base
    case 'keeps, not whole':
      return { ...base, isWhole: false }
    case 'thin':
      return { ...base, place: place(tokens(10_000n)) }
    case 'drops':
      return drops(3n, tokens(20_000n))
    case 'drops soon':
      return drops(1n, tokens(40_000n))
    case 'no way':
      return { ...drops(1n, 0n), rescue: undefined }
  }
}

function sightingOf(what: Happening, { atMs, slot }: { atMs: number; slot: bigint }): Sighting {
  const epoch = slot / MAINNET.spec.slotsPerEpoch
  const exitEpoch = { active: FAR_FUTURE_EPOCH, leaving: epoch + 1n, left: epoch, paid: 1n, unseen: 0n }[
    what.record
  ]
  const validator = { ...validatorOf({ pubkey: pubkey(7), activationEpoch: 0n }), exitEpoch }
  const record = {
    index: 7,
    validator,
    balanceGwei: what.record === 'paid' ? 0n : tokens(300_000n),
    slot,
    epoch,
  }
  const seen: SeenValidator = {
    pubkey: pubkey(7),
    name: 'seven',
    ...(what.record === 'unseen' ? {} : { record }),
    ...(what.ahead === 'unseen' ? {} : { ahead: aheadOf(what.ahead, slot) }),
    ...(what.signed === undefined
      ? {}
      : { signed: [{ height: slot, signed: what.signed, othersMissed: 0, others: 68 }] }),
  }
  const answer = (is: 'answers' | 'silent') => (is === 'answers' ? { slot } : {})
  return {
    atMs,
    heads: [
      { role: 'node', place: 0, name: 'own', ...answer(what.node) },
      { role: 'execution', place: 1, name: 'other', ...answer(what.other) },
    ],
    validators: [seen],
    ...(what.key === 'unseen' ? {} : { nodeKey: what.key === 'own' ? pubkey(7) : pubkey(8) }),
    ...(what.fork === 'unseen' ? {} : { fork: { version: '0x07000000', isKnown: what.fork === 'known' } }),
  }
}

/** Runs a story; `through` is what becomes of the memory between two looks. */
function run(
  story: readonly Happening[],
  through: (memory: WatchMemory, what: Happening) => WatchMemory = (memory) => memory,
): { memory: WatchMemory; events: WatchEvent[]; perLook: (readonly WatchEvent[])[] } {
  let memory = emptyMemory(MAINNET)
  let atMs = START_MS
  let slot = 1000n
  const perLook: (readonly WatchEvent[])[] = []
  for (const what of story) {
    atMs += what.slots * SLOT_MS
    slot += BigInt(what.slots)
    const next = watchTransition(through(memory, what), sightingOf(what, { atMs, slot }), context)
    memory = next.memory
    perLook.push(next.events)
  }
  return { memory, events: perLook.flat(), perLook }
}

const stories = fc.array(happening, { minLength: 1, maxLength: 40 })
const tries = { numRuns: runsOf({ suite: 150, hard: 20_000 }) }
const onDisk = (memory: WatchMemory) => readMemory(memoryText(memory), 'watch.json', MAINNET)

describe('the alarms of a watch, in any story', () => {
  test('are fired once, cleared once, and count on without a gap', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const { events, memory } = run(story)
        const open = new Map<string, string>()
        const closed = new Set<string>()
        for (const [at, { id, alarm, change, sequence }] of events.entries()) {
          expect(sequence).toBe(at + 1)
          expect(closed.has(id)).toBe(false)
          if (change === 'fired') {
            expect(open.has(alarm + id)).toBe(false)
            expect([...open.values()]).not.toContain(id)
            open.set(alarm + id, id)
          } else expect(open.get(alarm + id)).toBe(id)
          if (change === 'cleared') {
            open.delete(alarm + id)
            closed.add(id)
          }
        }
        expect([...open.values()].sort()).toEqual(memory.alarms.map(({ id }) => id).sort())
      }),
      tries,
    )
  })

  test('are the same through any restart', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const through = run(story, (memory, { restarts }) => (restarts ? onDisk(memory) : memory))
        expect(through.events).toEqual(run(story).events)
      }),
      tries,
    )
  })

  test('do not change by a look that sees nothing, but for what its silence says', () => {
    const blind: Happening = {
      slots: 1,
      node: 'silent',
      other: 'silent',
      key: 'unseen',
      record: 'unseen',
      ahead: 'unseen',
      fork: 'unseen',
      signed: undefined,
      restarts: false,
    }
    fc.assert(
      fc.property(stories, (story) => {
        const { perLook } = run([...story, blind])
        const changed = (perLook.at(-1) ?? []).filter(({ change }) => change !== 'repeated')
        expect(changed.filter(({ alarm }) => alarm !== 'endpoints-silent')).toEqual([])
      }),
      tries,
    )
  })

  test('that somebody knows of are told again only when they get worse or end', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const all = (memory: WatchMemory) =>
          memory.alarms.reduce((now, { id }) => acknowledge(now, id), memory)
        expect(run(story, all).events.filter(({ change }) => change === 'repeated')).toEqual([])
      }),
      tries,
    )
  })

  test('stay small on the disk however long the story is', () => {
    fc.assert(
      fc.property(stories, (story) => {
        const long = Array.from({ length: 10 }, () => story).flat()
        expect(memoryText(run(long).memory).length).toBeLessThan(12_000)
      }),
      { numRuns: runsOf({ suite: 5, hard: 500 }) },
    )
  })
})

test('blocks that it missed are no alarm any more once it has left the active set', () => {
  const active: Happening = {
    slots: 1,
    node: 'answers',
    other: 'answers',
    key: 'own',
    record: 'active',
    ahead: 'keeps',
    fork: 'unseen',
    signed: true,
    restarts: false,
  }
  const missed: Happening[] = Array.from({ length: 6 }, () => ({ ...active, signed: false }))
  const left: Happening = { ...active, record: 'left', ahead: 'unseen', signed: undefined }
  const { events, memory } = run([active, ...missed, left])
  const told = events.filter(({ alarm }) => alarm === 'missed-blocks')
  expect(told.map(({ change }) => change)).toEqual(['fired', 'cleared'])
  expect(told.at(-1)?.title).toBe('seven has no blocks to sign: it is not in the active set.')
  expect(memory.alarms.map(({ alarm }) => alarm)).not.toContain('missed-blocks')
})

describe('a damaged memory', () => {
  test('is refused with the reason', () => {
    const text = memoryText(emptyMemory(MAINNET))
    expect(() => readMemory(text.replace('"sequence":0', '"sequence":-1'), 'watch.json', MAINNET)).toThrow(
      expect.objectContaining({
        code: 'watch.damaged',
        details: ['path: watch.json', expect.stringContaining('sequence: expected a whole number')],
      }) as Error,
    )
    expect(() => readMemory(text.slice(0, -9), 'watch.json', MAINNET)).toThrow('cannot be read')
  })
})

describe('over the histories of the real state machine', () => {
  const file = new URL('../../vectors/consensus/epochs.jsonl.gz', import.meta.url)
  const histories = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')

  test('exactly those are under the alarm who are sent away, and its last amount keeps the place', () => {
    const found = sampled(histories, 4).map(watchHistory)
    expect(found.flatMap(({ failures }) => failures)).toEqual([])
    expect(found.reduce((sum, { inTime }) => sum + inTime, 0)).toBeGreaterThan(20)
  })
})
