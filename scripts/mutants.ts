import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { drawn, hashOf } from '../test/mutation/drawn.ts'
import { type Mutant, schemataOf } from '../test/mutation/mutants.ts'
import { reasonOf, type Tried, tableOf } from '../test/mutation/table.ts'
import { MOST_IN_A_FILE, ROOMS, type Room, samplesOf, type Targets } from '../test/mutation/targets.ts'

/**
 * `node scripts/run.js scripts/mutants.ts [--anew | --unseen] [ROOM…]`: changes the code of a room in every way there is and
 * runs the tests of that room for each change (`decide`, `pay`, `gates`, `signer`, `judge`; `rest` and `again`: 500 changes
 * each by chance elsewhere). What was tried before is kept in `.mutants` as long as its file stays as it is, and not tried
 * again but with `--anew`, or with `--unseen` where nothing saw it. The table in docs/mutation.md is of all that is there.
 * Exit 1 where fewer than 95 % of what is not equivalent is seen in a file of which everything is tried.
 */
const root = join(import.meta.dirname, '..')
const kept = join(root, '.mutants')
const results = join(kept, 'tried.jsonl')
const LEAST = 0.95

/** What came of a change: `early` must be there before the first test, and is tried in a process of its own. */
type Outcome = 'seen' | 'unseen' | 'early'
/** A line of what is kept. `of` is the hash of the source that was changed. */
type Line = { file: string; of: string; name: string; is: Outcome; by?: string }
type Told = { is: 'killed'; id: number; by: string } | { is: 'met' | 'early'; ids: readonly number[] }

const args = process.argv.slice(2)
const isAnew = args.includes('--anew')
const isUnseen = args.includes('--unseen')
const names = args.filter((one) => !one.startsWith('--'))
mkdirSync(kept, { recursive: true })
const sources = new Map<string, Source>()
const known = readKept()
const all = [...ROOMS, ...samplesOf(root)]
const waiting = all.filter(({ name }) => names.length === 0 || names.includes(name))
await Promise.all([inTurn(), inTurn()])
// A room of which only a little is tried, as another one shares it, is not told.
const begun = all.filter((room) => {
  const wanted = wantedIn(room)
  return 2 * wanted.filter(({ file, mutant }) => known.has(keyOf(file, mutant))).length > wanted.length
})
const { text, rates } = tableOf(begun.flatMap(triedIn))
writeFileSync(join(root, 'docs/mutation.md'), text)
const tooFew = rates.filter(({ isWhole, rate }) => isWhole && rate < LEAST)
for (const { name, rate } of rates)
  process.stdout.write(`${(100 * rate).toFixed(1).padStart(6)} %  ${name}\n`)
process.exit(tooFew.length > 0 ? 1 : 0)

type Source = { hash: string; lines: readonly string[]; mutants: readonly Mutant[] }

function sourceOf(file: string): Source {
  const before = sources.get(file)
  if (before !== undefined) return before
  const text = readFileSync(join(root, file), 'utf8')
  const source = {
    hash: hashOf(text).slice(0, 10),
    lines: text.split('\n'),
    mutants: schemataOf(file, text).mutants,
  }
  sources.set(file, source)
  return source
}

function keyOf(file: string, { name }: Pick<Mutant, 'name'>): string {
  return `${file} ${sourceOf(file).hash} ${name}`
}

function readKept(): Map<string, Line> {
  if (!existsSync(results)) return new Map()
  const lines = readFileSync(results, 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line)
      .map((line) => [`${line.file} ${line.of} ${line.name}`, line]),
  )
}

function keep(file: string, { name }: Pick<Mutant, 'name'>, is: Outcome, by?: string): void {
  const line: Line = { file, of: sourceOf(file).hash, name, is, ...(by === undefined ? {} : { by }) }
  known.set(keyOf(file, line), line)
  appendFileSync(results, `${JSON.stringify(line)}\n`)
}

type Wanted = { id: number; file: string; mutant: Mutant }

/** The changes of a room that are to be tried, all or those of its sample. */
function wantedIn({ files, sample }: Room): Wanted[] {
  const all = files.flatMap((file, at) =>
    sourceOf(file).mutants.map((mutant) => ({ id: at * MOST_IN_A_FILE + mutant.nth, file, mutant })),
  )
  if (sample === undefined) return all
  const chosen =
    'seed' in sample
      ? drawn(
          all.map(({ file, mutant: { name } }) => ({ file, name })),
          sample as { seed: string; most: number },
        )
      : sample
  return all.filter(({ file, mutant }) => chosen[file]?.includes(mutant.name) === true)
}

/** One room after the other; two of these run beside each other. */
async function inTurn(): Promise<void> {
  for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) await tryRoom(room)
}

/** All tests once, with every change that is not tried yet in one build; then those alone that are met before a test begins. */
async function tryRoom(room: Room): Promise<void> {
  const wanted = wantedIn(room)
  const left = wanted.filter(({ file, mutant }) => isAnew || !isSettled(known.get(keyOf(file, mutant))))
  if (left.length > 0) await tryTogether(room, left)
  for (const one of wanted.filter(({ file, mutant }) => known.get(keyOf(file, mutant))?.is === 'early')) {
    const isSeen = (await run(room, wanted, join(kept, `${room.name}.passing`), one)) !== 0
    keep(one.file, one.mutant, isSeen ? 'seen' : 'unseen', isSeen ? 'loaded with the change' : undefined)
  }
}

/** Whether a change is not tried again with the others. */
function isSettled(before: Line | undefined): boolean {
  if (before === undefined) return false
  return before.is !== 'unseen' || !isUnseen
}

async function tryTogether(room: Room, wanted: readonly Wanted[]): Promise<void> {
  const told = join(kept, `${room.name}.told`)
  rmSync(told, { force: true })
  const status = await run(room, wanted, told)
  if (status !== 0) throw new Error(`the tests of ${room.name} fail without any change`)
  const killed = new Map<number, string>()
  const early = new Set<number>()
  for (const one of readTold(told)) {
    if (one.is === 'killed') killed.set(one.id, one.by)
    else if (one.is === 'early') for (const id of one.ids) early.add(id)
  }
  for (const { id, file, mutant } of wanted) {
    const by = killed.get(id)
    if (by !== undefined) keep(file, mutant, 'seen', by)
    else keep(file, mutant, early.has(id) ? 'early' : 'unseen')
  }
}

/** The exit code of the tests of a room: with each change in turn, or with one that is there from the beginning. */
function run(room: Room, wanted: readonly Wanted[], told: string, active?: Wanted): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const more = active === undefined ? [] : ['--bail', '1']
  const elsewhere = elsewhereOf(room, active === undefined ? wanted : [active])
  const tests = active === undefined ? room.tests : (room.alone ?? [besideOf(active.file)])
  const args = [vitest, 'run', '--config', 'test/mutation/vitest.config.ts', ...more, ...tests]
  const targets: Targets = {
    files: room.files,
    slow: [...room.slow, ...Object.keys(elsewhere)],
    only: elsewhere,
    wanted: (active === undefined ? wanted : [active]).map(({ id }) => id),
  }
  const child = spawn(process.execPath, [...args, ...Object.keys(elsewhere)], {
    cwd: root,
    stdio: active === undefined ? 'inherit' : 'ignore',
    env: {
      ...process.env,
      BEARINGS_RESULTS: told,
      BEARINGS_TARGETS: JSON.stringify(targets),
      ...(active === undefined ? {} : { BEARINGS_MUTANT: String(active.id) }),
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

/** The tests of other rooms that see one of these files, and which files count there. */
function elsewhereOf({ elsewhere = {} }: Room, wanted: readonly Wanted[]): Record<string, string[]> {
  const paths = Object.keys(elsewhere).filter((path) => wanted.some(({ file }) => file.startsWith(path)))
  const tests = [...new Set(paths.flatMap((path) => elsewhere[path] ?? []))]
  return Object.fromEntries(
    tests.map((test) => [test, paths.filter((path) => elsewhere[path]?.includes(test) === true)]),
  )
}

/** The folder of tests of the folder in which a change lies. */
function besideOf(file: string): string {
  const folder = dirname(file.replace(/^src/, 'test'))
  return existsSync(join(root, folder)) ? folder : dirname(folder)
}

function readTold(path: string): Told[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Told)
}

/** Everything of a room that was tried in any run, with what came of it; what waits for its turn still is left out. */
function triedIn(room: Room): Tried[] {
  return wantedIn(room).flatMap(({ file, mutant }): Tried[] => {
    const line = known.get(keyOf(file, mutant))
    if (line === undefined || line.is === 'early') return []
    const source = sourceOf(file).lines[mutant.line - 1]?.trim() ?? ''
    const isKilled = line.is === 'seen'
    const reason = isKilled ? undefined : reasonOf(file, source, mutant)
    return [
      {
        file,
        source,
        mutant,
        isKilled,
        reason,
        ...(room.sample === undefined ? {} : { sample: room.name }),
      },
    ]
  })
}
