import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { lazySegmenter, noDevtools, yogaWithoutFetch } from './plugins.ts'

const BANNER =
  "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);"

/**
 * Bundles the program: `dist/cli.js` with chunks beside it for what is loaded later, `dist/signer.js` in one
 * piece. Parts with native code stay in node_modules. What an earlier build left is removed afterwards.
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
    if (!made.has(name)) await rm(join(outdir, name), { recursive: true, force: true })
  }
}
