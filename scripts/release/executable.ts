import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { CLIENT_PACKAGES } from '../../src/devnet/execution/client.ts'

/** The platform of the executable, and the packages that its parts come from. */
export const PLATFORM = 'linux-x64'
export const NODE_PACKAGE = `node-${PLATFORM}`
export const NATIVE_PACKAGES = ['@chainsafe/blst', '@chainsafe/hashtree'] as const
const LIBC = 'gnu'
const CLIENT = CLIENT_PACKAGES.get('linux x64') ?? ''

/** Node's own mark, which says where a program is put in (`node --experimental-sea-config`). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'
const RESOURCE = 'NODE_SEA_BLOB'

/**
 * Makes the single executable: the Node of the lockfile with the files of `dist`, and the native libraries with the
 * hashes that they must have; of the execution client the hash alone. Runs on Linux x64 alone, where that Node is.
 */
export async function makeExecutable(root: string, files: readonly string[], path: string): Promise<void> {
  const node = join(root, 'node_modules', NODE_PACKAGE, 'bin/node')
  const work = mkdtempSync(join(tmpdir(), 'bearings-executable-'))
  try {
    const native = NATIVE_PACKAGES.map((name) => nativeOf(root, name, `${name}-${PLATFORM}-${LIBC}`))
    const told = [...native, { ...nativeOf(root, CLIENT, CLIENT), beside: true }]
    const { outputFiles } = await build({
      absWorkingDir: root,
      entryPoints: ['src/executable.ts'],
      ...({ bundle: true, minify: true, write: false, platform: 'node', format: 'cjs' } as const),
      target: 'node24',
      define: { NATIVE: JSON.stringify(Object.fromEntries(told.map(toldOf))) },
      logLevel: 'warning',
    })
    writeFileSync(join(work, 'main.cjs'), outputFiles[0]?.contents ?? '')
    const programs = files.filter((name) => /\.js(?:on)?$/.test(name))
    const assets = [
      ...programs.map((name) => [name, join(root, 'dist', name)] as const),
      ...native.map(({ asset, path: library }) => [asset, library] as const),
    ]
    // The paths are relative, because the first one stays in the executable.
    const config = {
      main: 'main.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      useCodeCache: false,
      execArgvExtension: 'env',
      assets: Object.fromEntries(assets.map(([name, from]) => [name, relative(work, from)])),
    }
    writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
    execFileSync(node, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'pipe' })
    copyFileSync(node, path)
    chmodSync(path, 0o755)
    const require = createRequire(import.meta.url)
    const postject = join(dirname(require.resolve('postject')), 'cli.js')
    const args = [postject, path, RESOURCE, join(work, 'blob'), '--sentinel-fuse', FUSE]
    execFileSync(node, args, { stdio: 'pipe' })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

type Native = { name: string; asset: string; path: string; sha256: string; names: string[]; beside: boolean }

/** Where the library of a package with native code lies, and what it exports; `holder` is the package that holds it. */
function nativeOf(root: string, name: string, holder: string): Native {
  const require = createRequire(join(root, 'package.json'))
  const path = require.resolve(holder)
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
  return {
    name,
    asset: basename(path),
    path,
    sha256,
    names: Object.keys(require(name)).sort(),
    beside: false,
  }
}

/** What the executable knows of a library: not where it was taken from. */
function toldOf({ name, asset, sha256, names, beside }: Native): [string, Omit<Native, 'path' | 'name'>] {
  return [name, { asset, sha256, names, beside }]
}
