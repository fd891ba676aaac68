import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bringTools, PAIRS, type Tools } from './installs/tools.ts'
import { type Tried, tryCheckout, WAYS, type Way } from './installs/try-checkout.ts'

/**
 * `npm run installs [-- --whole] [-- --only WORD]`: follows the first page in fresh copies of the committed files, with each
 * Node and the npm that it brings: installs, starts the program and the wizard, begins the tests (with `--whole`, all of
 * them). It asks the registry of npm. Prints a table; exit 1 when anything failed.
 */
const options = readOptions(process.argv.slice(2))
if (options === undefined) {
  process.stderr.write('usage: npm run installs [-- [--whole] [--only WORD]]\n')
  process.exit(2)
}
process.exit(await tryAll(options))

type Options = { isWhole: boolean; only: string }

function readOptions(args: readonly string[]): Options | undefined {
  const read: Options = { isWhole: false, only: '' }
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === '--whole') read.isWhole = true
    else if (args[at] === '--only' && args[at + 1] !== undefined) read.only = args[++at] as string
    else return undefined
  }
  return read
}

async function tryAll({ isWhole, only }: Options): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'bearings-installs-'))
  const rows: Tried[] = []
  try {
    for (const pair of PAIRS) {
      const ways = WAYS.filter((way) => nameOf(pair, way).includes(only))
      if (ways.length === 0) continue
      const tools = bringTools(directory, pair)
      for (const way of ways) rows.push(await shown(tools, way, { directory, isWhole }))
    }
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  const failed = rows.filter(({ failure }) => failure !== undefined)
  for (const { name, failure } of failed) process.stdout.write(`\n${name}\n${failure}\n`)
  process.stdout.write(`\n${rows.length} tried, ${failed.length} failed\n`)
  return rows.length > 0 && failed.length === 0 ? 0 : 1
}

async function shown(
  tools: Tools,
  way: Way,
  options: { directory: string; isWhole: boolean },
): Promise<Tried> {
  const name = nameOf(tools.pair, way)
  process.stdout.write(`${name.padEnd(62)} `)
  const tried = await tryCheckout({ ...options, tools, way, name })
  const parts = tried.passed.map((part) => `${part} ✔`).join('  ')
  const size = tried.mib === undefined ? '' : `  ${tried.mib} MiB`
  process.stdout.write(`${parts}${tried.failure === undefined ? '' : '  ✘'}${size}  ${tried.seconds} s\n`)
  return tried
}

function nameOf({ node, npm }: { node: string; npm: string }, { name }: Way): string {
  return `Node ${node} · npm ${npm} · ${name}`
}
