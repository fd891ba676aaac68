import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => {
  const hard = mode === 'hard'
  return {
    test: {
      include: ['test/**/*.test.{ts,tsx}'],
      // What is exhaustive is left to `npm run hard`; of what is sampled, test/support/hard.ts gives it all there.
      exclude: hard ? configDefaults.exclude : [...configDefaults.exclude, 'test/mutation/**'],
      env: { BEARINGS_HARD: hard ? '1' : '0' },
      // Only a test that fails meets these: no wait is shorter because the computer is busy.
      testTimeout: hard ? 1_800_000 : 180_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000 } },
      pool: 'forks',
      maxWorkers: 3,
    },
  }
})
