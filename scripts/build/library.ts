import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { lazyHasher } from './plugins.ts'

const CHAIN = 'src/core/chain'

/** What `bearings/chain` gives: functions and constants, by the file that they are in. */
export const LIBRARY: Readonly<Record<string, readonly string[]>> = {
  'deposit/verify.ts': ['verifyDeposit'],
  'deposit/explain-refusal.ts': ['explainRefusal'],
  'deposit/strict-points.ts': ['publicKeyProblem', 'signatureProblem'],
  'deposit/sign.ts': ['depositDomain', 'signingRoot'],
  'deposit/credentials.ts': ['addressOf', 'credentialsOf'],
  'deposit/calldata.ts': [
    'decodeDepositCalldata',
    'encodeFirstDeposit',
    'encodeRescueDeposit',
    'encodeTopUp',
  ],
  'deposit/event.ts': ['decodeDepositLog'],
  'deposit/abi.ts': ['decodeContractError'],
  'deposit/genesis-root.ts': ['genesisValidatorsRoot'],
  'proofs/merkle.ts': [
    'balanceLeafGindex',
    'credentialsGindex',
    'headerRoot',
    'pubkeyGindex',
    'rootFromProof',
  ],
  'proofs/verify.ts': [
    'verifyProposer',
    'verifyValidator',
    'verifyValidatorBalance',
    'verifyValidatorCredentials',
    'verifyValidatorFields',
    'verifyValidatorPubkey',
  ],
  'consensus/state.ts': [
    'epochOfSlot',
    'FAR_FUTURE_EPOCH',
    'floorEffectiveBalance',
    'isActive',
    'newValidator',
    'nextEffectiveBalance',
    'VALIDATOR_STATUSES',
    'validatorStatus',
  ],
  'consensus/process-epoch.ts': ['processEpoch', 'stakeToBe'],
  'consensus/process-slot.ts': ['processSlot'],
  'consensus/placing.ts': ['rankTable'],
  'consensus/forecast.ts': ['forecast', 'outcomeOf'],
  'consensus/outlook.ts': ['outlook'],
  'consensus/propose-top-up.ts': ['proposeTopUp'],
  'network/presets.ts': ['BEPOLIA', 'MAINNET'],
}

/** Parts with native code, or of Node, and what says the same without. */
const INSTEAD: Readonly<Record<string, string>> = {
  'strict-points.ts':
    "export { purePublicKeyProblem as publicKeyProblem, pureSignatureProblem as signatureProblem } from './pure-points.ts'",
  'hash-pairs.ts': "export { pureHashPairs as hashPairs } from './pure-hash-pairs.ts'",
}

const withoutNative: Plugin = {
  name: 'without-native',
  setup(build) {
    build.onLoad({ filter: /[\\/]deposit[\\/](?:strict-points|hash-pairs)\.ts$/ }, ({ path }) => {
      const contents = INSTEAD[basename(path)]
      if (contents === undefined) throw new Error(`${path} has nothing in its place`)
      return { contents, loader: 'ts' }
    })
  },
}

const FILE = 'chain.js'

/** Returns the options that bundle the library in one file without Node and without native code. */
function libraryOptions(root: string): BuildOptions & { metafile: true; write: false } {
  const lines = Object.entries(LIBRARY).map(
    ([path, names]) => `export { ${names.join(', ')} } from './${CHAIN}/${path}'`,
  )
  return {
    absWorkingDir: root,
    stdin: { contents: lines.join('\n'), resolveDir: root, sourcefile: 'chain.ts', loader: 'ts' },
    outfile: join(root, 'dist', FILE),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    preserveSymlinks: true,
    inject: [join(root, 'scripts/build/library-bytes.ts')],
    legalComments: 'external',
    plugins: [withoutNative, lazyHasher],
    logLevel: 'warning',
    metafile: true,
    write: false,
  }
}

/** Makes the library: `chain.js`, and `chain.d.ts` with everything that it gives and the types that this speaks of. */
export async function library(root: string): Promise<{ files: Map<string, string>; metafile: Metafile }> {
  const [{ outputFiles, metafile }, types] = await Promise.all([
    build(libraryOptions(root)),
    declarations(root),
  ])
  const made = outputFiles.map(({ path, text }) => [basename(path), text] as const)
  return { files: new Map([...made, ['chain.d.ts', types]]), metafile }
}

/** Runs the type checker over the library's own files for their declarations, comments and all. */
async function declarations(root: string): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'declarations-'))
  try {
    const config = join(outDir, 'tsconfig.json')
    const files = Object.keys(LIBRARY).map((path) => join(root, CHAIN, path))
    const compilerOptions = {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: join(root, 'src'),
      outDir,
      typeRoots: [join(root, 'node_modules/@types')],
    }
    await writeFile(
      config,
      JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }),
    )
    await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config])
    const names = (await readdir(outDir, { recursive: true })).filter((name) => name.endsWith('.d.ts'))
    const texts = await Promise.all(names.sort().map((name) => readFile(join(outDir, name), 'utf8')))
    return rolledUp(texts, Object.values(LIBRARY).flat())
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

const HEAD = `// The rules of the chain: pure, without a connection. 0.x: a later version may change any of it.
// docs/library.md has examples.
`
const STATEMENT =
  /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export |declare |type )[\s\S]*?(?=^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?(?:export |declare |type |import )|(?![\s\S]))/gm
const NAME = /^(?:export )?(?:declare )?(?:function|const|type|class|interface) (\w+)/m

/** Returns one file of declarations with these names, and whatever they speak of. */
function rolledUp(texts: readonly string[], roots: readonly string[]): string {
  const statements = new Map<string, string>()
  for (const text of texts)
    for (const [statement] of text.matchAll(STATEMENT)) {
      const name = NAME.exec(statement)?.[1]
      if (name !== undefined) statements.set(name, statement.trim())
    }
  const wanted = new Set(roots)
  for (const name of wanted) {
    const code = statements.get(name)?.replace(/\/\*\*?[\s\S]*?\*\//g, '')
    if (code === undefined) throw new Error(`the library gives ${name}, which is declared nowhere`)
    for (const [word] of code.matchAll(/\b[A-Z]\w+\b/g)) if (statements.has(word)) wanted.add(word)
  }
  const own = (name: string) =>
    statements.get(name)?.replace(NAME, (head) => (head.startsWith('export ') ? head : `export ${head}`))
  return `${[HEAD, ...[...wanted].sort().map(own)].join('\n')}\nexport {};\n`
}
