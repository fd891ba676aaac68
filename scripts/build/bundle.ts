import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { lazySegmenter, noDevtools, yogaWithoutFetch } from './plugins.ts'

const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * Bundles the program: `dist/cli.js` with chunks beside it for what is loaded later, `dist/signer.js` in one
 * piece. Parts with native code stay in node_modules. What an
 * earlier build left stays for a day: a wizard or a rehearsal network that still runs may ask for its chunks.
 */
export async function bundle(root: string): Promise<void> {
  const outdir = join(root, 'dist')
  const shared = {
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    external: ['@chainsafe/blst', '@chainsafe/hashtree'],
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    banner: { js: BANNER },
    legalComments: 'external',
    plugins: [yogaWithoutFetch, lazySegmenter, noDevtools],
    logLevel: 'warning',
    metafile: true,
  } satisfies BuildOptions
  const results = await Promise.all([
    build({ ...shared, entryPoints: { cli: 'src/launch.ts' }, splitting: true, chunkNames: '[name]-[hash]' }),
    build({ ...shared, entryPoints: { signer: 'src/signer/main.ts' } }),
  ])
  const made = new Set(
    results.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((path) => basename(path))),
  )
  for (const name of await readdir(outdir)) {
    const path = join(outdir, name)
    const { mtimeMs } = await stat(path)
    if (!made.has(name) && Date.now() - mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true })
  }
}
