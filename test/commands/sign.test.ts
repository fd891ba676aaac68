import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sign } from '../../src/commands/sign.ts'
import { verify } from '../../src/commands/verify.ts'
import type { Effects, Signer } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { bytesToHex, groupHex } from '../../src/core/base/format/hex.ts'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { signatureOfFile } from '../../src/core/chain/deposit/explain-refusal.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { BEPOLIA, MAINNET } from '../../src/core/chain/network/presets.ts'
import { buildSigner } from '../support/build-signer.ts'
import { playTool } from '../support/replay-tool.ts'
import { runCommandWith } from '../support/run-command.ts'

const WITHDRAWAL = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const OPERATOR = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

let signer: Signer
let directory = ''
let home = ''
let secret: Uint8Array
let pubkey: `0x${string}`

/** This computer's files and the signer child; no network, and no node tool. */
function effects(over: Partial<Signer> = {}): Effects {
  const real = createNodeEffects({ signer: { ...signer, ...over } })
  const http = { request: () => Promise.reject(new Error('no network here')) }
  return { ...real, http, files: { ...real.files, findProgram: async () => undefined } }
}

beforeAll(async () => {
  signer = createNodeSigner(await buildSigner())
})

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-sign-'))
  home = join(directory, 'home')
  mkdirSync(join(home, 'config'), { recursive: true })
  const keys = bls12_381.longSignatures.keygen()
  secret = keys.secretKey
  pubkey = bytesToHex(keys.publicKey.toBytes(true))
  const point = keys.publicKey.toBytes(false)
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const digest = createHash('sha256').update(point).digest('hex')
  const keyFile = {
    address: digest.slice(0, 40).toUpperCase(),
    pub_key: { type: 'cometbft/PubKeyBls12_381', value: base64(point) },
    priv_key: { type: 'cometbft/PrivKeyBls12_381', value: base64(secret) },
  }
  const keyPath = join(home, 'config', 'key.json')
  writeFileSync(keyPath, JSON.stringify(keyFile), { mode: 0o600 })
  chmodSync(keyPath, 0o600)
  writeConfig('')
  mkdirSync(join(home, 'data'))
  for (const name of ['config/app.toml', 'config/client.toml', 'data/state.json'])
    writeFileSync(join(home, name), '')
})
afterEach(() => rmSync(directory, { recursive: true }))

function writeConfig(remoteSigner: string): void {
  const lines = [
    'priv_validator_key_file = "config/key.json"',
    'priv_validator_state_file = "data/state.json"',
    `priv_validator_laddr = "${remoteSigner}"`,
    '[rpc]',
    'laddr = "tcp://127.0.0.1:26657"',
  ]
  writeFileSync(join(home, 'config', 'config.toml'), lines.join('\n'))
}

const ORDER = { network: 'bepolia', withdrawal: WITHDRAWAL, operator: OPERATOR, amount: '10000' }

function argumentsOf(over: Partial<Record<string, string>> = {}): string[] {
  const options = { home, out: join(directory, 'deposit.json'), ...ORDER, ...over }
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]))
}

const run = (over: Partial<Record<string, string>> = {}, world = effects()) =>
  runCommandWith(sign, [...argumentsOf(over), '--json'], world)

const message = () => ({
  pubkey,
  withdrawalCredentials: credentialsOf(WITHDRAWAL),
  amountGwei: 10_000_000_000_000n,
})

describe('sign', () => {
  test('writes the deposit file that the wizard takes, without an endpoint', async () => {
    const { code, json } = await run()
    expect(code).toBe(0)
    const path = join(directory, 'deposit.json')
    const signature = signDepositMessage(secret, message(), BEPOLIA)
    expect(json()).toMatchObject({
      verdict: 'yes',
      network: 'bepolia',
      path,
      deposit: { pubkey, signature, operator: OPERATOR, amountGwei: '10000000000000' },
    })
    const { genesisValidatorsRoot, genesisForkVersion, executionChainId } = BEPOLIA
    const chain = { genesisValidatorsRoot, genesisForkVersion, executionChainId, operator: OPERATOR } as const
    expect(signatureOfFile(readFileSync(path, 'utf8'), { ...message(), ...chain })).toBe(signature)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const judged = await runCommandWith(verify, [path, '--network', 'bepolia'], effects())
    expect(judged.code).toBe(0)
  })

  test('shows in words what was signed, in a line each', async () => {
    const { code, words } = await runCommandWith(sign, argumentsOf(), effects())
    expect(code).toBe(0)
    expect(words).toMatch(/ok validator [^(]* \(/)
    expect(words).toContain(groupHex(pubkey))
    expect(words).toContain('* withdrawal 0x71C7 656E C7ab 88b0 98de fB75 1B74 01B5 f6d8 976F (you)')
    expect(words).toContain('* amount 10,000 BERA (you)')
    expect(words).toContain(`* network Bepolia (root) ${BEPOLIA.genesisValidatorsRoot}`)
    expect(words).toContain('ok signature library accepts (this computer)')
  })

  test('takes a key file without a home', async () => {
    const keyFile = join(home, 'config', 'key.json')
    const { code } = await run({ home: join(directory, 'none'), 'key-file': keyFile })
    expect(code).toBe(0)
  })

  test('never overwrites a file', async () => {
    writeFileSync(join(directory, 'deposit.json'), 'mine')
    const { code, json } = await run()
    expect(code).toBe(2)
    expect(json()).toMatchObject({ error: { code: 'file.exists' } })
    expect(readFileSync(join(directory, 'deposit.json'), 'utf8')).toBe('mine')
  })
})

describe('sign refuses, and leaves no file', () => {
  test.each<[string, Partial<Record<string, string | undefined>>, string]>([
    ['no network', { network: undefined }, 'Nothing says for which network'],
    [
      'an unknown network',
      { network: '/nowhere.json' },
      'There is no network of this name, and no such file.',
    ],
    ['half a network', { network: undefined, spec: '/spec.toml' }, '--spec and --genesis go together.'],
    ['no withdrawal address', { withdrawal: undefined }, '--withdrawal is missing.'],
    ['no operator', { operator: undefined }, '--operator is missing.'],
    ['no amount', { amount: undefined }, '--amount is missing.'],
    [
      'an address without its checksum',
      { withdrawal: WITHDRAWAL.toLowerCase() },
      'Capitals are its checksum.',
    ],
    ['a mistyped address', { operator: OPERATOR.replace('fB6', 'fB7') }, 'The checksum does not fit'],
    [
      'the deposit contract',
      { withdrawal: '0x4242424242424242424242424242424242424242' },
      'This is the deposit contract of the network',
    ],
    ['a dead end', { withdrawal: '0x000000000000000000000000000000000000dEaD' }, 'Nobody holds the key'],
    ['the zero operator', { operator: `0x${'0'.repeat(40)}` }, 'Nobody holds the key'],
    ['a name', { withdrawal: 'ann.bera' }, 'Names are not accepted.'],
    ['gwei for tokens', { amount: '10000000000000' }, 'at most 8 digits'],
    ['a point between the thousands', { amount: '10.000' }, 'Unclear: 10.000'],
    ['too little', { amount: '9999.999999999' }, 'The least is 10,000 BERA'],
    ['too much', { amount: '10000000.000000001' }, 'The most is 10,000,000 BERA'],
    ['a comma that may be meant as a point', { amount: '10000,5' }, 'Type digits, with a point for decimals'],
  ])('%s', async (_what, over, words) => {
    const { code, err } = await run(over)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
    expect(readdirSync(directory)).toEqual(['home'])
  })

  test('a home whose key a remote signer holds', async () => {
    writeConfig('tcp://127.0.0.1:26659')
    const { code, err } = await run()
    expect([code, err]).toEqual([2, expect.stringContaining('remote signer')])
  })

  test('a place in the home itself', async () => {
    const { code, err } = await run({ out: join(home, 'deposit.json') })
    expect(code).toBe(2)
    expect(err).not.toBe('')
    expect(readdirSync(home)).toEqual(['config', 'data'])
  })

  test('a file that holds another key than it names, before anything is signed', async () => {
    const other = bls12_381.longSignatures.keygen().publicKey.toBytes(false)
    const path = join(home, 'config', 'key.json')
    const file = JSON.parse(readFileSync(path, 'utf8')) as { pub_key: { value: string } }
    file.pub_key.value = Buffer.from(other).toString('base64')
    writeFileSync(path, JSON.stringify(file))
    const signDeposit = () => Promise.reject(new Error('nothing is signed here'))
    const { code, json } = await run({}, effects({ signDeposit }))
    expect(code).toBe(1)
    expect(json()).toMatchObject({
      verdict: 'no',
      sentence: expect.stringContaining('see "validator"'),
    })
  })

  test.each([
    ['another network', MAINNET, 0n],
    ['another amount', BEPOLIA, 1n],
  ])('a signature over %s, and does not show it', async (_what, network, more) => {
    const wrong = { ...message(), amountGwei: message().amountGwei + more }
    const signature = signDepositMessage(secret, wrong, network)
    const { code, json, out } = await run({}, effects({ signDeposit: async () => ({ signature }) }))
    expect(code).toBe(1)
    expect(json().rows.find(({ id }) => id === 'library')).toMatchObject({ mark: 'refused' })
    expect(out).not.toContain(signature.slice(2, 40))
    expect(readdirSync(directory)).toEqual(['home'])
  })
})

describe('where the node tool is installed', () => {
  /** A tool that prints what `made` says, and otherwise says yes. */
  function withTool(made: { signature?: string; exitCode?: number }): Effects {
    const world = effects()
    const signature = made.signature ?? signDepositMessage(secret, message(), BEPOLIA)
    const lines = [`pubkey: ${pubkey}`, `credentials: ${message().withdrawalCredentials}`]
    const stdout = [...lines, 'amount: 10000000000000', `signature: ${signature}`, ''].join('\n')
    const result = { exitCode: made.exitCode ?? 0, stdout, stderr: '' }
    return {
      ...world,
      files: { ...world.files, findProgram: async () => '/usr/local/bin/beacond' },
      exec: {
        scratch: (use) => use('/nowhere/scratch'),
        run: async ({ args }) => (args[0] === 'help' ? playTool({ args }) : result),
      },
    }
  }

  test('it must make the same bytes', async () => {
    const { code, json } = await run({}, withTool({}))
    expect(code).toBe(0)
    expect(json().rows.find(({ id }) => id === 'tool')).toMatchObject({ value: 'the same 96 bytes' })
  })

  test('other bytes are a no, and leave no file', async () => {
    const { code } = await run({}, withTool({ signature: signDepositMessage(secret, message(), MAINNET) }))
    expect([code, readdirSync(directory)]).toEqual([1, ['home']])
  })

  test('one that fails leaves it unknown, and no file', async () => {
    const { code } = await run({}, withTool({ exitCode: 2 }))
    expect([code, readdirSync(directory)]).toEqual([3, ['home']])
  })
})
