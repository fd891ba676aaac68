import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { leftOut } from '../../scripts/build/plugins.ts'

export type BuiltSigner = { signerPath: string; metafile: Metafile }

const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  logLevel: 'silent',
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
} satisfies BuildOptions

let built: Promise<BuiltSigner> | undefined

/** The signer child, bundled as the real build does into a directory of its own; once in a process. */
export function buildSigner(): Promise<BuiltSigner> {
  built ??= bundleSigner()
  return built
}

async function bundleSigner(): Promise<BuiltSigner> {
  const signerPath = join(mkdtempSync(join(tmpdir(), 'signer-')), 'signer.js')
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: [join(import.meta.dirname, '../../src/signer/main.ts')],
    outfile: signerPath,
    metafile: true,
  })
  return { signerPath, metafile }
}

/** Bundles the program that asks the signer from its screens, beside a signer; answers its path. */
export async function buildAsking(): Promise<string> {
  const { signerPath } = await buildSigner()
  const outfile = join(signerPath, '../asking.js')
  const entryPoints = [join(import.meta.dirname, 'asking-program.ts')]
  await build({ ...OPTIONS, entryPoints, outfile, plugins: [leftOut] })
  return outfile
}
