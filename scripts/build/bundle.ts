import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { LANGUAGES } from '../../src/compose/choose-language.ts'
import { curveConstants } from './curve-constants.ts'
import { buildFacts } from './facts.ts'
import { lacksOf, partialWords } from './lacks.ts'
import { library } from './library.ts'
import { licencesOf } from './licences.ts'
import {
  builtinsAsTheyAre,
  exitHookWithoutSignals,
  lazyChance,
  lazyHasher,
  lazySegmenter,
  leftOut,
  ownSources,
  type Parts,
  yogaWithoutFetch,
} from './plugins.ts'
import { type LookUps, lookUpsOf, readBy, sourceReader } from './translate.ts'

const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/** Parts with native code stay in node_modules. */
const NATIVE = ['@chainsafe/blst', '@chainsafe/hashtree']

const KEPT_MS = 24 * 60 * 60 * 1000
const PROGRAM = 'cli.js'
const LICENCES = 'THIRD-PARTY-LICENCES.txt'

/**
 * Bundles the program: `dist/cli.js` with chunks beside it for what is loaded later, `dist/signer.js` and
 * `dist/edr-child.js` in one piece each, the texts of each other language (`dist/zh-HASH.json`), and the licences of what is
 * in them; and `dist/chain.js` with its declarations, the library that other programs import. Parts with native code stay in node_modules. What an earlier build left stays for a day: a
 * wizard or a rehearsal network that still runs may ask for its chunks. It is kept out of the package. Each file appears whole or not at all, so builds and programs may run beside each other.
 * Answers the names of the files in `dist`, the sources that are in them, and a sentence for each language that is partial.
 */
export async function bundle(
  root: string,
): Promise<{ files: string[]; inputs: string[]; partial: string[] }> {
  const outdir = join(root, 'dist')
  const lookUps = lookUpsOf(root)
  const languages = languageFiles(lookUps)
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    external: NATIVE,
    // The bytes do not depend on where the packages really lie.
    preserveSymlinks: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
      BUILD: JSON.stringify(buildFacts(root)),
      LANGUAGE_FILES: JSON.stringify(
        Object.fromEntries(languages.map(({ language, name, sha256 }) => [language, { name, sha256 }])),
      ),
    },
    banner: { js: BANNER },
    legalComments: 'external',
    plugins: [
      yogaWithoutFetch,
      lazySegmenter,
      leftOut,
      exitHookWithoutSignals,
      lazyHasher,
      lazyChance,
      curveConstants,
    ],
    logLevel: 'warning',
    metafile: true,
    write: false,
  } satisfies BuildOptions
  const program = { ...shared, splitting: true, chunkNames: '[name]-[hash]' }
  const { metafile } = await build({ ...program, entryPoints: { cli: LAUNCH } })
  const parts = partsOf(metafile, root)
  const read = sourceReader(root, lookUps)
  refuseEarlyTexts(metafile, (path) => read(path) !== readFileSync(path, 'utf8'))
  const forOthers = library(root)
  const results = await Promise.all([
    build({
      ...program,
      entryPoints: { cli: LAUNCH },
      plugins: [...shared.plugins, builtinsAsTheyAre, ownSources(parts, read)],
    }),
    build({
      ...shared,
      entryPoints: { signer: 'src/signer/main.ts' },
      plugins: [...shared.plugins, readBy(read)],
    }),
    build({ ...shared, entryPoints: { 'edr-child': 'src/devnet/execution/edr-child.ts' } }),
  ])
  const files = new Map<string, string | Uint8Array>(languages.map(({ name, json }) => [name, json]))
  for (const { path, text } of results.flatMap(({ outputFiles }) => outputFiles))
    files.set(relative(outdir, path), withoutIdleBanner(text))
  const { files: libraryFiles, metafile: ofLibrary } = await forOthers
  for (const [name, text] of libraryFiles) files.set(name, text)
  const inputs = [...results.map(({ metafile: made }) => made), ofLibrary].flatMap(bundled)
  files.set(LICENCES, licencesOf(root, inputs))
  files.set('.npmignore', packOnly([...files.keys()].sort()))
  await mkdir(outdir, { recursive: true })
  const chunksFirst = [...files].sort(([a], [b]) => Number(a === PROGRAM) - Number(b === PROGRAM))
  for (const [name, contents] of chunksFirst) await put(join(outdir, name), contents)
  await clean(outdir, new Set(files.keys()))
  const partial = LANGUAGES.flatMap((language) =>
    language === 'en' ? [] : (partialWords(language, lacksOf(root, language)) ?? []),
  )
  return { files: [...files.keys()].sort(), inputs, partial }
}

/** The file of each language: builds beside one another differ in its name, so no program reads that of another one. */
function languageFiles({ texts }: LookUps) {
  return [...texts].map(([language, all]) => {
    const json = JSON.stringify(all)
    const sha256 = createHash('sha256').update(json).digest('hex')
    return { language, json, sha256, name: `${language}-${sha256.slice(0, 8).toUpperCase()}.json` }
  })
}

/** Throws where a file with texts is evaluated before the language is loaded: its constants would stay English. */
function refuseEarlyTexts({ inputs }: Metafile, hasTexts: (path: string) => boolean): void {
  const found = new Set([LAUNCH])
  for (const each of found)
    for (const { path, kind } of inputs[each]?.imports ?? [])
      if (kind !== 'dynamic-import' && isOwn(path)) found.add(path)
  for (const path of found)
    if (hasTexts(path)) throw new Error(`${path} has texts, and is evaluated before a language is loaded`)
}

/** The sources of which something is in a file that was made. */
function bundled({ outputs }: Metafile): string[] {
  const parts = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  return [...new Set(parts.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))]
}

const LAUNCH = 'src/launch.ts'
const START = 'src/cli.tsx'
/** What the program imports between its start and its first frame. */
const FIRST_FRAME = ['src/core/base/effects/node-claim.ts', 'src/compose/run-wizard.tsx']

/** Files that so many of the later parts need are loaded together, apart from those that the first frame needs, too. */
const OFTEN = 8

/**
 * Returns our own files in groups that are loaded together: what the start of the program imports at once, what the first
 * frame shares with others, and what many later parts need; and those parts, with the groups that they need.
 */
function partsOf({ inputs }: Metafile, root: string): Parts {
  const closure = (path: string): Set<string> => {
    const found = new Set([path])
    for (const each of found)
      for (const { path: next, kind, external } of inputs[each]?.imports ?? [])
        if (kind !== 'dynamic-import' && external !== true && !start.has(next)) found.add(next)
    return found
  }
  const start = new Set<string>()
  for (const path of closure(START)) if (isOwn(path)) start.add(path)
  const imports = Object.values(inputs).flatMap((input) => input.imports)
  const later = imports.filter(({ path, kind }) => kind === 'dynamic-import' && isOwn(path))
  const once = [...new Set(later.map(({ path }) => path))].filter((path) => !start.has(path))
  start.delete(START)
  const reached = once.map((path) => closure(path))
  const first = new Set(FIRST_FRAME.flatMap((path) => [...closure(path)]))
  // What is external is native code, or built in, or the few lines that esbuild adds itself.
  const isOurs = (path: string): boolean =>
    isOwn(path) && (inputs[path]?.imports ?? []).every(({ path: next }) => !NATIVE.includes(next))
  const atLeast = (parts: number) => (path: string) =>
    reached.filter((paths) => paths.has(path)).length >= parts && [...closure(path)].every(isOurs)
  const behind = [...new Set(reached.flatMap((paths) => [...paths]))].filter((path) => !first.has(path))
  const groups = {
    start: [...start],
    first: [...first].filter(atLeast(2)),
    often: behind.filter(atLeast(OFTEN)),
  }
  const groupsOf = (paths: ReadonlySet<string>): string[] => [
    'start',
    ...(['first', 'often'] as const).filter((name) => groups[name].some((path) => paths.has(path))),
  ]
  const absolute = (path: string) => join(root, path)
  const builtins = imports.filter(({ external }) => external).map(({ path }) => path)
  return {
    groups: new Map(Object.entries(groups).map(([name, paths]) => [name, paths.map((path) => `./${path}`)])),
    beginning: absolute(START),
    later: new Map(reached.map((paths, at) => [absolute(once[at] ?? START), groupsOf(paths)])),
    builtins: [...new Set(builtins.filter((path) => isBuiltin(path)))].sort(),
  }
}

const isOwn = (path: string): boolean => path.startsWith('src/')

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
