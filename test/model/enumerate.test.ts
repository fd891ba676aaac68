import { describe, expect, test } from 'vitest'
import { deskAfter } from '../../src/core/pay/desk/desk.ts'
import type { Limits } from '../../src/core/pay/payment/payment-picture.ts'
import { hardTest, runsOf } from '../support/hard.ts'
import { createSearch, type Found, randomFrom, type SearchOptions, SHORT } from './enumerate.ts'
import type { Alphabet } from './enumerate-actions.ts'
import { goOn } from './enumerate-merges.ts'
import { ALPHABETS, nameOfSetting, settingsOf } from './enumerate-settings.ts'
import { FAULTS, PLANTED, withRowFault } from './faults.ts'
import type { Setting } from './schedule.ts'

const always = () => false

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
  'a block that is not final ends a payment',
  'the nonce is lost to another',
  'nobody has it',
]

async function searchTo(
  setting: Setting,
  depth: number,
  options?: SearchOptions,
): Promise<Found | undefined> {
  const search = await createSearch(setting, options)
  for (let reached = 0; reached <= depth; reached += 1) {
    const found = await search.deeper(always)
    if (found !== undefined) return found
  }
  return undefined
}

async function seenIn(name: string, options: SearchOptions): Promise<Found | undefined> {
  const where = WHERE[name]
  if (where === undefined) throw new Error(`nowhere is said where “${name}” is seen`)
  const { kind = 'top-up', signedBy = 'keystore', liar = 1, depth, ...rest } = where
  return searchTo({ kind, signedBy, liar, computers: 1, person: 'abandons' }, depth, { ...rest, ...options })
}

describe('everything that can happen to a payment, step by step', () => {
  const settings = [...settingsOf('first'), ...settingsOf('top-up')].map(
    (setting) => [nameOfSetting(setting), setting] as const,
  )

  test.each(settings)('goes well from every moment of a payment: %s', async (_, setting) => {
    const depth = runsOf({ suite: setting.liar === 1 ? 1 : 0, hard: 2 })
    expect(await searchTo(setting, depth)).toBeUndefined()
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
    expect(await searchTo(setting, depth, { alphabet: ALPHABETS[name] ?? {} })).toBeUndefined()
  })

  for (const { name, options } of ALL_PLANTED) {
    const planted = IN_THE_SUITE.includes(name) ? test : hardTest
    planted(`does not go well where it is planted that ${name}`, async () => {
      expect((await seenIn(name, options))?.objection.rule).toMatch(/^[a-f]\./)
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
    const found = await searchTo(setting, 3, { deskBy, alphabet, rules: ['w'] })
    expect(found?.objection.rule).toBe('w.other-world')
    expect(await searchTo(setting, 3, { alphabet, rules: ['w'] })).toBeUndefined()
  })
})

describe('two ways to one state', () => {
  test.each(
    [...settingsOf('top-up'), ...settingsOf('first')].filter(
      (_, at) => runsOf({ suite: at % 8, hard: 0 }) === 0,
    ),
  )('lead on alike: $kind, $signedBy, $liar, $computers', async (setting) => {
    const search = await createSearch(setting)
    for (let depth = 0; depth <= runsOf({ suite: 1, hard: 2 }); depth += 1) await search.deeper(always)
    const pairs = search.merged()
    expect(pairs.length).toBeGreaterThan(20)
    const random = randomFrom(30)
    for (const pair of pairs.slice(0, runsOf({ suite: 12, hard: 200 })))
      expect(await goOn(setting, pair, { length: 12, random })).toBeUndefined()
  })
})
