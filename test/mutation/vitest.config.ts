import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { schemataOf } from './mutants.ts'
import { MOST_IN_A_FILE, type Targets } from './targets.ts'

const root = join(import.meta.dirname, '../..')
const { files, wanted, slow } = JSON.parse(process.env.BEARINGS_TARGETS ?? '{}') as Targets

function withMutants(): Plugin {
  return {
    name: 'with-mutants',
    enforce: 'pre',
    load(id) {
      const at = files.indexOf(relative(root, id.split('?')[0] ?? id))
      if (at === -1) return undefined
      const first = at * MOST_IN_A_FILE
      const isWanted = (nth: number) => wanted === undefined || wanted.includes(first + nth)
      return schemataOf(id, readFileSync(id, 'utf8'), { first, isWanted }).code
    },
  }
}

/** What costs most comes last: by then few mutants are left. */
class SlowestLast extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => slow.findIndex((name) => moduleId.includes(name))
    return (await super.sort(specifications)).toSorted((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  plugins: [withMutants()],
  test: {
    root,
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/mutation/**'],
    setupFiles: [join(import.meta.dirname, 'setup.ts')],
    runner: join(import.meta.dirname, 'runner.ts'),
    sequence: { sequencer: SlowestLast },
    env: { BEARINGS_HARD: '0', BEARINGS_NIGHTLY: '0' },
    // What is kept of a source is its text without this run’s changes.
    fsModuleCache: false,
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 180_000,
    reporters: ['dot'],
  },
})
