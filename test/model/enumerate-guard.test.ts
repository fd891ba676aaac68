import { describe, expect, test } from 'vitest'
import { hardTest, NIGHTLY, runsOf } from '../support/hard.ts'
import { type Part, searchAllNight } from './enumerate-night.ts'
import { GUARD_PLANTED } from './guard-faults.ts'
import { guardSettings, guardSubject, nameOfGuardSetting, type Small, searchGuard } from './guard-search.ts'
import type { GuardAlphabet } from './guard-steps.ts'
import { goOn, randomFrom, searchOf, searchTo } from './search.ts'

const MINUTES = Number(process.env.BEARINGS_MINUTES ?? 10)
/** The minutes are those of a processor: on a busy computer they take as long as they take. */
const WHOLE_DAY_MS = 86_400_000
const [FIRST_LIES] = guardSettings()

/** What a night tries: everything, or a part of it, which goes deeper in the same time. */
const ALPHABETS: Readonly<Record<string, GuardAlphabet>> = {
  everything: {},
  'all but lies and silence': { lies: [], troubles: [] },
  'people, blocks and pools': { lies: [], troubles: [], deaths: false },
}

/** With these a planted fault is seen in fewer steps. */
const FEW: GuardAlphabet = { lies: ['need', 'nonce-high'], troubles: ['lag'], deaths: false }
const ONLY: GuardAlphabet = { lies: [], troubles: [], deaths: false }
/** Planted faults that are seen in another setting than the first one, or deeper, where less is tried. */
const WHERE: Readonly<
  Record<string, { setting?: Partial<Small>; alphabet?: GuardAlphabet; depth?: number }>
> = {
  // The lie must last until the slots of the owner are over.
  'one anchor is proof enough': { alphabet: { ...ONLY, deeds: ['full'], lies: ['need'] }, depth: 6 },
  'what was handed over is forgotten with the program': {
    alphabet: { ...ONLY, deeds: ['full', 'empty', 'end', 'start', 'forget'] },
    depth: 6,
  },
  'the term is not looked at': { setting: { term: 'short' } },
  'locks are ignored': { setting: { holders: 'two windows' } },
}
const DEPTH = 2

describe('everything that can happen to a guard, step by step', () => {
  const settings = guardSettings().map((setting) => [nameOfGuardSetting(setting), setting] as const)

  // A guard is gone through from every moment of its life: a second for each setting.
  hardTest.each(settings)('goes well: %s', async (_, setting) => {
    expect(await searchTo(searchGuard(setting), 2)).toBeUndefined()
  })

  test('goes well where nothing goes wrong, and one thing is done by hand at any moment', async () => {
    const alphabet = { lies: [], troubles: [], deaths: false }
    for (const [, setting] of settings.slice(0, 1))
      expect(await searchTo(searchGuard(setting, { alphabet }), 1)).toBeUndefined()
  })

  hardTest.each(GUARD_PLANTED)(
    'does not go well where it is planted that $name',
    async ({ name, rule, parts }) => {
      const { setting, alphabet = FEW, depth = DEPTH } = WHERE[name] ?? {}
      if (FIRST_LIES === undefined) throw new Error('there is no setting')
      const search = searchGuard({ ...FIRST_LIES, ...setting }, { parts, rule, alphabet })
      expect((await searchTo(search, depth))?.objection.rule).toContain(rule)
    },
  )

  hardTest.each(settings)('two ways to one state lead on alike: %s', async (_, setting) => {
    const search = searchOf(guardSubject(setting))
    await searchTo(search, 1)
    const pairs = search.merged()
    expect(pairs.length).toBeGreaterThan(20)
    const random = randomFrom(31)
    const both = [guardSubject(setting), guardSubject(setting)] as const
    for (const pair of pairs.slice(0, runsOf({ suite: 5, hard: 100 })))
      expect(await goOn(both, pair, { length: 10, random })).toBeUndefined()
  })

  test.runIf(NIGHTLY)(
    'as deep as the time allows',
    async () => {
      const parts = guardSettings().flatMap((setting) =>
        Object.entries(ALPHABETS).map(
          ([tries, alphabet]): Part => ({
            setting: nameOfGuardSetting(setting),
            tries,
            search: searchGuard(setting, { alphabet }),
          }),
        ),
      )
      const { rows, found } = await searchAllNight('guard', parts, MINUTES)
      expect(found).toBeUndefined()
      expect(Math.min(...rows.map(({ depth }) => depth))).toBeGreaterThan(0)
    },
    WHOLE_DAY_MS,
  )
})
