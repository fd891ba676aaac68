import { basename } from 'node:path'
import { initialGuardPage } from '../../src/core/steps/topup/guard-page.ts'
import { check as checkCommits } from './commits.ts'
import { check as checkContract } from './contract.ts'
import { check as checkDeposits } from './deposits.ts'
import { check as checkEpochs } from './epochs.ts'
import { check as checkExecution } from './execution.ts'
import type { Vector } from './find.ts'
import { check as checkGenesisRoots } from './genesis-roots.ts'
import { guardHistory, guardWords, NO_COUNTS, sumOfCounts } from './guard.ts'
import { check as checkHome } from './home.ts'
import { check as checkHttp } from './http.ts'
import { check as checkLeave } from './leave.ts'
import { allLines, linesOf } from './lines.ts'
import { check as checkMainnetDeposits } from './mainnet-deposits.ts'
import { check as checkOutlook } from './outlook.ts'
import type { CheckResult } from './playback.ts'
import { withPrecompiles } from './precompiles.ts'
import { check as checkProofs } from './proofs.ts'
import { checkRecordedGenesis, checkRecordedSlots, checkRecordedSpec } from './recording.ts'
import { check as checkTool } from './tool.ts'
import { watchHistory, watchWords } from './watch.ts'

type Options = { precompiles: boolean }
type Route = (path: string, options: Options) => CheckResult | Promise<CheckResult>

const ROUTES: Readonly<Record<string, Route>> = {
  'commits.jsonl': async (path) => checkCommits(await allLines(path)),
  'contract.jsonl': async (path) => checkContract(await allLines(path)),
  'deposits.jsonl': (path, { precompiles }) =>
    precompiles
      ? withPrecompiles((call) => checkDeposits(linesOf(path), { call }))
      : checkDeposits(linesOf(path)),
  'epochs.jsonl': checkHistories,
  'execution.jsonl': async (path) => checkExecution(await allLines(path)),
  'genesis-roots.jsonl': (path) => checkGenesisRoots(linesOf(path)),
  'genesis.json': checkRecordedGenesis,
  'http.jsonl': async (path) => checkHttp(await allLines(path)),
  'mainnet-deposits.csv': (path) => checkMainnetDeposits(linesOf(path)),
  'outlook.jsonl': (path) => checkOutlook(linesOf(path)),
  'proofs.jsonl': (path) => checkProofs(linesOf(path)),
  'slots.jsonl': checkRecordedSlots,
  'spec.toml': checkRecordedSpec,
  'tool.jsonl': async (path) => checkTool(await allLines(path)),
}

/** Checks one vector with the functions that know its name. What nobody knows, or cannot be read, is a failure. */
export async function checkVector({ kind, path }: Vector, options: Options): Promise<CheckResult> {
  if (kind === 'absent') return failure('there is nothing at this path')
  const route = kind === 'home' ? checkHome : ROUTES[basename(path).replace(/\.gz$/, '')]
  if (route === undefined) return failure('no check knows a file of this name')
  try {
    return await route(path, options)
  } catch (thrown) {
    return failure(thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown))
  }
}

/** With none left to the human, and with as many as are proposed. */
const SLOTS_TO_HUMAN = [0, initialGuardPage.slots]

/** One history at a time: a file of them is larger than what should be held at once. */
async function checkHistories(path: string): Promise<CheckResult> {
  const result = { passed: 0, failures: [] as string[] }
  const watched = { evictions: 0, inTime: 0, noSlot: 0, noRoom: 0, averted: 0 }
  let guarded = SLOTS_TO_HUMAN.map(() => NO_COUNTS)
  for await (const line of linesOf(path)) {
    if (line.trim() === '') continue
    const { passed, failures } = checkEpochs([line])
    const seen = watchHistory(line)
    const forecast = checkLeave([line])
    const guards = SLOTS_TO_HUMAN.map((slots) => guardHistory(line, slots))
    result.passed += passed + forecast.passed
    result.failures.push(...failures, ...forecast.failures, ...seen.failures)
    result.failures.push(...guards.flatMap((guard) => guard.failures))
    guarded = guarded.map((sum, place) => sumOfCounts(sum, guards[place]?.counts ?? NO_COUNTS))
    for (const name of Object.keys(watched) as (keyof typeof watched)[]) watched[name] += seen[name]
  }
  const guardNotes = guarded.map((sum, place) => guardWords(SLOTS_TO_HUMAN[place] ?? 0, sum))
  return { ...result, notes: [watchWords(watched), ...guardNotes] }
}

const failure = (what: string): CheckResult => ({ passed: 0, failures: [what] })
