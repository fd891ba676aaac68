import { join } from 'node:path'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { lookUpsOf, sourceReader, TEXTS } from './scripts/build/translate.ts'
import { hostileCounts } from './test/hostile/counts.ts'

/** They set the colours of the whole process before anything is loaded. */
const COLOURED = ['test/screens/colours.test.tsx', 'test/screens/ui/field.test.tsx']

/** They hold in every language: once more with our sources as the Chinese program has them. */
const CHINESE = ['test/screens/consent.test.tsx']
/** The same, where `npm run hard` alone has the time. */
const CHINESE_AT_HARD = [
  'test/commands/json-fields.test.ts',
  ...['key-on-two-nodes', 'lacked-fork', 'leaving', 'pools', 'watch-shown'].map(
    (name) => `test/journeys/${name}.test.{ts,tsx}`,
  ),
]

function inChinese(): Plugin {
  const lookUps = lookUpsOf(import.meta.dirname)
  const read = sourceReader(import.meta.dirname, lookUps)
  const own = join(import.meta.dirname, 'src/')
  // No text is looked up before the module that looks it up.
  const chosen = `\nsetTexts(${JSON.stringify(lookUps.texts.get('zh'))})\n`
  return {
    name: 'in-chinese',
    enforce: 'pre',
    load: (id) => {
      if (!id.startsWith(own) || !/\.tsx?$/.test(id)) return undefined
      return id === join(own, TEXTS) ? read(id) + chosen : read(id)
    },
  }
}

/** What takes longest: begun last, one of them would be waited for by all. */
const LONGEST = [
  'journeys/long-watch.',
  'model/payments.',
  'hostile/lies-',
  'hostile/other-hands.',
  'hostile/program.',
  'test/e2e/',
  'test/journeys/',
  'test/commands/',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.includes(name))
      return at === -1 ? LONGEST.length : at
    }
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other))
  }
}

export default defineConfig(({ mode }) => {
  const nightly = mode === 'nightly'
  const hard = nightly || mode === 'hard'
  // What takes hours is left to `npm run nightly`; of what is sampled, test/support/hard.ts gives all to `npm run hard`.
  const left = nightly ? configDefaults.exclude : [...configDefaults.exclude, 'test/mutation/**']
  return {
    test: {
      sequence: { sequencer: LongestFirst },
      reporters: hard ? ['default', hostileCounts()] : ['default'],
      setupFiles: hard ? [] : ['test/support/fewer-runs.ts'],
      env: { BEARINGS_HARD: hard ? '1' : '0', BEARINGS_NIGHTLY: nightly ? '1' : '0' },
      // Only a test that fails meets these: no wait is shorter because the computer is busy.
      testTimeout: hard ? 3_600_000 : 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      pool: 'forks',
      maxWorkers: 3,
      // What a test makes is hardly ever needed after it: collected seldom, it costs less.
      execArgv: ['--min-semi-space-size=16'],
      projects: [
        {
          extends: true,
          // Loading the program anew for each file would cost a third of the time.
          test: {
            name: 'all',
            include: ['test/**/*.test.{ts,tsx}'],
            exclude: [...left, ...COLOURED],
            isolate: false,
          },
        },
        { extends: true, test: { name: 'coloured', include: COLOURED } },
        {
          extends: true,
          plugins: [inChinese()],
          test: {
            name: 'chinese',
            include: [...CHINESE, ...(hard ? CHINESE_AT_HARD : [])],
            env: { BEARINGS_SPEAKS: 'zh' },
          },
        },
      ],
    },
  }
})
