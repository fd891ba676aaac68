import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BRANCHES, type Branch } from '../test/simulation/branches.ts'
import { failureText, type Outcome, simulate, unreached } from '../test/simulation/simulate.ts'

/**
 * `npm run simulate -- --seeds N [--from N] [--kept FILE]`: plays the whole program over seeds: its sessions, journal, watch
 * and desk, in one process and in virtual time, while disk, clock, chain and endpoints fail. A seed that fails prints its
 * story, as small as it stays so. `--kept` goes on behind the seeds that the file tells of, and adds to it: so a long run
 * is made in pieces. Exit 1 where the judge objects, or where a thousand seeds have left a branch unreached.
 */
const SEEDS_FOR_ALL = 1000
const PIECE = 100
/** Node keeps what a process waits for that the simulation has ended: so many seeds have a process of their own. */
const SEEDS_OF_PROCESS = 1000

type Kept = Pick<Outcome, 'seeds' | 'slots' | 'branches'> & {
  from: number
  seconds: number
  failed: number[]
}

const options = readOptions(process.argv.slice(2))
if (options === undefined) {
  process.stderr.write('usage: npm run simulate -- --seeds N [--from N] [--kept FILE]\n')
  process.exit(2)
}
process.exit(options.seeds > SEEDS_OF_PROCESS ? runInProcesses(options) : await run(options))

type Options = { seeds: number; from: number; kept: string | undefined; isPart: boolean }

function readOptions(args: readonly string[]): Options | undefined {
  const read: Omit<Options, 'seeds'> & { seeds?: number } = { from: 0, kept: undefined, isPart: false }
  for (let at = 0; at < args.length; at += 2) {
    const [name, value = ''] = args.slice(at, at + 2)
    if (name === '--kept' && value !== '') read.kept = value
    else if (name === '--seeds' && /^[1-9]\d*$/.test(value)) read.seeds = Number(value)
    else if (name === '--part' && value === 'yes') read.isPart = true
    else if (name === '--from' && /^\d+$/.test(value)) read.from = Number(value)
    else return undefined
  }
  return read.seeds === undefined ? undefined : { ...read, seeds: read.seeds }
}

/** The exit code of the last process: none follows one that failed. */
function runInProcesses({ seeds, from, kept }: Options): number {
  const folder = mkdtempSync(join(tmpdir(), 'simulate-'))
  const path = kept ?? join(folder, 'kept.json')
  try {
    for (let left = seeds; ; left -= SEEDS_OF_PROCESS) {
      const count = Math.min(left, SEEDS_OF_PROCESS)
      const part = ['--seeds', String(count), '--from', String(from), '--kept', path]
      const more = count < left ? ['--part', 'yes'] : []
      const args = [fileURLToPath(import.meta.url), ...part, ...more]
      const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
      if (status !== 0 || count === left) return status ?? 1
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function run({ seeds, from, kept: path, isPart }: Options): Promise<number> {
  const before =
    path !== undefined && existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : undefined
  let kept: Kept = before ?? {
    from,
    seeds: 0,
    slots: 0,
    seconds: 0,
    branches: {} as Outcome['branches'],
    failed: [],
  }
  for (let left = seeds; left > 0 && kept.failed.length === (before?.failed.length ?? 0); left -= PIECE) {
    const beganMs = performance.now()
    const piece = await simulate({ from: kept.from + kept.seeds, seeds: Math.min(PIECE, left) })
    kept = added(kept, piece, (performance.now() - beganMs) / 1000)
    for (const failure of piece.failures) process.stdout.write(`${failureText(failure)}\n`)
    if (path !== undefined) writeFileSync(path, `${JSON.stringify(kept)}\n`)
    process.stdout.write(
      `${kept.seeds} seeds from ${kept.from}, ${kept.slots} slots, ${Math.round(kept.seconds)} s; ${kept.failed.length} failed\n`,
    )
  }
  const hasFailed = kept.failed.length > (before?.failed.length ?? 0)
  return isPart && !hasFailed ? 0 : end(kept)
}

function added(kept: Kept, piece: Outcome, seconds: number): Kept {
  const names = Object.keys(BRANCHES) as Branch[]
  const branches = Object.fromEntries(
    names.map((name) => [name, (kept.branches[name] ?? 0) + piece.branches[name]]),
  ) as Outcome['branches']
  return {
    from: kept.from,
    seeds: kept.seeds + piece.seeds,
    slots: kept.slots + piece.slots,
    seconds: kept.seconds + seconds,
    branches,
    failed: [...kept.failed, ...piece.failures.map(({ seed }) => seed)],
  }
}

function end({ seeds, branches, failed }: Kept): number {
  for (const [branch, words] of Object.entries(BRANCHES))
    process.stdout.write(`${String(branches[branch as Branch]).padStart(7)}  ${words}\n`)
  const missing = unreached(branches)
  const isWhole = seeds < SEEDS_FOR_ALL || missing.length === 0
  if (!isWhole) process.stdout.write(`never reached: ${missing.join(', ')}\n`)
  if (failed.length > 0) process.stdout.write(`failed: ${failed.join(', ')}\n`)
  return failed.length === 0 && isWhole ? 0 : 1
}
