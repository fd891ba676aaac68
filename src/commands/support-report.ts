import { readFile } from 'node:fs/promises'
import { hostname, release, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { rehearsalFolders } from '../compose/attach-rehearsal.ts'
import { PLAIN_PAPER } from '../compose/fact-lines.ts'
import { keptPlaces, type Place } from '../compose/kept-places.ts'
import { rememberedJournals } from '../compose/read-under-way.ts'
import { rememberedAddresses } from '../compose/settings.ts'
import { homeDirectory } from '../core/effects/node-file-fault.ts'
import { BaseError, badUsage, failureWords } from '../core/errors/base.ts'
import { safeText } from '../core/format/text.ts'
import type { JsonData } from '../core/journal/fields.ts'
import { readJournal } from '../core/journal/replay.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import { createCover, knownAddresses } from './cover.ts'
import { EXIT, type ExitCode, type Paper, printable } from './io.ts'
import { textLines } from './report-lines.ts'

/** The command `report`: one file for a question in a forum. */
export const report = commandOf('report', run)

type Section = { title: string; lines: readonly string[] }

const LAST_EVENTS = 20
const LONGEST_LINE = 500

async function run(call: Call): Promise<ExitCode> {
  const { io, json, flags, effects } = call
  const { out, state } = call.options
  const path = pathOf(out ?? 'bearings-report.txt', call.environment)
  const mayWrite = !json && (flags.has('yes') || call.ask !== undefined)
  if (out !== undefined && !mayWrite)
    throw badUsage({
      sentence: 'Nobody can be asked here whether the report may be written.',
      next: json ? 'Leave --out out: with --json it is only shown.' : 'Add --yes, or leave --out out.',
    })
  const directory = pathOf(state ?? call.stateDirectory, call.environment)
  const sections = await gathered(call, directory)
  if (json) io.out(printable({ command: 'report', sections }))
  const lines = sections.flatMap((section) => [`== ${section.title}`, ...section.lines, ''])
  if (!json) for (const line of lines) io.out(line)
  if (!mayWrite) return EXIT.done
  if (!flags.has('yes') && (await call.ask?.(`Write this to ${path}? Type yes: `))?.trim() !== 'yes') {
    io.err('Nothing was written.')
    return EXIT.stopped
  }
  await effects.store.writeText(path, `${lines.join('\n')}\n`, { replace: false })
  io.err(`Written to ${path}. Read it once more before you give it to anybody.`)
  return EXIT.done
}

async function gathered(call: Call, directory: string): Promise<Section[]> {
  const places = await keptPlaces({
    stateDirectory: directory,
    environment: call.environment,
    platform: process.platform,
  })
  const checks = await checksOf(call)
  const kept = [...places.filter(({ id }) => id === 'journal'), ...(await rehearsed(directory))]
  const journals = await Promise.all(kept.map(journal))
  const sections: Section[] = [
    { title: 'versions', lines: versions(call) },
    { title: 'what is kept', lines: places.flatMap((place) => placeLines(place, PLAIN_PAPER)) },
    ...journals,
    ...(await Promise.all(places.filter(({ id }) => id === 'watch').map(watch))),
    { title: 'checks', lines: checks.lines },
  ]
  const cover = createCover({
    home: call.environment.HOME ?? homeDirectory(),
    user: userName(),
    computer: hostname(),
    addresses: call.flags.has('addresses'),
    ours: [...checks.ours, ...journals.flatMap(({ types }) => types)],
    ...knownAddresses([...rememberedAddresses(directory), ...Object.values(call.options)], checks.sources),
  })
  return sections.map(({ title, lines }) => ({
    title: cover(title),
    lines: lines.map((line) => safeText(cover(line), LONGEST_LINE)),
  }))
}

/** The name of the user; nothing for one whom the system does not know. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return ''
  }
}

function versions({ version = 'unknown', environment }: Call): string[] {
  const { TERM = 'none', LANG = 'none' } = environment
  const { stdout, versions: own, platform, arch } = process
  return [
    `bearings ${version}`,
    `Node ${own.node}, OpenSSL ${own.openssl}`,
    `${platform} ${arch}, ${release()}`,
    `terminal ${TERM}, ${stdout.isTTY ? `${stdout.columns} x ${stdout.rows}` : 'none'}, LANG ${LANG}`,
    `memory ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MiB, wall clock ${new Date().toISOString()}`,
  ]
}

/** The journals of the last rehearsal network. */
async function rehearsed(directory: string): Promise<Pick<Place, 'path' | 'label'>[]> {
  const last = rehearsalFolders(join(directory, 'rehearsal')).at(-1)
  const found = last === undefined ? [] : await rememberedJournals(join(last, 'journal'))
  return found.map(({ path }) => ({ path: dirname(path), label: 'journal, last rehearsal' }))
}

/** How a journal stands, and its last events: when, what, and the words of it. */
async function journal({
  path,
  label,
}: Pick<Place, 'path' | 'label'>): Promise<Section & { types: readonly string[] }> {
  const [remembered] = (await rememberedJournals(dirname(path))).filter((each) => each.path.startsWith(path))
  const title = `${label}: ${remembered?.words ?? 'cannot be read'}`
  try {
    const { entries } = readJournal(await readFile(join(path, 'journal.jsonl'), 'utf8'))
    const lines = entries
      .slice(-LAST_EVENTS)
      .map(({ t, seq, v, type, data }) => `${timeOf(t)} ${seq} ${type} (format ${v})${wordsOf(data)}`)
    return { title, lines, types: entries.map(({ type }) => type) }
  } catch (thrown) {
    return { title, lines: [reasonOf(thrown)], types: [] }
  }
}

/** Which alarms hold. Only their kinds and severities are told: a title may name a validator. */
async function watch({ path, label }: Place): Promise<Section> {
  try {
    const found = JSON.parse(await readFile(path, 'utf8')) as { [field: string]: JsonData }
    const alarms = Array.isArray(found.alarms) ? found.alarms : []
    const looked = typeof found.lookedMs === 'number' ? timeOf(found.lookedMs) : 'never'
    const lines = alarms.slice(-LAST_EVENTS).map((alarm) => `alarm${wordsOf(alarm as JsonData)}`)
    return { title: `${label}: last look ${looked}`, lines: lines.length === 0 ? ['no alarm holds'] : lines }
  } catch (thrown) {
    return { title: label, lines: [reasonOf(thrown)] }
  }
}

/** Of what an event holds only words and yes or no: no amount, no number, nothing that anybody typed. */
function wordsOf(data: JsonData): string {
  const fields = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.entries(data) : []
  const told = fields.flatMap(([name, value]) => {
    const isWord =
      typeof value === 'string' && /^[a-z]+(?:-[a-z]+)*$/.test(value) && value.length <= LONGEST_WORD
    return isWord || typeof value === 'boolean' ? [`${name}=${value}`] : []
  })
  return told.length === 0 ? '' : ` ${told.join(' ')}`
}

const LONGEST_WORD = 30

function timeOf(ms: number): string {
  return Number.isFinite(ms) && Math.abs(ms) < 8e15 ? new Date(ms).toISOString() : 'at no time'
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof BaseError) return failureWords(thrown)
  return thrown instanceof Error && 'code' in thrown
    ? `cannot be read: ${String(thrown.code)}`
    : 'cannot be read'
}

type Checks = { lines: readonly string[]; sources: readonly string[]; ours: readonly string[] }
type Row = { mark: string; label: string; value: string; long?: string; source: string }

/** The checks of `bearings doctor`, where a network is named. */
async function checksOf(call: Call): Promise<Checks> {
  const { network, devnet, spec, genesis, state } = call.options
  if ([network, devnet, spec, genesis].every((named) => named === undefined))
    return { lines: ['not run: name a network with --network or --devnet'], sources: [], ours: [] }
  const { doctor } = await import('./doctor.ts')
  const told: string[] = []
  const given = Object.entries({ network, devnet, spec, genesis, state }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
  await doctor({
    ...call,
    argv: [...given, '--json'],
    io: { ...call.io, out: (line) => void told.push(line), err: () => undefined },
  })
  const {
    rows = [],
    sentence,
    error,
  } = JSON.parse(told.join('')) as {
    rows?: readonly Row[]
    sentence?: string
    error?: { code: string; shortMessage: string }
  }
  const lines = rows.map(({ mark, label, value, long = '', source }) =>
    `${mark.padEnd(8)} ${label}: ${value} ${long} ${source === '' ? '' : `(${source})`}`
      .replace(/ +/g, ' ')
      .trimEnd(),
  )
  const end = error === undefined ? (sentence ?? '') : `${error.code}: ${error.shortMessage}`
  return {
    lines: [...lines, end],
    sources: rows.map(({ source }) => source).filter((source) => HOST.test(source)),
    ours: error === undefined ? [] : [error.code],
  }
}

/** A host as a row names it, with a port or with a dot in it. */
const HOST = /^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?$|^[A-Za-z0-9-]+:\d+$/

/** The command `config`: where everything is kept, and why. */
export const config = commandOf('config', tellPlaces)

async function tellPlaces(call: Call): Promise<ExitCode> {
  const { io, json, environment, stateDirectory } = call
  const { paper = PLAIN_PAPER } = io
  const directory = pathOf(call.options.state ?? stateDirectory, environment)
  const places = await keptPlaces({ stateDirectory: directory, environment, platform: process.platform })
  if (json) io.out(printable({ command: 'config', places, notKept: NOT_KEPT }))
  else
    for (const line of [...places.flatMap((place) => placeLines(place, paper)), ...notKept(paper)])
      io.out(line)
  return EXIT.done
}

/** A place as lines: what it is, where, how large, and whether it may go. */
export function placeLines(place: Place, paper: Paper): string[] {
  const { label, path, what, because } = place
  const may = place.mayBeDeleted === 'yes' ? 'may be deleted: yes' : 'may be deleted: no'
  return [
    paper.paint('strong', paper.plain(label)),
    `  ${paper.plain(path)}`,
    ...textLines(`  ${sizeWords(place)}; ${what}`, paper),
    ...textLines(`  ${may}, ${because}`, paper),
  ]
}

function sizeWords({ exists, bytes, files }: Place): string {
  if (!exists) return 'not there yet'
  const kibibytes = `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`
  return files === 1 ? kibibytes : `${kibibytes} in ${files.toLocaleString('en')} files`
}

const NOT_KEPT = [
  'Passwords and private keys: nowhere. A process of its own reads them for one signature.',
  'The configuration of a watch: where you put it; --config names it each time.',
  "The node's home: only read, never written.",
]

function notKept(paper: Paper): string[] {
  return [
    paper.paint('strong', 'not kept by the program'),
    ...NOT_KEPT.flatMap((text) => textLines(`  ${text}`, paper)),
  ]
}
