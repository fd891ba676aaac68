import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { curveConstants } from './curve-constants.ts'
import { buildFacts } from './facts.ts'
import { licencesOf } from './licences.ts'
import {
  builtinsAsTheyAre,
  exitHookWithoutSignals,
  lazyChance,
  lazyHasher,
  lazySegmenter,
  noDevtools,
  ownSources,
  type Parts,
  yogaWithoutFetch,
} from './plugins.ts'

const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

const KEPT_MS = 24 * 60 * 60 * 1000
const PROGRAM = 'cli.js'
const LICENCES = 'THIRD-PARTY-LICENCES.txt'

/**
 * Bundles the program: `dist/cli.js` with chunks beside it for what is loaded later, `dist/signer.js` and
 * `dist/edr-child.js` in one piece each, and the licences of what is in them. Parts with native code stay in node_modules. What an
 * earlier build left stays for a day: a wizard or a rehearsal network that still runs may ask for its chunks. It is
 * kept out of the package. Each file appears whole or not at all, so builds and programs may run beside each other.
 * Answers the names of the files in `dist`, and the sources that are in them.
 */
export async function bundle(root: string): Promise<{ files: string[]; inputs: string[] }> {
  const outdir = join(root, 'dist')
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    external: ['@chainsafe/blst', '@chainsafe/hashtree'],
    // The bytes do not depend on where the packages really lie.
    preserveSymlinks: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
      BUILD: JSON.stringify(buildFacts(root)),
    },
    banner: { js: BANNER },
    legalComments: 'external',
    plugins: [
      yogaWithoutFetch,
      lazySegmenter,
      noDevtools,
      exitHookWithoutSignals,
      lazyHasher,
      lazyChance,
      curveConstants,
    ],
    logLevel: 'warning',
    metafile: true,
    write: false,
  } satisfies BuildOptions
  const program = {
    ...shared,
    entryPoints: { cli: 'src/launch.ts' },
    splitting: true,
    chunkNames: '[name]-[hash]',
  }
  const { metafile } = await build(program)
  const quick = [...shared.plugins, builtinsAsTheyAre, ownSources(partsOf(metafile, root))]
  const results = await Promise.all([
    build({ ...program, plugins: quick }),
    build({ ...shared, entryPoints: { signer: 'src/signer/main.ts' } }),
    build({ ...shared, entryPoints: { 'edr-child': 'src/devnet/execution/edr-child.ts' } }),
  ])
  const files = new Map<string, string | Uint8Array>()
  for (const { path, text } of results.flatMap(({ outputFiles }) => outputFiles))
    files.set(relative(outdir, path), withoutIdleBanner(text))
  const inputs = results.flatMap(({ metafile: made }) => bundled(made))
  files.set(LICENCES, licencesOf(root, inputs))
  files.set('.npmignore', packOnly([...files.keys()].sort()))
  await mkdir(outdir, { recursive: true })
  const chunksFirst = [...files].sort(([a], [b]) => Number(a === PROGRAM) - Number(b === PROGRAM))
  for (const [name, contents] of chunksFirst) await put(join(outdir, name), contents)
  await clean(outdir, new Set(files.keys()))
  return { files: [...files.keys()].sort(), inputs }
}

/** The sources of which something is in a file that was made. */
function bundled({ outputs }: Metafile): string[] {
  const parts = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  return [...new Set(parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))]
}

const START = 'src/cli.tsx'

/** Our own files that the start of the program imports at once, and those that anything imports later. */
function partsOf({ inputs }: Metafile, root: string): Parts {
  const start = new Set([START])
  for (const path of start)
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (kind !== 'dynamic-import' && next.startsWith('src/')) start.add(next)
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  const later = imports.filter(({ path, kind }) => kind === 'dynamic-import' && path.startsWith('src/'))
  start.delete(START)
  const absolute = (path: string) => join(root, path)
  const once = later.map(({ path }) => path).filter((path) => path !== START && !start.has(path))
  const builtins = imports.filter(({ external }) => external).map(({ path }) => path)
  return {
    start: [...start].map((path) => `./${path}`),
    later: new Set(once.map(absolute)),
    builtins: [...new Set(builtins.filter((path) => isBuiltin(path)))].sort(),
  }
}

/** A chunk that asks for nothing by `require` needs no way to do so. */
function withoutIdleBanner(text: string): string {
  const rest = text.replace(BANNER, '')
  return /\brequire\b/.test(rest) ? text : rest.trimStart()
}

/** Keeps out of the package whatever else lies in `dist`. */
function packOnly(names: readonly string[]): string {
  return ['*', ...names.map((name) => `!/${name}`), ''].join('\n')
}

async function put(path: string, contents: string | Uint8Array): Promise<void> {
  const unfinished = `${path}.${process.pid}`
  await writeFile(unfinished, contents, { mode: path.endsWith(PROGRAM) ? 0o755 : 0o644 })
  await rename(unfinished, path)
}

async function clean(outdir: string, made: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(outdir)) {
    if (made.has(name)) continue
    const path = join(outdir, name)
    // Another build may have taken it away just now.
    const facts = await stat(path).catch(() => undefined)
    if (facts !== undefined && Date.now() - facts.mtimeMs > KEPT_MS)
      await rm(path, { recursive: true, force: true })
  }
}
