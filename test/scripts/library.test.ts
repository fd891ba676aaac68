import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIBRARY } from '../../scripts/build/library.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { SignedDeposit } from '../../src/core/chain/deposit/credentials.ts'
import type { genesisValidatorsRoot } from '../../src/core/chain/deposit/genesis-root.ts'
import * as pure from '../../src/core/chain/deposit/pure-points.ts'
import { REAL_DEPOSITS } from '../../src/core/chain/deposit/self-test.ts'
import * as strict from '../../src/core/chain/deposit/strict-points.ts'
import type { verifyDeposit } from '../../src/core/chain/deposit/verify.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { sampled } from '../support/hard.ts'
import { ROOT } from '../support/markdown.ts'
import { buildCli } from '../support/run-cli.ts'
import { vectorLines, vectorText } from '../support/vector-lines.ts'

const dist = (name: string) => readFileSync(join(ROOT, 'dist', name), 'utf8')
const directory = mkdtempSync(join(tmpdir(), 'library-'))

type Library = {
  verifyDeposit: typeof verifyDeposit
  publicKeyProblem: typeof strict.publicKeyProblem
  signatureProblem: typeof strict.signatureProblem
  genesisValidatorsRoot: typeof genesisValidatorsRoot
  MAINNET: typeof MAINNET
} & Record<string, unknown>

let chain: Library

beforeAll(async () => {
  await buildCli()
  const { code } = await transform(dist('chain.js'), { format: 'iife', globalName: 'chain' })
  // What a browser has beside the language itself, and nothing of Node.
  const context = createContext({ TextEncoder, TextDecoder })
  runInContext(code, context)
  chain = runInContext('chain', context) as Library
  mkdirSync(join(directory, 'node_modules'))
  symlinkSync(ROOT, join(directory, 'node_modules/bearings'))
})
afterAll(() => rmSync(directory, { recursive: true }))

const FUNCTIONS = Object.values(LIBRARY).flat()

describe('the library without Node', () => {
  test('gives what its list says, and at most 40 functions', () => {
    expect(Object.keys(chain).toSorted()).toEqual([...FUNCTIONS].toSorted())
    const functions = FUNCTIONS.filter((name) => typeof chain[name] === 'function')
    expect(functions.length).toBeLessThanOrEqual(40)
    expect(functions.length).toBeGreaterThan(30)
  })

  test('takes the three real deposits of mainnet, and none with one thing changed', () => {
    for (const deposit of REAL_DEPOSITS) {
      expect(chain.verifyDeposit(deposit)).toEqual({ verdict: 'accepted' })
      const changed: readonly [Partial<SignedDeposit>, string][] = [
        [{ amountGwei: deposit.amountGwei + 1n }, 'signature-does-not-verify'],
        [{ genesisForkVersion: '0x05000000' }, 'signature-does-not-verify'],
        [{ signature: `0x0${deposit.signature.slice(3)}` }, 'signature-encoding'],
        [{ pubkey: `0xc0${'00'.repeat(47)}` }, 'pubkey-infinity'],
      ]
      for (const [change, reason] of changed)
        expect(chain.verifyDeposit({ ...deposit, ...change })).toMatchObject({ verdict: 'refused', reason })
    }
  })

  test('computes the root of the genesis file of mainnet', () => {
    const file = JSON.parse(vectorText('networks/mainnet/genesis.json')) as {
      app_state: { beacon: { deposits: { pubkey: Hex; credentials: Hex; amount: string }[] } }
    }
    const deposits = file.app_state.beacon.deposits.map(({ pubkey, credentials, amount }) => ({
      pubkey,
      withdrawalCredentials: credentials,
      amountGwei: BigInt(amount),
    }))
    expect(chain.genesisValidatorsRoot(deposits, chain.MAINNET.spec)).toBe(MAINNET.genesisValidatorsRoot)
  })

  test('knows the same networks', () => {
    expect(JSON.stringify(chain.MAINNET, plainly)).toBe(JSON.stringify(MAINNET, plainly))
  })
})

const plainly = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

type Check = {
  accepted: boolean
  amountGwei: string
  credentials: Hex
  genesisForkVersion: Hex
  genesisValidatorsRoot: Hex
  pubkey: Hex
  signature: Hex
}

describe('the pure curve library beside the native one', () => {
  const rows = vectorLines('deposits/deposits.jsonl').map((line) => JSON.parse(line) as { checks: Check[] })
  const checks = rows.flatMap((row) => row.checks)

  test('reads points as strictly: the same problem of each', () => {
    const points = (field: 'pubkey' | 'signature') => [...new Set(checks.map((check) => check[field]))]
    const keys = sampled(points('pubkey'), 2)
    const signatures = sampled(points('signature'), 2)
    expect(signatures.map(pure.pureSignatureProblem)).toEqual(signatures.map(strict.signatureProblem))
    expect(keys.map(pure.purePublicKeyProblem)).toEqual(keys.map(strict.publicKeyProblem))
    const problems = new Set(signatures.map(pure.pureSignatureProblem))
    expect(problems.size).toBeGreaterThan(2)
  })

  test('says of each deposit what the node said', () => {
    const some = sampled(checks, 4)
    expect(some.length).toBeGreaterThan(50)
    const verdicts = some.map(({ credentials: withdrawalCredentials, amountGwei, ...check }) => {
      const { verdict } = chain.verifyDeposit({
        ...check,
        withdrawalCredentials,
        amountGwei: BigInt(amountGwei),
      })
      return verdict === 'accepted'
    })
    expect(verdicts).toEqual(some.map(({ accepted }) => accepted))
    expect(new Set(verdicts).size).toBe(2)
  })

  test('refuses every form that is not the canonical one', () => {
    const [{ pubkey, signature }] = REAL_DEPOSITS
    const infinity = (bytes: number) => `0xc0${'00'.repeat(bytes - 1)}`
    expect(pure.purePublicKeyProblem(infinity(48))).toBe('infinity')
    expect(pure.pureSignatureProblem(infinity(96))).toBe('infinity')
    for (const wrong of [
      '',
      '0x',
      `${pubkey}00`,
      pubkey.slice(0, -2),
      `0x${'00'.repeat(48)}`,
      infinity(48).replace(/0$/, '1'),
    ])
      expect([wrong, pure.purePublicKeyProblem(wrong)]).toEqual([wrong, strict.publicKeyProblem(wrong)])
    for (const wrong of ['0x', `${signature}00`, `0x${'ff'.repeat(96)}`])
      expect([wrong, pure.pureSignatureProblem(wrong)]).toEqual([wrong, strict.signatureProblem(wrong)])
  })
})

describe('the declarations of the library', () => {
  const signatures = () =>
    [...dist('chain.d.ts').matchAll(/^export declare (?:function|const) [^;]*(?:\{[^}]*\}[^;]*)*;/gm)].map(
      ([text]) => text.replace(/\s+/g, ' '),
    )

  test('are these: whoever changes one changes what others build on', () => {
    const names = new Set(FUNCTIONS)
    const own = signatures().filter((text) => names.has(/(?:function|const) (\w+)/.exec(text)?.[1] ?? ''))
    expect(own).toHaveLength(FUNCTIONS.length)
    expect(own.join('\n')).toMatchSnapshot()
  })

  test('say of each function what it does', () => {
    const text = dist('chain.d.ts')
    const bare = FUNCTIONS.filter(
      (name) => !new RegExp(`\\*/\\nexport declare (?:function|const) ${name}\\b`).test(text),
    )
    expect(bare.filter((name) => !/^[A-Z_]+$/.test(name))).toEqual([])
  })
})

const PAGE = readFileSync(join(ROOT, 'docs/library.md'), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/## (.*)\n```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)].map(
  ([, title = '', code = '', printed = '']) => [title, code, printed] as const,
)

describe('the page about the library', () => {
  test('has examples', () => {
    expect(EXAMPLES).toHaveLength(3)
    expect(PAGE.match(/```js/g)).toHaveLength(3)
  })

  test.each(EXAMPLES)(
    'runs as printed, as a program that installed the package: %s',
    (title, code, printed) => {
      const path = join(directory, `${title.replace(/\W+/g, '-')}.mjs`)
      writeFileSync(path, code)
      expect(execFileSync(process.execPath, [path], { encoding: 'utf8' })).toBe(printed)
    },
  )

  test('is true of the types: its examples compile against them alone', () => {
    for (const [at, [, code]] of EXAMPLES.entries()) writeFileSync(join(directory, `example-${at}.mjs`), code)
    const use = `import type { Forecast, SignedDeposit } from 'bearings/chain'
import { verifyDeposit } from 'bearings/chain'
export const judge = (deposit: SignedDeposit): string => verifyDeposit(deposit).verdict
export const rank = ({ rank }: Forecast): number | undefined => rank
`
    writeFileSync(join(directory, 'use.mts'), use)
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022'],
      strict: true,
      noEmit: true,
      types: [],
      skipLibCheck: false,
    }
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.mts'] }))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', directory], { encoding: 'utf8' })
  })
})

test('the library is small, and nothing of the shapes of documents is in the program', () => {
  expect(statSync(join(ROOT, 'dist/chain.js')).size).toBeLessThan(400_000)
  expect(dist('THIRD-PARTY-LICENCES.txt')).not.toMatch(/typebox/i)
})
