import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseSync } from 'oxc-parser'
import { linesReached } from '../test/support/cruise.ts'
import { readSources, textsIn } from './build/translate.ts'

/**
 * `npm run house`: measures how large and how entangled `src` is, as a Markdown page. Lines and files by room; the lines
 * that an entry reaches through its imports; the files that name one fact, one alert and one error, which is what another
 * one would touch; the types that spell "not known" themselves; the files that word "has left the active set"; the size of
 * the package. The first frame is timed by `npm run bench -- startup`.
 */
const root = join(import.meta.dirname, '..')

const ENTRIES: Readonly<Record<string, string>> = {
  'top-up step': 'src/core/steps/topup/',
  '`bearings status`': 'src/commands/status.ts',
  '`bearings watch`': 'src/commands/watch.ts',
  '`StepScreen`': 'src/screens/StepScreen.tsx',
  'all seven steps': 'src/core/steps/',
}

/** One of each kind, by the name that whoever adds another one writes down. */
const EXAMPLES: readonly { kind: string; name: RegExp }[] = [
  { kind: 'a fact of step 2 (`standby`)', name: /\bstandby\b/ },
  { kind: 'an alert (`node-hanging`)', name: /'node-hanging'/ },
  { kind: 'an error (`http.needs-tls`)', name: /needs-tls/ },
]

const LEFT_THE_SET =
  /\b(?:left|drops? out of|dropped out of) the (?:active )?set\b|\bhas left\b(?! the wallet)/

type Source = { text: string; lines: number; unknowns: readonly string[] }
const sources = new Map(
  [...readSources(root)].map(([path, text]) => [`src/${path}`, measureSource(`src/${path}`, text)]),
)

const found = [...sources]
const all = found.map(([path]) => path)
const rooms = new Set(all.map(roomOf))
const wordings = found.filter(([path, { text }]) =>
  textsIn(text, path).some((each) => LEFT_THE_SET.test(each.text)),
)

say('| room | files | lines |\n|---|---|---|')
for (const room of rooms)
  sayRoom(
    room,
    all.filter((path) => roomOf(path) === room),
  )
sayRoom('all', all)
say('\n| measure | now |\n|---|---|')
for (const [name, place] of Object.entries(ENTRIES))
  say(`| lines reached by ${name} | ${await linesReached(place)} |`)
for (const { kind, name } of EXAMPLES)
  say(`| files that name ${kind} | ${found.filter(([, { text }]) => name.test(text)).length} |`)
const unknowns = found.flatMap(([path, source]) => source.unknowns.map((name) => `${name} (${path})`))
say(`| types that spell "not known" | ${unknowns.length} |`)
say(`| files that word "has left the active set" | ${wordings.length} |`)
say(`| packed file | ${await packedSize()} |`)
if (process.argv.includes('--names'))
  say(`\n${[...unknowns, ...wordings.map(([path]) => path)].map((each) => `- ${each}`).join('\n')}`)

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function sayRoom(room: string, paths: readonly string[]): void {
  say(`| ${room} | ${paths.length} | ${linesOf(paths)} |`)
}

/** The folder below `src`, and one more below `core`. */
function roomOf(path: string): string {
  return /^src\/(?:core\/[^/]+|[^/]+(?=\/))/.exec(path)?.[0] ?? 'src'
}

function linesOf(paths: Iterable<string>): number {
  return [...paths].reduce((sum, path) => sum + (sources.get(path)?.lines ?? 0), 0)
}

function measureSource(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const types = program.body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? node.declaration : node))
    .flatMap((node) => (node?.type === 'TSTypeAliasDeclaration' ? [node] : []))
  const unknowns = types
    .filter(({ start, end }) =>
      /(?<![\w.])(?:unknown\??: string|'unknown'|'unasked')/.test(text.slice(start, end)),
    )
    .map(({ id }) => id.name)
  return { text, lines: text.split('\n').length - 1, unknowns }
}

/** Size of the file that `npm publish` would send, in MB. */
async function packedSize(): Promise<string> {
  const npm = promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  const [{ size }] = JSON.parse((await npm).stdout) as [{ size: number }]
  return `${(size / 1e6).toFixed(2)} MB`
}
