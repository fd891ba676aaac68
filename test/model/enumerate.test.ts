import { describe, expect, test } from 'vitest'
import { deskAfter } from '../../src/core/pay/desk/desk.ts'
import type { Limits } from '../../src/core/pay/payment/payment-picture.ts'
import { hardTest, runsOf } from '../support/hard.ts'
import { HONEST, type Stance } from './endpoint.ts'
import { createBench, createSearch, type SearchOptions, SHORT, subjectOf } from './enumerate.ts'
import { type Alphabet, type Deed, type Step, take } from './enumerate-actions.ts'
import { ALPHABETS, nameOfSetting, settingsOf } from './enumerate-settings.ts'
import { FAULTS, PLANTED, withRowFault } from './faults.ts'
import type { Setting } from './schedule.ts'
import { type Found, goOn, randomFrom, searchOf, searchTo } from './search.ts'

/** Where a planted fault is seen: in what setting, trying what, how deep, and with which thresholds. */
type Where = {
  kind?: Setting['kind']
  signedBy?: Setting['signedBy']
  liar?: 0 | 1
  alphabet?: Alphabet
  limits?: Limits
  depth: number
}

const KEYS = { lies: [], troubles: [], deaths: false } as const

/** By the beginning of its name. */
const WHERE: Readonly<Record<string, Where>> = {
  'the word of one endpoint is enough': { liar: 0, depth: 1 },
  'an endpoint that is silent is left out': { depth: 1 },
  'what was agreed to is not looked at again': {
    signedBy: 'external',
    alphabet: { deeds: ['slot', 'key', 'other-pays'], lies: [], troubles: ['refuses'], deaths: false },
    depth: 4,
  },
  'a look at the world counts for ever': {
    alphabet: { deeds: ['slot', 'other-pays', 'forget'], lies: ['knows-not'], troubles: [], deaths: false },
    limits: { ...SHORT, look: 1 },
    depth: 4,
  },
  'bytes are given again without a look at the deposits': {
    alphabet: { deeds: ['slot', 'other-pays', 'forget'], lies: ['knows-not'], troubles: [], deaths: false },
    depth: 4,
  },
  'a nonce that is used once is lost': { depth: 2 },
  'a block that is not final ends a payment': { depth: 0 },
  'a block that is gone is waited for, for ever': { depth: 2 },
  'deposits for the key are never found': {
    alphabet: { deeds: ['slot', 'key', 'pay', 'forget'], lies: [], troubles: ['keeps'], deaths: false },
    depth: 4,
  },
  'nobody answers': { depth: 1 },
  'every endpoint shows the same end twice': { depth: 0 },
  'an endpoint has it in a block': { depth: 1 },
  'every endpoint lacks the block for long': { depth: 2 },
  'a replacement is to be exported': {
    signedBy: 'external',
    alphabet: { ...KEYS, deeds: ['slot', 'key', 'cancel', 'reorg'] },
    depth: 6,
  },
  'a pool holds it': {
    alphabet: { deeds: ['slot', 'key', 'cancel'], lies: ['receipt-success', 'knows'], troubles: [] },
    depth: 3,
  },
  'the deposits for the key tell': { depth: 1 },
  'the nonce, or the contract account': { signedBy: 'contract', depth: 0 },
  'the nonce is lost, and a later one': {
    alphabet: { ...KEYS, deeds: ['slot', 'key', 'cancel', 'pay'] },
    depth: 3,
  },
  'the nonce is used, and a deposit': {
    alphabet: { deeds: ['slot', 'key', 'pay'], lies: ['knows-not'], troubles: [], deaths: false },
    depth: 4,
  },
  'the nonce is lost to another': { depth: 1 },
  'the nonce is used by the word of some': {
    alphabet: { deeds: ['slot', 'key', 'cancel'], lies: ['receipt-success', 'knows'], troubles: [] },
    depth: 3,
  },
  'the nonce is not reached': {
    alphabet: { ...KEYS, deeds: ['slot', 'key', 'cancel', 'reorg'] },
    depth: 5,
  },
  'nothing is signed here': { signedBy: 'external', depth: 0 },
  'nobody has it': { depth: 0 },
}

const ALL_PLANTED: readonly { name: string; options: SearchOptions }[] = [
  ...PLANTED.map(({ name, rule, decideBy }) => ({ name, options: { rules: [rule], decideBy } })),
  ...FAULTS.map((fault) => ({ name: fault.row, options: { decideBy: withRowFault(fault) } })),
]
/** Those that `npm test` plants: each kind of rule, and each that costs little. */
const IN_THE_SUITE = [
  'the word of one endpoint is enough',
  'what was agreed to is not looked at again',
  'a look at the world counts for ever',
  'bytes are given again without a look at the deposits',
  'a block that is not final ends a payment',
  'the nonce is lost to another',
  'nobody has it',
]

const searched = async (setting: Setting, depth: number, options?: SearchOptions) =>
  searchTo(await createSearch(setting, options), depth)

async function seenIn(name: string, options: SearchOptions): Promise<Found<Step> | undefined> {
  const where = WHERE[name]
  if (where === undefined) throw new Error(`nowhere is said where “${name}” is seen`)
  const { kind = 'top-up', signedBy = 'keystore', liar = 1, depth, ...rest } = where
  return searched({ kind, signedBy, liar, computers: 1, person: 'abandons' }, depth, { ...rest, ...options })
}

describe('everything that can happen to a payment, step by step', () => {
  const settings = [...settingsOf('first'), ...settingsOf('top-up')].map(
    (setting) => [nameOfSetting(setting), setting] as const,
  )

  test.each(settings)('goes well from every moment of a payment: %s', async (_, setting) => {
    const depth = runsOf({ suite: setting.liar === 1 ? 1 : 0, hard: 2 })
    expect(await searched(setting, depth)).toBeUndefined()
  })

  test.each(Object.keys(ALPHABETS))('goes well where it is only %s, and deeper', async (name) => {
    const depth = runsOf({ suite: 1, hard: name === 'everything' ? 2 : 3 })
    const setting = {
      kind: 'top-up',
      signedBy: 'external',
      liar: 0,
      computers: 1,
      person: 'abandons',
    } as const
    expect(await searched(setting, depth, { alphabet: ALPHABETS[name] ?? {} })).toBeUndefined()
  })

  for (const { name, options } of ALL_PLANTED) {
    const planted = IN_THE_SUITE.includes(name) ? test : hardTest
    planted(`does not go well where it is planted that ${name}`, async () => {
      expect((await seenIn(name, options))?.objection.rule).toMatch(/^[a-h]\./)
    })
  }

  test('does not go well where a word counts in any world', async () => {
    const deskBy: typeof deskAfter = (desk, event) => deskAfter(desk, { ...event, now: desk.opened.offer })
    const setting = {
      kind: 'top-up',
      signedBy: 'keystore',
      liar: 1,
      computers: 1,
      person: 'abandons',
    } as const
    const alphabet = { ...KEYS, deeds: ['slot', 'key', 'other-pays'] }
    const found = await searched(setting, 3, { deskBy, alphabet, rules: ['w'] })
    expect(found?.objection.rule).toBe('w.other-world')
    expect(await searched(setting, 3, { alphabet, rules: ['w'] })).toBeUndefined()
  })
})

const BEHIND: Stance = { ...HONEST, lag: 2 }
const step = (deed: Deed, first: Stance = HONEST, second: Stance = HONEST): Step => ({
  deed,
  stances: [first, second],
})
const SLOT: Deed = { do: 'slot', empty: false }
const keyOf = (who: 0 | 1, key: 'open agree' | 'word'): Deed => ({ do: 'key', who, key })
/** One computer agrees and shows a call of a contract account, whose owners carry it out. */
const CARRIED_OUT: readonly Step[] = [
  step(keyOf(0, 'open agree')),
  step(keyOf(0, 'word')),
  step({ do: 'by-hand', what: 'send-shown', same: false }),
  step(SLOT),
]

describe('where every endpoint is behind', () => {
  const went = async (setting: Pick<Setting, 'kind' | 'liar' | 'computers'>, steps: readonly Step[]) => {
    const bench = await createBench({ signedBy: 'contract', person: 'abandons', ...setting })
    for (const one of steps) await take(bench.world, one)
    const other = bench.world.computers.at(-1)?.program
    return {
      objection: bench.objection(),
      isShown: other?.shown() !== undefined,
      told: other?.told().words(),
    }
  }

  test('a deposit that was seen when its draft was made is looked for, and not shown to be sent', async () => {
    const setting = { kind: 'first', liar: 1, computers: 2 } as const
    const steps = [
      ...CARRIED_OUT,
      step(keyOf(1, 'open agree')),
      step(keyOf(1, 'word'), HONEST, BEHIND),
      step(SLOT, BEHIND, BEHIND),
    ]
    expect(await went(setting, steps)).toMatchObject({ objection: undefined, isShown: false })
    const well = await went(setting, [...steps, step(SLOT), step(SLOT), step(SLOT)])
    expect(well).toMatchObject({ objection: undefined, isShown: false })
    expect(well.told).toContain('paid')
  })

  test('nothing is shown to be sent for what was agreed to with a newer block', async () => {
    const lying: Stance = { ...HONEST, lies: ['withholds-deposits'] }
    const steps = [
      ...CARRIED_OUT,
      step(SLOT, lying, { ...HONEST, silent: 'refuses' }),
      step(keyOf(1, 'open agree')),
      step(keyOf(1, 'word'), BEHIND, BEHIND),
    ]
    const setting = { kind: 'top-up', liar: 0, computers: 2 } as const
    expect(await went(setting, steps)).toMatchObject({ objection: undefined, isShown: false })
  })

  test('a deposit that a liar names with an older block is not shown to be sent either', async () => {
    const lying: Stance = { ...HONEST, lies: ['invents-own-deposit'] }
    const steps = [
      step(keyOf(0, 'open agree')),
      step({ do: 'by-hand', what: 'other-pays', same: false }),
      step(SLOT, BEHIND, BEHIND),
      step(keyOf(0, 'word'), lying),
      step(SLOT, BEHIND, BEHIND),
    ]
    const setting = { kind: 'first', liar: 0, computers: 1 } as const
    expect(await went(setting, steps)).toMatchObject({ objection: undefined, isShown: false })
  })
})

describe('two ways to one state', () => {
  test.each(
    [...settingsOf('top-up'), ...settingsOf('first')].filter(
      (_, at) => runsOf({ suite: at % 8, hard: 0 }) === 0,
    ),
  )('lead on alike: $kind, $signedBy, $liar, $computers', async (setting) => {
    const search = searchOf(await subjectOf(setting))
    for (let depth = 0; depth <= runsOf({ suite: 1, hard: 2 }); depth += 1) await search.deeper(() => false)
    const pairs = search.merged()
    expect(pairs.length).toBeGreaterThan(20)
    const random = randomFrom(30)
    const both = [await subjectOf(setting), await subjectOf(setting)] as const
    for (const pair of pairs.slice(0, runsOf({ suite: 12, hard: 200 })))
      expect(await goOn(both, pair, { length: 12, random })).toBeUndefined()
  })
})
