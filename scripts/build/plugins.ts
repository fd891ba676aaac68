import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { OWN_SOURCE } from './translate.ts'

/** Characters that take one cell each and are never part of a longer cluster: what our screens are made of. */
const SIMPLE =
  '\\u0020-\\u007e\\u00a1-\\u00ac\\u00ae-\\u024f\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u22ff\\u2500-\\u25fc\\u25ff\\u2713-\\u2718\\u2800-\\u28ff'

const SEGMENTER = `
function simpleSegmenter(...options) {
  let inner
  const simple = /^[\\u001b${SIMPLE}]*$/
  return {
    segment(text) {
      if (simple.test(text)) return Array.from(text, (segment, index) => ({ segment, index }))
      inner ??= new Intl.Segmenter(...options)
      return inner.segment(text)
    },
  }
}
`
const EMOJI = 'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;'
const LAZY_EMOJI = `const rgiEmojiRegex = {
  inner: undefined,
  test(text) {
    this.inner ??= new RegExp('^\\\\p{RGI_Emoji}$', 'v')
    return this.inner.test(text)
  },
};`
const ASCII_ONLY = '/^[\\u0020-\\u007E]*$/.test(string)'
const SEGMENTING = /[\\/](?:string-width|slice-ansi|cli-truncate|wrap-ansi|ansi-tokenize|ink)[\\/].*\.js$/

/**
 * Keeps `Intl.Segmenter` and the emoji tables from being built before the first frame: simple text is cut and
 * measured without them. Fails when the sources are no longer what this expects.
 */
export const lazySegmenter: Plugin = {
  name: 'lazy-segmenter',
  setup(build) {
    build.onLoad({ filter: SEGMENTING }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const widened = path.includes('string-width') ? widenFastPath(source, path) : source
      if (!widened.includes('new Intl.Segmenter(')) return { contents: widened, loader: 'js' }
      return {
        contents: SEGMENTER + widened.replaceAll('new Intl.Segmenter(', 'simpleSegmenter('),
        loader: 'js',
      }
    })
  },
}

function widenFastPath(source: string, path: string): string {
  for (const part of [ASCII_ONLY, EMOJI]) {
    if (!source.includes(part))
      throw new Error(`${path} is not the string-width that this build knows: ${part}`)
  }
  return source.replace(ASCII_ONLY, () => `/^[${SIMPLE}]*$/.test(string)`).replace(EMOJI, () => LAZY_EMOJI)
}

/** The library of hashes asks for its source of chance, which is that of WebCrypto, when it first needs some. */
export const lazyChance: Plugin = {
  name: 'lazy-chance',
  setup(build) {
    build.onLoad({ filter: /[\\/]@noble[\\/]hashes[\\/]esm[\\/]cryptoNode\.js$/ }, async ({ path }) => {
      if (!(await readFile(path, 'utf8')).includes('? nc.webcrypto'))
        throw new Error(`${path} is not the library of hashes that this build knows`)
      const contents =
        'export const crypto = { getRandomValues: (bytes) => globalThis.crypto.getRandomValues(bytes) }'
      return { contents, loader: 'js' }
    })
  },
}

const DECODING =
  'var b=xa(a.slice(37)),c=new Uint8Array(b.length);for(a=0;a<b.length;++a)c[a]=b.charCodeAt(a);var d=c'
const DECODED = 'var d=new Uint8Array(Buffer.from(a.slice(37),"base64"))'

/**
 * Without `fetch` in its sight, yoga's loader decodes its bytes itself instead of loading the HTTP client for a data: URL;
 * and not one by one. Fails when the source is no longer what this expects.
 */
export const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup(build) {
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes(DECODING)) throw new Error(`${path} is not the yoga that this build knows`)
      return {
        contents: `var fetch = undefined;\n${source.replace(DECODING, () => DECODED)}`,
        loader: 'js',
      }
    })
  },
}

/**
 * What others would load and the program never uses: the devtools that React would connect to over a socket, and the
 * paths of a platform, which ask for the home of the user as they are loaded: not every user has one.
 */
export const leftOut: Plugin = {
  name: 'left-out',
  setup(build) {
    build.onResolve({ filter: /^(?:react-devtools-core|env-paths)$/ }, ({ path }) => ({
      path,
      namespace: 'absent',
    }))
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'export default undefined',
      loader: 'js',
    }))
  },
}

const EXIT_HOOK = `
const callbacks = new Set()
process.once('exit', () => {
  for (const callback of callbacks) callback()
})
export default (callback) => {
  callbacks.add(callback)
  return () => void callbacks.delete(callback)
}
`

/**
 * What the store of settings does at the end, it does at the exit alone: its own hook takes each signal too, and sends it
 * to this process once more, where a second signal means not to wait for anything.
 */
export const exitHookWithoutSignals: Plugin = {
  name: 'exit-hook-without-signals',
  setup(build) {
    build.onLoad({ filter: /[\\/]when-exit[\\/]dist[\\/]node[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('Interceptor.register'))
        throw new Error(`${path} is not the when-exit that this build knows`)
      return { contents: EXIT_HOOK, loader: 'js' }
    })
  },
}

/** The hasher that SSZ code takes one function of is compiled when it first hashes: hardly anything here asks it to. */
export const lazyHasher: Plugin = {
  name: 'lazy-hasher',
  setup(build) {
    build.onLoad({ filter: /[\\/]as-sha256[\\/]lib[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const parts = source.split('\nreinitializeInstance();\n')
      if (parts.length !== 2) throw new Error(`${path} is not the hasher that this build knows`)
      const contents = parts
        .join('\n')
        .replace(
          /^export function (?!reinitializeInstance)\w+\([^)]*\) \{/gm,
          '$&\n    ctx ?? reinitializeInstance();',
        )
      return { contents, loader: 'js' }
    })
  },
}

/** Built-in modules that take long to load, and that much of the program names without asking anything of them. */
const COSTLY = [
  'assert',
  'child_process',
  'crypto',
  'http',
  'https',
  'net',
  'perf_hooks',
  'tls',
  'util',
  'v8',
  'zlib',
]

/**
 * Built-in modules are taken as CommonJS: as an ECMAScript module each of them is asked for all that it exports, and
 * `node:http` then loads a whole HTTP client, which takes longer than everything else before the first frame. The costly
 * ones are loaded when something is first asked of them.
 */
export const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  setup(build) {
    const namespace = 'builtin'
    build.onResolve({ filter: /^(?:node:)?[a-z_0-9]+(?:\/[a-z_]+)?$/ }, ({ path, kind, namespace: from }) => {
      if (!isBuiltin(path) || kind === 'dynamic-import') return undefined
      if (from === namespace) return { path, external: true }
      return { path: path.startsWith('node:') ? path : `node:${path}`, namespace }
    })
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: COSTLY.includes(path.replace('node:', ''))
        ? whenAsked(path)
        : `module.exports = ${loaded(path)}`,
      loader: 'js',
    }))
  },
}

/** A Node that is too old for the program, which `launch.ts` must still tell so, knows only the second way. */
const loaded = (path: string): string =>
  `process.getBuiltinModule ? process.getBuiltinModule('${path}') : require('${path}')`

function whenAsked(path: string): string {
  const itself = process.getBuiltinModule(path) ?? {}
  const names = Object.getOwnPropertyNames(itself).filter((name) => name !== 'prototype')
  return `
let inner
const all = () => (inner ??= ${loaded(path)})
${typeof itself === 'function' ? 'module.exports = (...given) => all()(...given)' : ''}
for (const name of ${JSON.stringify(names)})
  Object.defineProperty(module.exports, name, { enumerable: true, get: () => all()[name] })
`
}

/**
 * Our own files in groups that are loaded together, by name; where the program begins; those files that anything imports
 * when it needs them, with the groups that they need; and the built-in modules that any of it imports.
 */
export type Parts = {
  groups: ReadonlyMap<string, readonly string[]>
  beginning: string
  later: ReadonlyMap<string, readonly string[]>
  builtins: readonly string[]
}

/**
 * Our own sources, so that little is loaded for each command, and few files: each takes longer to find than to run. A
 * group of files is one chunk: each part that needs some of it names all of it, so that no part of it is shared by some
 * of them alone. And what is taken from viem is taken from the very files that hold it, for its index would bring all that
 * anybody takes from it. `read` answers a source in the language that is built.
 */
export function ownSources(
  { groups, beginning, later, builtins }: Parts,
  read: (path: string) => string,
): Plugin {
  return {
    name: 'own-sources',
    setup(build) {
      const namespace = 'together'
      const root = build.initialOptions.absWorkingDir ?? '.'
      const indexes = new Map<string, Promise<ReadonlyMap<string, string>>>()
      const together = new Map([
        // Named by all that is loaded, and loaded by none of it that does not need it.
        ['builtins', `[].forEach(() => [${builtins.map((name) => `require('${name}')`).join(', ')}])`],
        ...[...groups].map(
          ([name, paths]) =>
            [name, paths.map((path) => `import ${JSON.stringify(path)}`).join('\n')] as const,
        ),
      ])
      build.onResolve({ filter: /^[a-z]+-together$/ }, ({ path }) => ({ path, namespace }))
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: together.get(path.replace('-together', '')) ?? '',
        resolveDir: root,
        loader: 'js',
      }))
      build.onLoad({ filter: OWN_SOURCE }, async ({ path }) => {
        if (path.includes('node_modules')) return undefined
        const source = read(path)
        const names = [
          ...(path === beginning || later.has(path) ? ['builtins'] : []),
          ...(later.get(path) ?? []),
        ]
        const shared = names.map((name) => `import '${name}-together'\n`).join('')
        const contents = await fromVeryFiles(source, (name) => {
          const known = indexes.get(name) ?? readIndex(join(root, VIEM[name] ?? ''))
          indexes.set(name, known)
          return known
        })
        return { contents: shared + contents, loader: path.endsWith('x') ? 'tsx' : 'ts' }
      })
    },
  }
}

type Index = (name: string) => Promise<ReadonlyMap<string, string>>

const FROM_VIEM = /^import \{([^}]*)\} from '(viem(?:\/utils)?)'$/gm

async function fromVeryFiles(source: string, index: Index): Promise<string> {
  let text = source
  for (const [whole, names = '', from = ''] of source.matchAll(FROM_VIEM)) {
    const files = await index(from)
    const imports = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => {
        const file = files.get(name.split(' as ')[0] ?? name)
        return `import { ${name} } from ${JSON.stringify(file ?? from)}`
      })
    text = text.replace(whole, () => imports.join('\n'))
  }
  return text
}

/** Where the indexes of viem lie. */
const VIEM: Readonly<Record<string, string>> = {
  viem: 'node_modules/viem/_esm/index.js',
  'viem/utils': 'node_modules/viem/_esm/utils/index.js',
}

/** In which file is what an index of viem exports. */
async function readIndex(path: string): Promise<ReadonlyMap<string, string>> {
  const source = await readFile(path, 'utf8')
  const entries = [...source.matchAll(/^export \{([^}]*)\} from '(\.[^']*)';$/gm)]
  if (entries.length === 0) throw new Error(`${path} is not the index of viem that this build knows`)
  return new Map(
    entries.flatMap(([, names = '', file = '']) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => /^\w+$/.test(name))
        .map((name) => [name, join(dirname(path), file)] as const),
    ),
  )
}
