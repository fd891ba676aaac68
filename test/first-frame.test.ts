import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { buildCli, CLI } from './support/run-cli.ts'
import { depositOptions } from './support/signed-deposit.ts'

const ROOT = join(import.meta.dirname, '..')
const START = 'src/cli.tsx'
/** What the way to the first screen never loads: the screens alone come before the first key. */
const LATER = ['viem', 'ox', 'abitype', '@noble', '@chainsafe', 'smol-toml']
const MOST_SOURCE_FILES = 97
const MOST_FILES = 20

test('the first frame waits for the screens alone', async () => {
  const { inputs } = await graph()
  const loaded = closure(inputs, [START, ...onTheWay()])
  const packages = new Set(loaded.map((path) => /node_modules\/([^/]+)/.exec(path)?.[1]))
  expect([...LATER, 'conf', 'ajv'].filter((name) => packages.has(name))).toEqual([])
  expect([...packages]).toEqual(expect.arrayContaining(['ink', 'react']))
  const ours = loaded.filter((path) => path.startsWith('src/'))
  expect(ours.length).toBeLessThanOrEqual(MOST_SOURCE_FILES)
})

test('what is asked of a chain is loaded later, and would be found', async () => {
  const { inputs } = await graph()
  const later = closure(inputs, ['src/core/wizard/session.ts', 'src/compose/attach-rehearsal.ts']).join('\n')
  expect(LATER.filter((name) => !later.includes(`node_modules/${name}/`))).toEqual([])
})

test('few files are looked for before the first frame', async () => {
  await buildCli()
  const cli = dirname(CLI)
  const found = new Set(['cli.js'])
  for (const name of found) {
    const text = readFileSync(join(cli, name), 'utf8')
    for (const [, next = ''] of text.matchAll(/(?:from|import) ?"\.\/([^"]+)"/g)) found.add(next)
    const later = name.startsWith('cli')
      ? /import\("\.\/((?:cli|run-wizard|node-claim)-[^"]+)"\)/g
      : undefined
    if (later !== undefined) for (const [, next = ''] of text.matchAll(later)) found.add(next)
  }
  expect([...found]).toContainEqual(expect.stringMatching(/^run-wizard-/))
  expect(found.size).toBeLessThanOrEqual(MOST_FILES)
})

test('what asks nobody loads no part of Node that asks somebody', async () => {
  await buildCli()
  const list = "process.on('exit',()=>console.error(process.moduleLoadList.join()))"
  const args = ['--import', `data:text/javascript,${encodeURIComponent(list)}`, CLI, 'verify']
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...args, ...depositOptions()])
  expect(stdout).toContain('accepts')
  const loaded = stderr.split(',').map((name) => name.replace('NativeModule ', ''))
  expect(loaded).toContain('fs/promises')
  expect(['crypto', 'http', 'https', 'tls'].filter((name) => loaded.includes(name))).toEqual([])
})

/** What the program imports when it is called, between its start and the first screen. */
function onTheWay(): string[] {
  const text = readFileSync(join(ROOT, START), 'utf8')
  const wizard = text.slice(text.indexOf('async function wizard('), text.indexOf('/** The wizard by lines'))
  return [...wizard.matchAll(/import\('\.\/(.*?)'\)/g)].map(([, path]) => `src/${path}`)
}

let graphed: Promise<{ inputs: Inputs }> | undefined
type Inputs = Readonly<Record<string, { imports: readonly { path: string; kind: string }[] }>>

function graph(): Promise<{ inputs: Inputs }> {
  graphed ??= build({
    absWorkingDir: ROOT,
    entryPoints: [START],
    outdir: 'dist',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
    loader: { '.node': 'empty' },
    external: ['react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    logLevel: 'silent',
  }).then(({ metafile }) => metafile)
  return graphed
}

/** The files that these import at once, and what those import. */
function closure(inputs: Inputs, entries: readonly string[]): string[] {
  const found = new Set(entries)
  for (const path of found)
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && next in inputs) found.add(next)
  return [...found]
}
