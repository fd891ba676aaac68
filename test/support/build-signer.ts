import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Metafile } from 'esbuild'

export type BuiltSigner = { signerPath: string; metafile: Metafile }

/** Bundles the signer child as the real build does, into a fresh directory. */
export async function buildSigner(): Promise<BuiltSigner> {
  const signerPath = join(mkdtempSync(join(tmpdir(), 'signer-')), 'signer.js')
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../src/signer/main.ts')],
    outfile: signerPath,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    metafile: true,
    logLevel: 'silent',
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  })
  return { signerPath, metafile }
}
