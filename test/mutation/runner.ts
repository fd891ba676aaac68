import { appendFileSync } from 'node:fs'
import { type RunnerTestCase, TestRunner } from 'vitest'
import { NONE } from './switch.ts'
import { MOST_IN_A_FILE, type Targets } from './targets.ts'

type Suite = NonNullable<RunnerTestCase['suite']>
type Result = { is: 'killed'; id: number; by: string } | { is: 'met' | 'early'; ids: readonly number[] }

/** So much longer than without a change a test may go on. */
const TIMES_LONGER = 50
const EVENTS_MORE = 20_000

const { files, only } = JSON.parse(process.env.BEARINGS_TARGETS ?? '{}') as Targets
/** Whether what a test sees of a change counts. */
const counts = (test: RunnerTestCase, id: number): boolean => {
  const path = Object.keys(only).find((one) => test.file.name.startsWith(one))
  const file = files[Math.floor(id / MOST_IN_A_FILE)] ?? ''
  return path === undefined || only[path]?.some((one) => file.startsWith(one)) === true
}
const results = process.env.BEARINGS_RESULTS ?? ''
const killed = new Set<number>()
const met = new Set<number>()
const early = new Set<number>()
const tell = (result: Result) => appendFileSync(results, `${JSON.stringify(result)}\n`)

/**
 * Runs each test once, and once more with each mutant that it meets and that none before it has killed. What is met before
 * the first test, or between two, is told as early: it may be kept by then, and takes a process of its own.
 */
export default class MutantRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const { mutants } = globalThis
    const fn = TestRunner.getTestFn(test)
    for (const id of mutants.met ?? []) {
      if (early.has(id)) continue
      early.add(id)
      tell({ is: 'early', ids: [id] })
    }
    if (mutants.active !== NONE) return fn()
    mutants.met = new Set()
    mutants.events = 0
    await fn()
    const [seen, events] = [mutants.met, mutants.events]
    mutants.met = undefined
    for (const id of seen) if (!counts(test, id)) seen.delete(id)
    const news = [...seen].filter((id) => !met.has(id))
    for (const id of news) met.add(id)
    if (news.length > 0) tell({ is: 'met', ids: news })
    const left = [...seen].filter((id) => !killed.has(id))
    // A test that does not go well twice in a row would seem to kill everything.
    const isRepeatable = left.length > 0 && (await this.#goesWell(test, fn))
    if (left.length > 0 && !isRepeatable) for (const id of left) early.add(id)
    if (left.length > 0 && !isRepeatable) tell({ is: 'early', ids: left })
    if (isRepeatable) {
      mutants.most = events * TIMES_LONGER + EVENTS_MORE
      for (const id of left) {
        mutants.active = id
        const goesWell = await this.#goesWell(test, fn)
        mutants.active = NONE
        if (goesWell) continue
        killed.add(id)
        tell({ is: 'killed', id, by: `${test.file.name} > ${test.name}` })
      }
      mutants.most = Number.POSITIVE_INFINITY
    }
    await this.#hooks(test, 'afterEach')
    await this.#hooks(test, 'beforeEach')
    mutants.met = new Set()
  }

  /** Once more from the beginning of the test, with the hooks around it. */
  async #goesWell(test: RunnerTestCase, fn: () => unknown): Promise<boolean> {
    globalThis.mutants.events = 0
    try {
      await this.#hooks(test, 'afterEach')
      await this.#hooks(test, 'beforeEach')
      this.onBeforeTryTask(test, { retry: 0, repeats: 0 })
      await fn()
      this.onAfterTryTask(test)
      await this.#finish(test)
      return true
    } catch {
      await this.#finish(test)
      return false
    }
  }

  async #finish(test: RunnerTestCase): Promise<void> {
    const hooks = (test as unknown as { onFinished?: ((context: unknown) => unknown)[] }).onFinished ?? []
    for (const hook of hooks.toReversed()) await hook(test.context)
    hooks.length = 0
  }

  async #hooks(test: RunnerTestCase, name: 'beforeEach' | 'afterEach'): Promise<void> {
    const suites: Suite[] = []
    for (let suite = test.suite ?? test.file; suite !== undefined; suite = suite.suite as Suite) {
      suites.push(suite)
      if (suite === (test.file as unknown)) break
    }
    const inOrder = name === 'beforeEach' ? suites.toReversed() : suites
    for (const suite of inOrder)
      for (const hook of TestRunner.getSuiteHooks(suite)[name] ?? [])
        await (hook as (context: unknown, suite: unknown) => unknown)(test.context, suite)
  }
}
