import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { watchHistory } from '../../scripts/vectors/watch.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { processSlot } from '../../src/core/chain/consensus/process-slot.ts'
import { FAR_FUTURE_EPOCH, isActive } from '../../src/core/chain/consensus/state.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { alarmView } from '../../src/core/observe/alarms.ts'
import type { KnownHead } from '../../src/core/observe/judge-heads.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import {
  type AheadPicture,
  LIMITS,
  type NetworkPicture,
  type NodePicture,
  type OperatorPicture,
  type ValidatorPicture,
  type WatchLimits,
  wayAhead,
} from '../../src/core/observe/picture.ts'
import type { AlarmId, WatchEvent } from '../../src/core/view/alarm-event.ts'
import { executionSilent, nodeKeyLeft, nodeOtherKey } from '../../src/watch/endpoint-words.ts'
import { operatorAccepted, operatorChanged, operatorStays, signsNoMore } from '../../src/watch/findings.ts'
import { memoryText, readMemory } from '../../src/watch/keep.ts'
import { acknowledge, watchTransition } from '../../src/watch/transition.ts'
import {
  blockAt,
  credentials,
  genesisOf,
  pubkey,
  shortSpec,
  validatorOf,
} from '../core/chain/consensus/model.ts'
import { runsOf, sampled } from '../support/hard.ts'
import { pattern } from '../support/pattern.ts'

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
  ahead:
    | 'unseen'
    | 'keeps'
    | 'keeps, not whole'
    | 'keeps, reported'
    | 'thin'
    | 'drops'
    | 'drops soon'
    | 'no way'
  fork: 'unseen' | 'known' | 'unknown'
  signed: boolean | undefined
  operator: 'unseen' | 'own' | 'queued' | 'queued anew' | 'other'
  execution: 'answers' | 'silent' | 'behind'
  own: 'unseen' | 'well' | 'alone' | 'catches up' | 'clock ahead' | 'clock behind'
  forksAhead: 'unseen' | 'none' | 'one'
  restarts: boolean
  /** Why what is shown isn't what the set signed. */
  refuted?: string
}

const happening: fc.Arbitrary<Happening> = fc.record({
  slots: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2000 })),
  node: fc.constantFrom('answers', 'answers', 'silent'),
  other: fc.constantFrom('answers', 'answers', 'silent'),
  key: fc.constantFrom('own', 'own', 'other', 'unseen'),
  record: fc.constantFrom('unseen', 'active', 'active', 'active', 'leaving', 'left', 'paid'),
  ahead: fc.constantFrom(
    'unseen',
    'keeps',
    'keeps, not whole',
    'keeps, reported',
    'thin',
    'drops',
    'drops soon',
    'no way',
  ),
  fork: fc.constantFrom('unseen', 'known', 'unknown'),
  signed: fc.option(fc.boolean(), { nil: undefined }),
  operator: fc.constantFrom('unseen', 'own', 'own', 'queued', 'queued anew', 'other'),
  execution: fc.constantFrom('answers', 'answers', 'silent', 'behind'),
  own: fc.constantFrom('unseen', 'well', 'well', 'alone', 'catches up', 'clock ahead', 'clock behind'),
  forksAhead: fc.constantFrom('unseen', 'none', 'one'),
  restarts: fc.boolean(),
})

const AHEAD = { label: 'unknown fork 0x08000000', atSeconds: 1_900_000_000n }

const place = (othersNeedGwei: bigint): AheadPicture['place'] => ({
  epoch: 10n,
  rank: 3,
  places: 69,
  stakeGwei: tokens(300_000n),
  lastPlace: undefined,
  cutoff: undefined,
  marginGwei: undefined,
  othersNeedGwei,
})

function aheadOf(kind: Exclude<Happening['ahead'], 'unseen'>, slot: bigint): AheadPicture {
  const epoch = slot / MAINNET.spec.slotsPerEpoch
  const keeps = { dropsOutAtEpoch: undefined, activeAtEpoch: undefined, rescue: undefined }
  const base = {
    ...keeps,
    slot,
    epoch,
    oneDepositGwei: tokens(10_000n),
    liftGwei: tokens(10_000n),
    isWhole: true,
    isReported: false,
    place: place(tokens(99_000n)),
  }
  const drops = (inEpochs: bigint, leastTopUpGwei: bigint) => {
    const lastGoodBlock = (epoch + inEpochs) * MAINNET.spec.slotsPerEpoch - 1n
    const rescue = { leastTopUpGwei, lessGwei: undefined, lastGoodBlock, sendByBlock: lastGoodBlock - 6n }
    return { ...base, dropsOutAtEpoch: epoch + inEpochs, rescue }
  }
  switch (kind) {
    case 'keeps':
      return base
    case 'keeps, not whole':
      return { ...base, isWhole: false }
    case 'keeps, reported':
      return { ...base, isReported: true }
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

const OPERATOR = `0x${'0a'.repeat(20)}` as const
const OTHER = `0x${'0b'.repeat(20)}` as const
const THIRD = `0x${'0c'.repeat(20)}` as const

function operatorOf(kind: Exclude<Happening['operator'], 'unseen'>, atMs: number): OperatorPicture {
  const sinceSeconds = BigInt(Math.floor(atMs / 1000))
  switch (kind) {
    case 'own':
      return { operator: OPERATOR }
    case 'other':
      return { operator: OTHER }
    case 'queued':
      return { operator: OPERATOR, queued: { operator: OTHER, sinceSeconds } }
    case 'queued anew':
      return { operator: OPERATOR, queued: { operator: THIRD, sinceSeconds } }
  }
}

const WELL = { peers: { engine: 12, node: undefined, execution: 30 }, catchesUp: false, clockAheadMs: 0 }
const NODES: Readonly<Record<Exclude<Happening['own'], 'unseen'>, NodePicture>> = {
  well: WELL,
  alone: { ...WELL, peers: { ...WELL.peers, engine: 0 } },
  'catches up': { peers: WELL.peers, catchesUp: true },
  'clock ahead': { ...WELL, clockAheadMs: 9000 },
  'clock behind': { ...WELL, clockAheadMs: -1500 },
}

function pictureOf(what: Happening, { atMs, slot }: { atMs: number; slot: bigint }): NetworkPicture {
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
  const watched: ValidatorPicture = {
    pubkey: pubkey(7),
    name: 'seven',
    ...(what.record === 'unseen' ? {} : { record }),
    ...(what.ahead === 'unseen' ? {} : { ahead: aheadOf(what.ahead, slot) }),
    ...(what.signed === undefined
      ? {}
      : { signed: [{ height: slot, signed: what.signed, othersMissed: 0, others: 68 }] }),
    ...(what.operator === 'unseen' ? {} : { operator: operatorOf(what.operator, atMs) }),
  }
  const answer = (is: 'answers' | 'silent') => (is === 'answers' ? { slot } : {})
  const execution = what.execution === 'behind' ? { slot: slot - 50n } : answer(what.execution)
  return {
    atMs,
    heads: [
      { role: 'node', place: 0, name: 'own', ...answer(what.node) },
      { role: 'execution', place: 0, name: 'client', ...execution },
      { role: 'execution', place: 1, name: 'other', ...answer(what.other) },
    ],
    validators: [watched],
    ...(what.key === 'unseen' ? {} : { nodeKey: what.key === 'own' ? pubkey(7) : pubkey(8) }),
    ...(what.fork === 'unseen' ? {} : { fork: { version: '0x07000000', isKnown: what.fork === 'known' } }),
    ...(what.own === 'unseen' ? {} : { node: NODES[what.own] }),
    ...(what.forksAhead === 'unseen' ? {} : { forksAhead: what.forksAhead === 'one' ? [AHEAD] : [] }),
    ...(what.refuted === undefined && { isSigned: true as const }),
    ...(what.refuted === undefined
      ? {}
      : { refuted: what.refuted, others: ['node', 'execution', 'engine'] as const }),
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
    const next = watchTransition(through(memory, what), pictureOf(what, { atMs, slot }), context)
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

  test('do not change by a look that sees nothing, but for what its silence and the time say', () => {
    const blind: Happening = {
      slots: 1,
      node: 'silent',
      other: 'silent',
      key: 'unseen',
      record: 'unseen',
      ahead: 'unseen',
      fork: 'unseen',
      signed: undefined,
      operator: 'unseen',
      execution: 'silent',
      own: 'unseen',
      forksAhead: 'unseen',
      restarts: false,
    }
    fc.assert(
      fc.property(stories, (story) => {
        const { perLook } = run([...story, blind])
        const changed = (perLook.at(-1) ?? []).filter(({ change }) => change !== 'repeated')
        // Time passes unseen, too: what asked for a payment says that it is too late for one.
        const isLate = ({ alarm, change }: (typeof changed)[number]) =>
          alarm === 'drops-out' && change === 'worse'
        const others = changed.filter((event) => event.alarm !== 'endpoints-silent' && !isLate(event))
        expect(others).toEqual([])
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
        expect(memoryText(run(long).memory).length).toBeLessThan(20_000)
      }),
      { numRuns: runsOf({ suite: 5, hard: 500 }) },
    )
  })
})

const CALM: Happening = {
  slots: 1,
  node: 'answers',
  other: 'answers',
  key: 'own',
  record: 'active',
  ahead: 'keeps',
  fork: 'unseen',
  signed: true,
  operator: 'own',
  execution: 'answers',
  own: 'well',
  forksAhead: 'none',
  restarts: false,
}

test('blocks that it missed are no alarm any more once it has left the active set', () => {
  const active = CALM
  const missed: Happening[] = Array.from({ length: 6 }, () => ({ ...active, signed: false }))
  const left: Happening = { ...active, record: 'left', ahead: 'unseen', signed: undefined }
  const { events, memory } = run([active, ...missed, left])
  const told = events.filter(({ alarm }) => alarm === 'missed-blocks')
  expect(told.map(({ change }) => change)).toEqual(['fired', 'cleared'])
  expect(told.at(-1)?.title).toBe(signsNoMore(SEVEN).title)
  expect(memory.alarms.map(({ alarm }) => alarm)).not.toContain('missed-blocks')
})

const SEVEN = { pubkey: pubkey(7), name: 'seven' }
const addressesIn = (text: string) => text.match(/0x[0-9a-fA-F]{40}/g)
/** What is said of an execution client that fell silent at block 1,002 beside a node that is heard. */
const silentWords = (node: { goesOn: boolean }) =>
  executionSilent({ name: '', slot: 1002n } as KnownHead, { forMs: 0, stops: false, ...node }).what

/** What an alarm was told of, but for repeats. */
const toldOf = (events: readonly WatchEvent[], alarm: AlarmId) =>
  events.filter((event) => event.alarm === alarm && event.change !== 'repeated')

describe('an alarm about', () => {
  const many = (changes: Partial<Happening>, count: number): Happening[] =>
    Array.from({ length: count }, () => ({ ...CALM, ...changes }))
  const CASES: readonly [AlarmId, Partial<Happening>, string, string][] = [
    ['node-alone', { own: 'alone' }, 'Your node has no peers.', 'Your node has peers again.'],
    [
      'node-behind',
      { own: 'catches up' },
      'Your node catches up: it follows blocks and does not sign them.',
      'Your node is not behind.',
    ],
    [
      'clock-off',
      { own: 'clock ahead' },
      'The clock of this computer is 9.0 s ahead of the chain.',
      'The clock of this computer agrees with the chain.',
    ],
    [
      'clock-off',
      { own: 'clock behind' },
      'The clock of this computer is 1.5 s behind the chain.',
      'The clock of this computer agrees with the chain.',
    ],
    [
      'execution-silent',
      { execution: 'silent' },
      'Your execution client has not answered for 8 s (client).',
      'Your execution client answers again.',
    ],
    [
      'execution-behind',
      { execution: 'behind' },
      'Your execution client is 50 blocks behind for 22 s.',
      'Your execution client is not behind.',
    ],
    [
      'fork-unknown',
      { forksAhead: 'one' },
      "The chain's rules change on 2030-03-17 17:46 UTC to some that this version of Bearings does not know (unknown fork 0x08000000).",
      'No fork that is not known lies ahead.',
    ],
  ]

  test.each(CASES)('%s is told of once, and is over once: %j', (alarm, trouble, fired, cleared) => {
    const { events } = run([...many({}, 2), ...many(trouble, 30), ...many({}, 20)], (memory) =>
      onDisk(memory),
    )
    expect(toldOf(events, alarm).map(({ change, title }) => [change, title])).toEqual([
      ['fired', fired],
      ['cleared', cleared],
    ])
    const said = new Set(events.map((event) => event.alarm))
    expect([...said]).toEqual([alarm])
  })

  test('a silent execution client is worse once the node stands still with it', () => {
    let { memory } = run([CALM])
    const told: WatchEvent[] = []
    for (let at = 1; at < 40; at += 1) {
      const what: Happening = { ...CALM, execution: 'silent' }
      const picture = pictureOf(what, { atMs: START_MS + (at + 1) * SLOT_MS, slot: 1001n })
      const next = watchTransition(memory, picture, context)
      memory = next.memory
      told.push(...toldOf(next.events, 'execution-silent'))
    }
    expect(told.map(({ change, severity }) => [change, severity])).toEqual([
      ['fired', 'warning'],
      ['worse', 'critical'],
    ])
  })
})

describe('a node that was stopped', () => {
  const silent: Happening = { ...CALM, node: 'silent', execution: 'silent' }

  /** Looks that find the own node and its client at a slot, or not at all, and somebody else further on. */
  const stopped = (own: readonly (bigint | undefined)[]) => {
    let { memory } = run([CALM, CALM])
    const told: WatchEvent[] = []
    for (const [at, slot] of own.entries()) {
      const picture = pictureOf(silent, { atMs: START_MS + (at + 3) * SLOT_MS, slot: 1003n + BigInt(at) })
      const heads = picture.heads.map((head) =>
        head.place > 0 || slot === undefined ? head : { ...head, slot },
      )
      const next = watchTransition(memory, { ...picture, heads }, context)
      memory = next.memory
      told.push(...next.events.filter(({ change }) => change !== 'repeated'))
    }
    return told.map(({ alarm, change }) => `${alarm} ${change}`)
  }

  test('and started again is not called hanging where it was left, but where it stays', () => {
    const away = Array.from({ length: 30 }, () => undefined)
    const again = [...away, ...Array.from({ length: 5 }, () => 1002n)]
    expect(stopped([...again, 1040n])).not.toContain('node-hanging fired')
    expect(stopped([...again, ...Array.from({ length: 20 }, () => 1002n)])).toContain('node-hanging fired')
  })
})

test('a silent execution client says of the node only what was seen of it', () => {
  const whatOf = (changes: Partial<Happening>) => {
    const trouble = Array.from(
      { length: 10 },
      (): Happening => ({ ...CALM, execution: 'silent', ...changes }),
    )
    return toldOf(run([CALM, CALM, ...trouble]).events, 'execution-silent')[0]?.what
  }
  expect(whatOf({})).toBe(silentWords({ goesOn: true }))
  expect(whatOf({ node: 'silent' })).toBe(silentWords({ goesOn: false }))
})

test('a node may run with another key once the validator of the first one has left', () => {
  const other: Happening = { ...CALM, key: 'other' }
  const left: Happening = { ...other, record: 'left', ahead: 'unseen', signed: undefined }
  const told = (story: readonly Happening[]) =>
    toldOf(run(story).events, 'node-other-key').map(({ change, title }) => [change, title])
  expect(told([CALM, { ...left, key: 'own' }, left, left])).toEqual([])
  expect(told([CALM, other, left])).toEqual([
    ['fired', nodeOtherKey({ before: '0x', now: '0x' }).title],
    ['cleared', nodeKeyLeft('0x').title],
  ])
})

describe('an operator change', () => {
  const DAY_SLOTS = 43_201

  test('is told of when it is queued, with the time of its earliest acceptance', () => {
    const [fired] = toldOf(run([CALM, { ...CALM, operator: 'queued' }]).events, 'operator-change')
    expect(fired).toMatchObject({
      change: 'fired',
      severity: 'critical',
      what: expect.stringMatching(pattern`^${getAddress(OTHER)} .* 24 h `),
      next: expect.stringContaining(` ${getAddress(OPERATOR)}: `),
    })
    expect(fired?.until?.atMs).toBe((fired?.atMs ?? 0) + 86_400_000)
  })

  test('is over when it is cancelled; another one that takes its place is one of its own', () => {
    const { events, memory } = run([
      CALM,
      { ...CALM, operator: 'queued' },
      { ...CALM, operator: 'queued anew' },
      CALM,
    ])
    const changes = toldOf(events, 'operator-change')
    expect(changes.map(({ change }) => change)).toEqual(['fired', 'cleared', 'fired', 'cleared'])
    expect(changes.map(({ title, what }) => addressesIn(`${title} ${what}`))).toEqual([
      [getAddress(OTHER)],
      [getAddress(OTHER), getAddress(OPERATOR)],
      [getAddress(THIRD)],
      [getAddress(THIRD), getAddress(OPERATOR)],
    ])
    expect(memory.alarms).toEqual([])
  })

  test('that was accepted a day later is told of, and stands for a day, through restarts', () => {
    const { events, memory } = run(
      [
        CALM,
        { ...CALM, operator: 'queued' },
        { ...CALM, operator: 'other', slots: DAY_SLOTS },
        { ...CALM, operator: 'other', slots: DAY_SLOTS - 10 },
        { ...CALM, operator: 'other', slots: 20 },
        { ...CALM, operator: 'other' },
      ],
      (known) => onDisk(known),
    )
    const [queued, ...later] = toldOf(events, 'operator-change')
    expect([queued?.change, addressesIn(queued?.what ?? '')]).toEqual(['fired', [getAddress(OTHER)]])
    expect(later.map(({ change, title }) => [change, title])).toEqual([
      ['cleared', operatorAccepted(SEVEN, OTHER).title],
      ['fired', operatorChanged(SEVEN, { before: OPERATOR, now: OTHER }).title],
      ['cleared', operatorStays(SEVEN, OTHER).title],
    ])
    expect(memory.validators[0]?.operator).toBe(OTHER)
  })

  test('of which an earlier version told is over once nothing is queued or changed', () => {
    /** An earlier version named an alarm by the key alone. */
    const asThen = ({ alarms, ...rest }: WatchMemory): WatchMemory =>
      onDisk({
        ...rest,
        alarms: alarms.map((each) =>
          each.alarm === 'operator-change' ? { ...each, subject: pubkey(7) } : each,
        ),
      })
    let looks = 0
    const { perLook, memory } = run(
      [CALM, { ...CALM, operator: 'queued' }, { ...CALM, operator: 'queued' }, CALM, CALM],
      (known) => {
        looks += 1
        return looks === 3 ? asThen(known) : known
      },
    )
    const told = perLook.map((events) => toldOf(events, 'operator-change').map(({ change }) => change))
    expect(told).toEqual([[], ['fired'], ['fired'], ['cleared', 'cleared'], []])
    expect(memory.alarms).toEqual([])
  })
})

describe('a margin', () => {
  /** The margins of a validator, an epoch each, with the rank at each; what was told of them. */
  function told(
    limits: Partial<WatchLimits>,
    margins: readonly { tokens: bigint; rank?: number; isReported?: boolean; isWhole?: boolean }[],
  ): readonly (readonly [number, string, WatchEvent])[] {
    let memory = emptyMemory(MAINNET)
    return margins.flatMap(({ tokens: margin, rank = 3, isReported = false, isWhole = true }, at) => {
      const slot = 1000n + BigInt(at) * MAINNET.spec.slotsPerEpoch
      const picture = pictureOf(CALM, { atMs: START_MS + Number(slot) * SLOT_MS, slot })
      const [watched] = picture.validators
      const found = place(tokens(margin))
      const own =
        found === undefined || watched === undefined
          ? []
          : [
              {
                ...watched,
                ahead: { ...aheadOf('keeps', slot), place: { ...found, rank }, isReported, isWhole },
              },
            ]
      const given = { ...context, limits: { ...LIMITS, ...limits } }
      const next = watchTransition(onDisk(memory), { ...picture, validators: own }, given)
      memory = next.memory
      return toldOf(next.events, 'margin').map((event) => [at, event.change, event] as const)
    })
  }
  const changes = (found: ReturnType<typeof told>) => found.map(([at, change]) => `${at} ${change}`)

  test('in tokens is thin from its limit on, and wide again a quarter above it', () => {
    const found = told({ marginGwei: tokens(20_000n) }, [
      { tokens: 30_000n },
      { tokens: 20_000n },
      { tokens: 24_000n },
      { tokens: 19_000n },
      { tokens: 25_000n },
      { tokens: 26_000n },
      { tokens: 21_000n },
    ])
    expect(changes(found)).toEqual(['1 fired', '5 cleared'])
  })

  test('is worse with each halving, not with each token', () => {
    const found = told({ marginGwei: tokens(20_000n) }, [
      { tokens: 16_500n },
      { tokens: 16_400n },
      { tokens: 16_390n },
      { tokens: 8_000n },
      { tokens: 7_000n },
    ])
    expect(changes(found)).toEqual(['0 fired', '3 worse'])
  })

  test('in places counts those up to the last one', () => {
    const far = { tokens: 99_000n }
    const found = told({ marginPlaces: 3 }, [
      { ...far, rank: 65 },
      { ...far, rank: 66 },
      { ...far, rank: 65 },
      { ...far, rank: 69 },
      { ...far, rank: 64 },
    ])
    expect(changes(found)).toEqual(['1 fired', '4 cleared'])
  })

  test('in epochs is what is left of it at the pace of the last ones', () => {
    const shrinking = [200n, 200n, 190n, 180n, 170n, 160n, 150n, 140n].map((kilo) => ({
      tokens: kilo * 1000n,
    }))
    const found = told({ marginEpochs: 15 }, [...shrinking, { tokens: 140_000n }, { tokens: 400_000n }])
    expect(changes(found)).toEqual(['6 fired', '9 cleared'])
    expect(found[0]?.[2].what).toContain(' 15 epochs, 1 h 36 min.')
  })

  test('is told by no trend of one deposit alone, nor before there is one', () => {
    expect(told({ marginEpochs: 30 }, [{ tokens: 100_000n }, { tokens: 90_000n }])).toEqual([])
    expect(told({ marginEpochs: 100_000 }, [{ tokens: 100_000n }])).toEqual([])
  })

  test('that is thin by one limit is wide only by all of them', () => {
    const limits = { marginGwei: tokens(20_000n), marginPlaces: 3 }
    const found = told(limits, [
      { tokens: 15_000n, rank: 60 },
      { tokens: 90_000n, rank: 67 },
      { tokens: 90_000n, rank: 60 },
    ])
    expect(changes(found)).toEqual(['0 fired', '2 cleared'])
  })

  test('is over by the word of the node where nothing waits, which is said, and not where something may', () => {
    const limits = { marginGwei: tokens(20_000n) }
    const found = told(limits, [
      { tokens: 15_000n, isReported: true },
      { tokens: 90_000n, isReported: true, isWhole: false },
      { tokens: 90_000n, isReported: true },
    ])
    expect(changes(found)).toEqual(['0 fired', '2 cleared'])
    const proven = told(limits, [{ tokens: 15_000n }, { tokens: 90_000n }]).at(-1)?.[2].what ?? ''
    expect(found[1]?.[2].what.slice(0, proven.length)).toBe(proven)
    expect(found[1]?.[2].what.length).toBeGreaterThan(proven.length)
  })

  test('by any limits is fired and cleared in turn, whatever it does', () => {
    const steps = fc.array(
      fc.record({ tokens: fc.bigInt({ min: 1n, max: 60_000n }), rank: fc.integer({ min: 50, max: 69 }) }),
      { maxLength: 30 },
    )
    const limits = fc.record({
      marginGwei: fc.bigInt({ min: 0n, max: 40_000n }).map(tokens),
      marginPlaces: fc.option(fc.integer({ min: 1, max: 15 }), { nil: undefined }),
      marginEpochs: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
    })
    fc.assert(
      fc.property(limits, steps, (asked, margins) => {
        const firsts = told(asked, margins).filter(([, change]) => change !== 'worse')
        for (const [at, [, change]] of firsts.entries())
          expect(change).toBe(at % 2 === 0 ? 'fired' : 'cleared')
      }),
      { numRuns: runsOf({ suite: 30, hard: 3000 }) },
    )
  })
})

test('what only the node reports ends no alarm of dropping out; its own record past that epoch does', () => {
  const reported: Happening = { ...CALM, ahead: 'keeps, reported' }
  const { perLook } = run([
    { ...CALM, ahead: 'no way' },
    reported,
    { ...reported, slots: 5 },
    { ...reported, slots: 192 },
    reported,
  ])
  const changes = perLook.map((events) => toldOf(events, 'drops-out').map(({ change }) => change))
  expect(changes).toEqual([['fired'], [], [], ['cleared'], []])
})

test('what the validator set did not sign is told as such, ends nothing, and is no past of the validator', () => {
  const refuted = 'engine, block 7: not signed'
  const { perLook } = run([
    { ...CALM, ahead: 'drops' },
    { ...CALM, ahead: 'keeps, reported', record: 'leaving', refuted },
    { ...CALM, ahead: 'unseen', record: 'left', refuted },
    { ...CALM, ahead: 'unseen', record: 'paid', refuted },
    { ...CALM, ahead: 'drops' },
    { ...CALM, ahead: 'unseen', record: 'left' },
  ])
  const told = perLook.map((events) => events.map(({ alarm, change }) => `${alarm} ${change}`).toSorted())
  expect(told).toEqual([
    ['drops-out fired'],
    ['chain-unsigned fired', 'exit-begun fired'],
    ['dropped-out fired'],
    [],
    ['chain-unsigned cleared', 'dropped-out cleared', 'exit-begun cleared'],
    ['dropped-out fired', 'drops-out cleared'],
  ])
  for (const { alarm, title, what } of perLook.slice(1, 4).flat())
    expect([alarm, title.startsWith('Not proven: '), what.includes(refuted)]).toEqual([
      alarm,
      alarm !== 'chain-unsigned',
      true,
    ])
  // Not by the request that was made up before.
  expect(perLook.at(-1)?.find(({ alarm }) => alarm === 'dropped-out')).toMatchObject({ severity: 'critical' })
})

test('an alarm whose epoch has moved on stands until that one is past, while nothing of the set is seen', () => {
  const unseen: Happening = { ...CALM, ahead: 'unseen' }
  const { perLook } = run([
    { ...CALM, ahead: 'drops soon' },
    { ...CALM, ahead: 'drops' },
    { ...unseen, slots: 300 },
    { ...unseen, slots: 400 },
  ])
  const changes = perLook.map((events) => toldOf(events, 'drops-out').map(({ change }) => change))
  expect(changes).toEqual([['fired'], [], [], ['cleared']])
})

test('the next step of an alarm is a command where the alarm says so, whatever its words are', () => {
  for (const ahead of ['drops', 'thin', 'no way'] as const) {
    const { alarms } = onDisk(run([{ ...CALM, ahead }]).memory)
    const [alarm, ...others] = alarms
    if (alarm === undefined) throw new Error('no alarm stands')
    expect(others).toEqual([])
    const { next, command } = alarmView(alarm, { nowMs: alarm.sinceMs })
    if (ahead === 'no way') expect({ next, command }).toEqual({ next: alarm.next, command: undefined })
    else expect({ next, command }).toEqual({ next: undefined, command: alarm.next })
    expect(alarm.nextIs).toBe(ahead === 'no way' ? undefined : 'command')
    const { nextIs: _, ...rest } = alarm
    const inWords = { ...rest, next: 'Ask who ran it with --validator 7 before.' }
    expect(alarmView(inWords, { nowMs: alarm.sinceMs })).toMatchObject({ next: inWords.next })
  }
})

describe('a validator that is slowly overtaken, by the rules of the chain', () => {
  const spec = shortSpec({ validatorSetCap: 8, slotsPerEpoch: 8n })
  const network = { ...MAINNET, spec }
  const own = pubkey(4)
  const STAKES = [300n, 310n, 320n, 330n, 600n, 700n, 800n, 900n].map((kilo) => kilo * 1000n)

  /** In every second epoch somebody new joins with more; `saves`: what the alarm says is done. */
  function overtaken({ saves }: { saves: boolean }) {
    const limits = { ...LIMITS, marginPlaces: 1 }
    let state = genesisOf(STAKES, spec)
    let memory = emptyMemory(network)
    let topUpGwei = 0n
    const events: WatchEvent[] = []
    for (let slot = 1n; slot <= 100n; slot += 1n) {
      const joins = slot % 16n === 1n && slot < 64n
      const deposit = { withdrawalCredentials: credentials(1), signatureValid: true }
      const deposits = [
        ...(joins ? [{ ...deposit, pubkey: pubkey(100 + Number(slot)), amountGwei: tokens(500_000n) }] : []),
        ...(topUpGwei > 0n ? [{ ...deposit, pubkey: own, amountGwei: topUpGwei }] : []),
      ]
      topUpGwei = 0n
      state = processSlot(state, spec, blockAt(slot, { deposits })).state
      const snapshot = {
        consensus: state,
        indexes: state.validators.map((_, index) => index),
        timestampSeconds: 1n << 60n,
        uncounted: [],
        proof: undefined,
        unproven: undefined,
      }
      const index = state.validators.findIndex((each) => each.pubkey === own)
      const validator = state.validators[index]
      const balanceGwei = state.balancesGwei[index] ?? 0n
      if (validator === undefined) throw new Error('it is not there')
      const record = { index, validator, balanceGwei, slot, epoch: slot / spec.slotsPerEpoch }
      const seen = {
        pubkey: own,
        name: 'ours',
        record,
        ...wayAhead(snapshot, own, { network, isNewest: true }),
      }
      const heads = [{ role: 'node', place: 0, name: 'own', slot }] as const
      const picture = { atMs: START_MS + Number(slot) * SLOT_MS, heads, validators: [seen] }
      const next = watchTransition(onDiskOf(memory, network), picture, {
        network,
        wizardOptions: [],
        limits,
      })
      memory = next.memory
      events.push(...next.events)
      const fired = next.events.find(({ alarm, change }) => alarm === 'drops-out' && change === 'fired')
      const amount = /--topup (\d+)$/.exec(fired?.next ?? '')?.[1]
      if (saves && amount !== undefined) topUpGwei = tokens(BigInt(amount))
    }
    return { told: changesOf(events), isActive: isActive(state.validators[3] ?? validatorOf(), 12n) }
  }
  const onDiskOf = (memory: WatchMemory, of: typeof network) =>
    readMemory(memoryText(memory), 'watch.json', of)
  const changesOf = (events: readonly WatchEvent[]) =>
    events
      .filter(({ change }) => change === 'fired' || change === 'cleared')
      .map(({ alarm, change }) => `${alarm} ${change}`)

  test('is told when its margin is thin, then that it drops out, and keeps its place by what is said then', () => {
    const { told, isActive: stays } = overtaken({ saves: true })
    expect(told.slice(0, 3)).toEqual(['margin fired', 'drops-out fired', 'drops-out cleared'])
    expect(told.filter((each) => each.startsWith('dropped-out'))).toEqual([])
    expect(stays).toBe(true)
  })

  test('loses it where nothing is done, each alarm told once', () => {
    const { told, isActive: stays } = overtaken({ saves: false })
    expect(told).toEqual([
      'margin fired',
      'drops-out fired',
      'drops-out cleared',
      'dropped-out fired',
      'margin cleared',
      'dropped-out cleared',
    ])
    expect(stays).toBe(false)
  })
})

describe('a damaged memory', () => {
  test('is refused with the reason', () => {
    const text = memoryText(emptyMemory(MAINNET))
    expect(() => readMemory(text.replace('"sequence":0', '"sequence":-1'), 'watch.json', MAINNET)).toThrow(
      expect.objectContaining({
        code: 'watch.damaged',
        details: ['path: watch.json', expect.stringContaining('sequence: ')],
      }) as Error,
    )
    expect(() => readMemory(text.slice(0, -9), 'watch.json', MAINNET)).toThrow(
      expect.objectContaining({ code: 'watch.damaged' }) as Error,
    )
  })
})

describe('over the histories of the real state machine', () => {
  const file = new URL('../vectors/consensus/epochs.jsonl.gz', import.meta.url)
  const histories = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')

  test('exactly those are under the alarm who are sent away, and its last amount keeps the place', () => {
    const found = sampled(histories, 4).map(watchHistory)
    expect(found.flatMap(({ failures }) => failures)).toEqual([])
    expect(found.reduce((sum, { inTime }) => sum + inTime, 0)).toBeGreaterThan(20)
  })
})

test('a node that runs on with a key that nobody watches any more raises no alarm of another key', () => {
  const heads: NetworkPicture['heads'] = [{ role: 'node', place: 0, name: 'own', slot: 2000n }]
  const watching = (own: number, atMs: number): NetworkPicture => ({
    atMs,
    heads,
    validators: [{ pubkey: pubkey(own) }],
    nodeKey: pubkey(7),
  })
  const first = watchTransition(emptyMemory(MAINNET), watching(7, 1_800_000_000_000), context)
  const { events } = watchTransition(first.memory, watching(9, 1_800_000_002_000), context)
  expect(events).toEqual([])
})
