import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

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

/** Without `fetch` in its sight, yoga's loader decodes its bytes itself instead of loading the HTTP client for a data: URL. */
export const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  setup(build) {
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => ({
      contents: `var fetch = undefined;\n${await readFile(path, 'utf8')}`,
      loader: 'js',
    }))
  },
}

/** The devtools that React would connect to over a socket are not part of the program. */
export const noDevtools: Plugin = {
  name: 'no-devtools',
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'absent' }))
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
