import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SecretKey } from '@chainsafe/blst'
import { encodeFunctionData, getAddress, parseAbi, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../src/commands/verify.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { bytesToHex, groupHex, hexToBytes } from '../../src/core/base/format/hex.ts'
import { encodeFirstDeposit, encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { signDepositMessage, signingRoot } from '../../src/core/chain/deposit/sign.ts'
import { BEPOLIA, MAINNET } from '../../src/core/chain/network/presets.ts'
import type { BehaviorName } from '../../src/devnet/behaviors.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { noSigner } from '../support/offline.ts'
import { recordedTool } from '../support/replay-recording.ts'
import { buildCli, CLI } from '../support/run-cli.ts'
import { runCommandWith } from '../support/run-command.ts'
import { multiSend, SAFE_ABI } from '../support/safe-contracts.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

const real = cheapEffects({ signer: noSigner })
const offline = { ...real, http: { request: () => Promise.reject(new Error('no network here')) } }

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'verify-kinds-'))
})
afterAll(() => rm(directory, { recursive: true }))

const judge = async (
  argv: readonly string[],
  { stdin, effects = offline }: { stdin?: string; effects?: typeof real } = {},
) => {
  const command = (input: Parameters<typeof verify>[0]) => verify({ ...input, stdin: async () => stdin })
  const ended = await runCommandWith(command, [...argv, '--json'], effects)
  return { ...ended, row: (id: string) => ended.json().rows.find((each) => each.id === id) }
}

const { pubkey, secretKey } = keyedDeposit()
const WITHDRAWAL: Hex = `0x${'3c'.repeat(20)}`
const AMOUNT_GWEI = 10_000_000_000_000n
const message = { pubkey, withdrawalCredentials: credentialsOf(WITHDRAWAL), amountGwei: AMOUNT_GWEI }
const signature = signDepositMessage(secretKey, message, BEPOLIA)
const input = encodeFirstDeposit({ ...message, signature, operator: WITHDRAWAL })

type Changed = { chainId?: number; to?: Hex; value?: bigint; data?: Hex }
const signed = ({ chainId = 80_069, to, value, data = input }: Changed = {}) =>
  privateKeyToAccount(`0x${'11'.repeat(32)}`).signTransaction({
    type: 'eip1559',
    chainId,
    nonce: 3,
    to: to ?? BEPOLIA.spec.depositContract,
    value: value ?? AMOUNT_GWEI * 1_000_000_000n,
    data,
    gas: 500_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  })

describe('what the node tool printed', () => {
  const printed = recordedTool.find(({ args }) => args[1] === 'create-validator')?.stdout ?? ''
  const root = '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c'
  const chain = ['--root', root, '--fork-version', '0x05000000']

  test('is taken as it is: from a file, from stdin, and from stdin without a word', async () => {
    const path = join(directory, 'printed.txt')
    await writeFile(path, printed)
    for (const [argv, stdin] of [
      [[path], undefined],
      [['-'], printed],
      [[], printed],
    ] as const) {
      const { code, row } = await judge([...argv, ...chain], stdin === undefined ? {} : { stdin })
      expect(code).toBe(0)
      expect(row('amount')).toMatchObject({ value: '10,000 BERA', source: 'the node tool' })
    }
  })

  test('names no chain: one must be named', async () => {
    const { code, json } = await judge(['-'], { stdin: printed })
    expect(code).toBe(2)
    expect(json()).toMatchObject({ error: { shortMessage: expect.stringContaining('for which chain') } })
  })

  test('with the fields as JSON is taken too, and is refused for another network', async () => {
    const amount = `0x${AMOUNT_GWEI.toString(16)}`
    const stdin = JSON.stringify({
      pubkey,
      credentials: message.withdrawalCredentials,
      amount,
      signature,
    })
    expect((await judge(['--network', 'bepolia'], { stdin })).code).toBe(0)
    const other = await judge(['--network', 'mainnet'], { stdin })
    expect(other.code).toBe(1)
    expect(other.json().explanation).toMatchObject({ origin: 'other-network' })
  })

  test('comes through a pipe into the program itself', async () => {
    await buildCli()
    const args = [CLI, 'verify', ...chain]
    const ended = spawnSync(process.execPath, args, { input: printed, encoding: 'utf8' })
    expect([ended.status, ended.stderr]).toEqual([0, ''])
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toMatch(/^ok /)
  })

  test('cut in the middle is no yes', async () => {
    const { code } = await judge(chain, { stdin: printed.slice(0, -60) })
    expect(code).toBe(3)
  })
})

describe('calldata', () => {
  const chain = ['--network', 'bepolia', '--amount', '10000']

  test('is judged with the amount that would be sent with it', async () => {
    const { code, row } = await judge([input, ...chain])
    expect(code).toBe(0)
    expect(row('operator')?.value).toContain(`${groupHex(getAddress(WITHDRAWAL))}, `)
    const other = await judge([input, '--network', 'bepolia', '--amount', '10000.000000001'])
    expect(other.code).toBe(1)
  })

  test('without an amount is wrong use, and so is a network that nobody named', async () => {
    expect((await judge([input, '--network', 'bepolia'])).code).toBe(2)
    expect((await judge([input, '--amount', '10000'])).code).toBe(2)
  })

  test('with an amount that is in gwei is wrong use: it says what to type', async () => {
    const { code, json } = await judge([input, '--network', 'bepolia', '--amount', String(AMOUNT_GWEI)])
    expect(code).toBe(2)
    const { error } = json() as unknown as { error: unknown }
    expect(JSON.stringify(error)).toMatch(/gwei, .* 10000\./)
  })

  test('with an amount that the contract does not take reverts, and the money is not kept', async () => {
    for (const amount of ['9999', '1']) {
      const small = { ...message, amountGwei: BigInt(amount) * 10n ** 9n }
      const data = encodeFirstDeposit({
        ...small,
        signature: signDepositMessage(secretKey, small, BEPOLIA),
        operator: WITHDRAWAL,
      })
      const { code, json } = await judge([data, '--network', 'bepolia', '--amount', amount])
      expect([code, json().sentence]).toEqual([1, expect.stringContaining('(see "amount")')])
    }
  })

  test('with a byte too many is refused', async () => {
    const { code, json } = await judge([`${input}00`, ...chain])
    expect(code).toBe(1)
    expect(json()).toMatchObject({ error: { code: 'deposit.bad-calldata' } })
  })
})

describe('a signed transaction', () => {
  test('names its chain, its sender and its receiver, and nothing is asked', async () => {
    const { code, json, row } = await judge([await signed()])
    expect(code).toBe(0)
    expect(json()).toMatchObject({
      network: 'bepolia',
      chosenBy: 'transaction',
      sentence: expect.stringMatching(/^Bepolia /),
    })
    expect(row('chain')).toMatchObject({ mark: 'proven', value: '80069' })
    expect(row('receiver')).toMatchObject({ mark: 'proven', value: 'the deposit contract' })
  })

  test('may come wrapped in lines', async () => {
    const lines = (await signed()).replace(/(.{64})/g, '$1\n')
    expect((await judge(['-'], { stdin: `\n${lines}\n` })).code).toBe(0)
  })

  test.each<[string, Changed, string, string]>([
    ['for another chain than the one that is asked about', {}, 'mainnet', 'chain'],
    ['to another address', { to: WITHDRAWAL }, 'bepolia', 'receiver'],
    ['with less than the contract takes', { value: 10n ** 18n }, 'bepolia', 'value'],
    ['with a part of a gwei', { value: AMOUNT_GWEI * 10n ** 9n + 1n }, 'bepolia', 'value'],
    ['over another amount than the signature is for', { value: 20_000n * 10n ** 18n }, 'bepolia', 'library'],
  ])('%s is refused', async (_what, changed, network, id) => {
    const { code, row } = await judge([await signed(changed), '--network', network])
    expect(code).toBe(1)
    expect(row(id)).toMatchObject({ mark: 'refused' })
  })

  test('with a part of a gwei reverts, and the money is not kept', async () => {
    const { json } = await judge([await signed({ value: AMOUNT_GWEI * 10n ** 9n + 1n })])
    expect(json().sentence).toContain('(see "value")')
  })

  test('of a chain that is not built in needs its network', async () => {
    const { code, json } = await judge([await signed({ chainId: 5 })])
    expect(code).toBe(2)
    expect(json()).toMatchObject({ error: { shortMessage: expect.stringContaining('chain 5') } })
  })

  test('that is a top-up has no signature, so only the chain can judge it', async () => {
    const { code, json } = await judge([await signed({ data: encodeTopUp({ pubkey }) })])
    expect(code).toBe(3)
    expect(json().sentence).toContain('Not known')
  })
})

describe('a deposit that the owners of a Safe carry out', () => {
  const SAFE: Hex = `0x${'5a'.repeat(20)}`
  const DEPOSIT = { to: BEPOLIA.spec.depositContract, value: AMOUNT_GWEI * 10n ** 9n, data: input }
  const execution = (call: { to: Hex; value: bigint; data: Hex }, operation: 0 | 1 = 0): Hex =>
    encodeFunctionData({
      abi: SAFE_ABI,
      functionName: 'execTransaction',
      args: [call.to, call.value, call.data, operation, 0n, 0n, 0n, zeroAddress, zeroAddress, '0x'],
    })
  const batchOf = (...calls: (typeof DEPOSIT)[]): Hex => execution({ ...multiSend(calls), value: 0n }, 1)
  const carried = (data: Hex) => signed({ to: SAFE, value: 0n, data })

  test('is judged by the call itself, and it is said who pays', async () => {
    const { code, json, row } = await judge([await carried(execution(DEPOSIT))])
    expect([code, json().sentence]).toEqual([0, expect.stringContaining('was not asked')])
    expect(row('amount')?.value).toBe('10,000 BERA')
    expect(row('sender')?.value).not.toMatch(/^0x5a5a /i)
    expect(row('payer')?.value).toMatch(/^0x5a5a .*: /i)
    expect(row('receiver')).toMatchObject({ mark: 'proven', value: 'the deposit contract' })
  })

  test('may have an identifier of an app behind it', async () => {
    const data: Hex = `${execution(DEPOSIT)}${'ab'.repeat(32)}`
    expect((await judge([await carried(data)])).code).toBe(0)
  })

  test('is judged as calldata, too, with the amount that is in it', async () => {
    const { code, row } = await judge([execution(DEPOSIT), '--network', 'bepolia'])
    expect(code).toBe(0)
    expect(row('amount')?.value).toBe('10,000 BERA')
    expect(row('payer')?.value).toContain('not named here')
  })

  test('in a batch is found, and whose code makes the calls is to be compared', async () => {
    const nothing = { to: WITHDRAWAL, value: 0n, data: '0x' as const }
    const { code, row } = await judge([await carried(batchOf(nothing, DEPOSIT))])
    expect(code).toBe(3)
    expect(row('batch')).toMatchObject({ mark: 'unknown', value: expect.stringContaining('MultiSend') })
    expect(row('library')).toMatchObject({ mark: 'proven' })
  })

  test.each<[string, Hex, number, string | undefined]>([
    ['to another address', execution({ ...DEPOSIT, to: WITHDRAWAL }), 1, 'receiver'],
    ['with too little value', execution({ ...DEPOSIT, value: 1n }), 1, 'value'],
    ['over another amount', execution({ ...DEPOSIT, value: 2n * DEPOSIT.value }), 1, 'library'],
    ['that is no deposit', execution({ ...DEPOSIT, data: '0x12345678' }), 2, undefined],
    ['twice in a batch', batchOf(DEPOSIT, DEPOSIT), 2, undefined],
    ['by other code, run as its own', execution(DEPOSIT, 1), 1, undefined],
    [
      'in a batch that is cut off',
      batchOf(DEPOSIT).replace(/.{1400}$/, '0'.repeat(1400)) as Hex,
      1,
      undefined,
    ],
  ])('%s is refused', async (_what, data, code, id) => {
    const ended = await judge([await carried(data)])
    expect(ended.code).toBe(code)
    if (id !== undefined) expect(ended.row(id)).toMatchObject({ mark: 'refused' })
  })
})

describe('a file of an Ethereum tool', () => {
  const bare = (hex: Hex) => hex.slice(2)
  const entry = (sign: Hex) => ({
    pubkey: bare(pubkey),
    withdrawal_credentials: bare(message.withdrawalCredentials),
    amount: Number(AMOUNT_GWEI),
    signature: bare(sign),
    deposit_message_root: '00'.repeat(32),
    deposit_data_root: '00'.repeat(32),
    fork_version: '00000000',
    network_name: 'mainnet',
    deposit_cli_version: '2.7.0',
  })
  const text = (...signatures: Hex[]) => JSON.stringify(signatures.map(entry))
  const foreign = { genesisValidatorsRoot: `0x${'00'.repeat(32)}`, genesisForkVersion: '0x00000000' } as const
  const ethereum = bytesToHex(
    SecretKey.fromBytes(secretKey)
      .sign(hexToBytes(signingRoot(message, foreign)))
      .toBytes(),
  )

  test('is refused whether or not a network is named, as what this chain burns', async () => {
    for (const argv of [['-'], ['-', '--network', 'bepolia']]) {
      const { code, json } = await judge(argv, { stdin: text(ethereum) })
      expect(code).toBe(1)
      expect(json().explanation).toMatchObject({ origin: 'ethereum-tool' })
    }
  })

  test('with a signature that is none is refused as such a file, too', async () => {
    const { code, json } = await judge(['-'], { stdin: text(`0x${'ab'.repeat(96)}`) })
    expect([code, json().explanation]).toEqual([1, expect.objectContaining({ origin: 'ethereum-tool' })])
  })

  test('with the signature of a network that is built in is judged for that one', async () => {
    const { code, json } = await judge(['-'], { stdin: text(signature) })
    expect([code, json().network]).toEqual([0, 'bepolia'])
    expect((await judge(['-', '--network', 'mainnet'], { stdin: text(signature) })).code).toBe(1)
  })

  test('with several deposits, or a field that can’t be used, is wrong use or refused, never a yes', async () => {
    expect((await judge(['-'], { stdin: text(signature, signature) })).code).toBe(2)
    const { code, json } = await judge(['-'], { stdin: text('0xab') })
    expect([code, json()]).toEqual([1, expect.objectContaining({ error: expect.anything() })])
  })

  test('may be stored as UTF-16, as PowerShell writes it', async () => {
    const path = join(directory, 'utf16.json')
    await writeFile(path, Buffer.from(`\ufeff${text(signature)}`, 'utf16le'))
    expect((await judge([path, '--network', 'bepolia'])).code).toBe(0)
  })
})

describe('a batch for the Transaction Builder of a Safe', () => {
  const DEPOSIT = { to: BEPOLIA.spec.depositContract, value: String(AMOUNT_GWEI * 10n ** 9n), data: input }
  const batch = (chainId: number, ...transactions: unknown[]) =>
    JSON.stringify({ version: '1.0', chainId: String(chainId), meta: {}, transactions })

  test('is judged by its one call', async () => {
    const { code, json } = await judge(['-'], { stdin: batch(80_069, DEPOSIT) })
    expect([code, json().network]).toEqual([0, 'bepolia'])
  })

  test.each<[string, string, string[], number, string | undefined]>([
    [
      'for another chain than the one that is asked about',
      batch(80_094, DEPOSIT),
      ['--network', 'bepolia'],
      1,
      'chain',
    ],
    [
      'with another call',
      batch(80_069, DEPOSIT, { to: WITHDRAWAL, value: '1', data: '0x' }),
      [],
      1,
      'call-1',
    ],
    ['to another contract', batch(80_069, { ...DEPOSIT, to: WITHDRAWAL }), [], 1, 'receiver'],
    ['with two deposits', batch(80_069, DEPOSIT, DEPOSIT), [], 2, undefined],
    ['with a call that only its ABI describes', batch(80_069, { ...DEPOSIT, data: null }), [], 2, undefined],
    ['of a chain that is not built in', batch(5, DEPOSIT), [], 2, undefined],
  ])('%s is no yes', async (_what, stdin, argv, code, id) => {
    const ended = await judge(['-', ...argv], { stdin })
    expect(ended.code).toBe(code)
    if (id !== undefined) expect(ended.row(id)).toMatchObject({ mark: 'refused' })
  })
})

describe('a hash', () => {
  const hash = 'ab'.repeat(32)
  test.each([hash, `0x${hash}`, `https://berascan.com/tx/0x${hash}`, ` https://x.example/tx/0x${hash}?a=1 `])(
    'is read from %s, and an endpoint must be named',
    async (given) => {
      const { code, json } = await judge([given])
      expect([code, json()]).toEqual([
        2,
        expect.objectContaining({
          error: expect.objectContaining({ shortMessage: expect.stringMatching(/hash/i) }),
        }),
      ])
    },
  )
})

describe('nothing of the kind', () => {
  test.each([
    ['a validator keystore', { crypto: { kdf: {} }, path: 'm/12381', pubkey, version: 4 }],
    ['the keystore of a wallet', { address: 'ab', crypto: {}, version: 3 }],
    ['the private key file', { address: 'AB', pub_key: {}, priv_key: { value: 'c2VjcmV0' } }],
    ['a genesis file', { chain_id: 'x', app_state: {} }],
  ])('%s is named, and nothing of it repeated', async (name, value) => {
    const { code, json, out, err } = await judge(['-'], { stdin: JSON.stringify(value) })
    expect(code).toBe(2)
    expect(json()).toMatchObject({ error: { shortMessage: expect.stringContaining(name) } })
    expect(out + err).not.toContain('c2VjcmV0')
  })

  test('what may be a secret is not repeated', async () => {
    const phrase = 'alpha beta gamma delta alpha beta gamma delta alpha beta gamma delta'
    const { code, out, err } = await judge(['-'], { stdin: phrase })
    expect(code).toBe(2)
    expect(out + err).not.toContain('gamma')
  })

  test.each<[string, string, string]>([
    ['an address', WITHDRAWAL, 'an address'],
    ['a public key', pubkey, 'a public key alone'],
    ['a signature', signature, 'a signature alone'],
    ['bytes that are no transaction', `0x02${'ff'.repeat(60)}`, 'characters that begin with 0x02ffffffff'],
    ['prose', 'hello there', '"hello there"'],
    ['other JSON', '{"a":1}', '"{"a":1}"'],
  ])('%s: says what was found and what is taken', async (_what, stdin, found) => {
    const { code, json } = await judge(['-', '--network', 'bepolia'], { stdin })
    expect(code).toBe(2)
    const { error } = json() as unknown as { error: { details: string[]; nextSteps: string[] } }
    expect(error.details.join(' ')).toContain(found)
    expect(error.nextSteps.join(' ')).toContain('Give ')
  })

  test.each([undefined, '', ' \n'])('with %j on stdin: says what is taken', async (stdin) => {
    const { code, err } = await judge([], stdin === undefined ? {} : { stdin })
    expect(code).toBe(2)
    expect(err.replace(/\s+/g, ' ')).toContain('calldata')
  })

  test('a hash asks nobody where nobody is named', async () => {
    const { code, json } = await judge([`0x${'ab'.repeat(32)}`])
    expect(code).toBe(2)
    expect(json()).toMatchObject({
      error: { nextSteps: [expect.stringMatching(/ --execution URL, .* --network\./)] },
    })
  })
})

const LEAST = AMOUNT_GWEI * 1_000_000_000n
const DEPOSIT_ABI = parseAbi(['function deposit(bytes,bytes,bytes,address) payable'])

/** As somebody with a tool of their own sends it: no signature; a top-up that names credentials, or an operator. */
const oddDeposit = (of: Hex | undefined, isTopUp = false): Hex => {
  const credentials: Hex = isTopUp ? message.withdrawalCredentials : `0x${'00'.repeat(32)}`
  const operator = isTopUp ? zeroAddress : WITHDRAWAL
  const args = [of ?? pubkey, credentials, `0x${'00'.repeat(96)}`, operator] as const
  return encodeFunctionData({ abi: DEPOSIT_ABI, functionName: 'deposit', args })
}

describe('a transaction on the chain', () => {
  type User = Awaited<ReturnType<typeof userOf>>

  const on = async (
    act: (user: User, devnet: Devnet) => Promise<Hex>,
    slots: number,
    scenario: 'set-full' | 'burnt-deposit' | 'exited-key' = 'set-full',
    as?: BehaviorName,
  ) => {
    const network = await testDevnet({ clock: createNodeClock(), seed: 'fate', scenario })
    try {
      const { devnet } = network
      const hash = await act(await userOf(devnet), devnet)
      await pass(devnet, slots)
      devnet.setBehavior('execution', as)
      const argv = [hash, '--devnet', JSON.stringify(devnet.descriptor)]
      const { code, json } = await judge(argv, { effects: real })
      return {
        code,
        fate: json().fate,
        sentence: json().sentence,
        block: json().block,
        findings: json().findings,
      }
    } finally {
      await network.end()
    }
  }

  test.each<[string, (user: User, devnet: Devnet) => Promise<Hex>, number, number, string]>([
    ['a first deposit in no block', (user) => user.firstDeposit(10_000n), 0, 3, 'in-mempool'],
    ['a first deposit in the last block', (user) => user.firstDeposit(10_000n), 1, 3, 'not-counted-yet'],
    ['a first deposit some blocks later', (user) => user.firstDeposit(10_000n), 5, 0, 'counted'],
    ['one signed over another amount', (user) => user.firstDeposit(10_000n, 20_000n), 5, 1, 'burnt'],
    ['a top-up of a key that nobody registered', (user) => user.topUp(10_000n), 5, 1, 'reverted'],
    [
      'a top-up of a validator of the first slot',
      (user, devnet) => user.topUp(10_000n, devnet.state().validators[0]?.pubkey),
      5,
      0,
      'counted',
    ],
    [
      'one with no signature at all, from somebody who set an operator',
      (user, devnet) => user.send(devnet.chain.input.spec.depositContract, oddDeposit(user.pubkey), LEAST),
      5,
      1,
      'burnt',
    ],
    [
      'a top-up that names credentials, which nobody reads',
      (user, devnet) => {
        const { depositContract } = devnet.chain.input.spec
        return user.send(depositContract, oddDeposit(devnet.state().validators[0]?.pubkey, true), LEAST)
      },
      5,
      0,
      'counted',
    ],
  ])('%s', async (_what, act, slots, code, fate) => {
    expect(await on(act, slots)).toMatchObject({ code, fate })
  })

  test.each<[string, (user: User) => Promise<Hex>, 'set-full' | 'burnt-deposit']>([
    ['a counted first deposit', (user) => user.firstDeposit(10_000n), 'set-full'],
    ['a rescue', (user) => user.rescueDeposit(10_000n), 'burnt-deposit'],
  ])(
    '%s whose receipt is forgotten is in its block, and neither refused nor waiting',
    async (_, act, scenario) => {
      const said = await on(act, 5, scenario, 'forgets-receipts')
      expect(said).toMatchObject({ code: 3, fate: 'unknown', block: expect.any(String) })
      expect(said.findings).toContainEqual(expect.objectContaining({ id: 'receipt', level: 'unknown' }))
    },
  )

  test('a burnt deposit stays burnt when the key is rescued, and the rescue is counted', async () => {
    const burnt = await on(async (user, devnet) => {
      const hash = await user.firstDeposit(10_000n, 20_000n)
      await pass(devnet, 3)
      await user.rescueDeposit(10_000n)
      return hash
    }, 5)
    expect(burnt).toMatchObject({ code: 1, fate: 'burnt' })
    const rescue = await on((user) => user.rescueDeposit(10_000n), 5, 'burnt-deposit')
    expect(rescue).toMatchObject({ code: 0, fate: 'counted' })
  })

  test.each<[string, BehaviorName | undefined, string]>([
    ['is burnt, by the logs', undefined, 'burnt'],
    ['is not told as counted where the endpoint has no logs', 'gives-no-logs', 'unknown'],
  ])('a deposit before the one that registered the key %s', async (_, as, fate) => {
    const act = async (user: User, devnet: Devnet) => {
      const { depositContract } = devnet.chain.input.spec
      const hash = await user.send(depositContract, oddDeposit(user.pubkey), LEAST)
      await pass(devnet, 3)
      await user.rescueDeposit(10_000n)
      return hash
    }
    expect(await on(act, 5, 'set-full', as)).toMatchObject({ fate })
  })

  test('what was paid back with its validator is in no balance any more', async () => {
    const { code, fate } = await on((user) => user.topUp(10_000n), 5, 'exited-key')
    expect({ code, fate }).toEqual({ code: 0, fate: 'paid-back' })
  })

  test('of no such hash is not known', async () => {
    expect(await on(async () => `0x${'ab'.repeat(32)}`, 1)).toMatchObject({ code: 3 })
  })

  test('on a closed endpoint is not known', async () => {
    const { code } = await judge(
      [`0x${'ab'.repeat(32)}`, '--network', MAINNET.id, '--execution', 'http://127.0.0.1:1'],
      {
        effects: real,
      },
    )
    expect(code).toBe(3)
  })
})
