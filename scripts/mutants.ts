import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Mutant, schemataOf } from '../test/mutation/mutants.ts'
import { reasonOf, type Tried, tableOf } from '../test/mutation/table.ts'
import {
  MOST_IN_A_FILE,
  ROOMS,
  type Room,
  roomOfTheRest,
  sampleOf,
  type Targets,
} from '../test/mutation/targets.ts'

/**
 * `node scripts/run.js scripts/mutants.ts [--anew] [ROOM…]`: changes the code of a room in every way there is and runs the tests
 * of that room for each change (`decide`, `pay`, `gates`, `signer`, `judge`, and `rest`: 500 changes by chance elsewhere). What
 * was tried before is kept in `.mutants`, and not tried again but with `--anew`; the table in docs/mutation.md is of all that
 * is there. Exit 1 where fewer than 95 % of what is not equivalent is seen in a file of which everything is tried.
 */
const root = join(import.meta.dirname, '..')
const kept = join(root, '.mutants')
const LEAST = 0.95

type Told = { is: 'killed'; id: number; by: string } | { is: 'met' | 'early'; ids: readonly number[] }

const args = process.argv.slice(2)
const isAnew = args.includes('--anew')
const names = args.filter((one) => !one.startsWith('--'))
const rooms = [...ROOMS, roomOfTheRest(root)].filter(({ name }) => names.length === 0 || names.includes(name))
mkdirSync(kept, { recursive: true })
const waiting = [...rooms]
await Promise.all([inTurn(), inTurn()])
const { text, rates } = tableOf(allTried())
writeFileSync(join(root, 'docs/mutation.md'), text)
const tooFew = rates.filter(({ isWhole, rate }) => isWhole && rate < LEAST)
for (const { file, rate } of rates)
  process.stdout.write(`${(100 * rate).toFixed(1).padStart(6)} %  ${file}\n`)
process.exit(tooFew.length > 0 ? 1 : 0)

function targetsOf({ files, slow, sample }: Room): Targets {
  if (sample === undefined) return { files, slow }
  return {
    files,
    slow,
    wanted: sampleOf(
      files.map((file) => mutantsOf(file).length),
      sample,
    ),
  }
}

function mutantsOf(file: string): readonly Mutant[] {
  return schemataOf(file, readFileSync(join(root, file), 'utf8')).mutants
}

/** One room after the other; two of these run beside each other. */
async function inTurn(): Promise<void> {
  for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) await tryRoom(room)
}

/** All tests once, with every mutant in one build; then those alone that are met before a test begins. */
async function tryRoom(room: Room): Promise<void> {
  const results = join(kept, `${room.name}.jsonl`)
  const done = join(kept, `${room.name}.done`)
  if (isAnew || !existsSync(done)) {
    for (const path of [results, `${results}.alone`]) writeFileSync(path, '')
    const status = await run(room, results)
    if (status !== 0) throw new Error(`the tests of ${room.name} fail without any change`)
    writeFileSync(done, '')
  }
  const told = readTold(results)
  const killed = new Set(told.flatMap((one) => (one.is === 'killed' ? [one.id] : [])))
  const alone = new Set(told.flatMap((one) => (one.is === 'early' ? one.ids : [])))
  const tried = new Set(
    readTold(`${results}.alone`).flatMap((one) => (one.is === 'killed' ? [one.id] : one.ids)),
  )
  for (const id of alone) {
    if (killed.has(id) || tried.has(id)) continue
    const isSeen = (await run(room, join(kept, `${room.name}.passing`), id)) !== 0
    const line: Told = isSeen ? { is: 'killed', id, by: 'loaded with the change' } : { is: 'met', ids: [id] }
    writeFileSync(`${results}.alone`, `${JSON.stringify(line)}\n`, { flag: 'a' })
  }
}

/** The exit code of the tests of a room: with each mutant in turn, or with one that is there from the beginning. */
function run(room: Room, results: string, active?: number): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const more = active === undefined ? [] : ['--bail', '1']
  const tests = active === undefined ? room.tests : (room.alone ?? [besideOf(room, active)])
  const args = [vitest, 'run', '--config', 'test/mutation/vitest.config.ts', ...more, ...tests]
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: active === undefined ? 'inherit' : 'ignore',
    env: {
      ...process.env,
      BEARINGS_RESULTS: results,
      BEARINGS_TARGETS: JSON.stringify(targetsOf(room)),
      ...(active === undefined ? {} : { BEARINGS_MUTANT: String(active) }),
    },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      // Whoever ends the tests has seen nothing.
      if (status === null) reject(new Error(`the tests of ${room.name} were ended by ${signal}`))
      else resolve(status)
    })
  })
}

/** The folder of tests of the folder in which a mutant lies. */
function besideOf({ files }: Room, id: number): string {
  const file = files[Math.floor(id / MOST_IN_A_FILE)] ?? ''
  const folder = dirname(file.replace(/^src/, 'test'))
  return existsSync(join(root, folder)) ? folder : dirname(folder)
}

function readTold(path: string): Told[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Told)
}

/** Everything that was tried in any run, with what came of it. */
function allTried(): Tried[] {
  return [...ROOMS, roomOfTheRest(root)].flatMap((room) => {
    const results = join(kept, `${room.name}.jsonl`)
    if (!existsSync(join(kept, `${room.name}.done`))) return []
    const together = readTold(results)
    const alone = readTold(`${results}.alone`)
    const killed = new Set([...together, ...alone].flatMap((one) => (one.is === 'killed' ? [one.id] : [])))
    const tried = new Set(alone.flatMap((one) => (one.is === 'killed' ? [one.id] : one.ids)))
    // What must be there from the beginning, and waits for its turn still, is left out of a sample.
    const waits = new Set(together.flatMap((one) => (one.is === 'early' ? one.ids : [])))
    const isUntried = (id: number) => waits.has(id) && !killed.has(id) && !tried.has(id)
    const { wanted } = targetsOf(room)
    return room.files.flatMap((file, at) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n')
      return mutantsOf(file).flatMap((mutant): Tried[] => {
        const id = at * MOST_IN_A_FILE + mutant.nth
        if (wanted !== undefined && (!wanted.includes(id) || isUntried(id))) return []
        const source = lines[mutant.line - 1]?.trim() ?? ''
        const isKilled = killed.has(id)
        const reason = isKilled ? undefined : reasonOf(file, source, mutant)
        return [{ file, source, mutant, isKilled, reason, isSample: wanted !== undefined }]
      })
    })
  })
}
