import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { formatGwei, tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { buildSigner } from '../support/build-signer.ts'
import { hardTest, sampled } from '../support/hard.ts'
import { runCommandWith } from '../support/run-command.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let directory: string
let effects: Effects
let end: () => Promise<void>
const stop = new AbortController()

beforeAll(async () => {
  const { signerPath } = await buildSigner()
  effects = createNodeEffects({ signer: createNodeSigner({ signerPath }) })
  const network = await testDevnet({ clock: createNodeClock(), slotMs: 100 })
  devnet = network.devnet
  directory = network.directory
  const running = devnet.run(stop.signal)
  end = async () => {
    stop.abort()
    await running.catch(() => undefined)
    await network.end()
  }
})

afterAll(() => end())

type LookingCommand = (input: CommandInput) => Promise<ExitCode>

const look = (command: LookingCommand, ...argv: string[]) =>
  runCommandWith(command, ['--devnet', JSON.stringify(devnet.descriptor), ...argv], effects)

const validatorAt = (index: number): Hex => {
  const validator = devnet.state().validators[index]
  if (validator === undefined) throw new Error(`no validator ${index}`)
  return validator.pubkey
}

/** The home of a node that never got the network's files: its own key, an empty genesis, the node API off. */
async function strangeHome(): Promise<string> {
  const home = await mkdtemp(join(directory, 'home-'))
  await cp(devnet.descriptor.home, home, { recursive: true })
  const change = async (name: string, edit: (text: string) => string) => {
    const path = join(home, 'config', name)
    await writeFile(path, edit(await readFile(path, 'utf8')))
  }
  await change('genesis.json', (text) => {
    const file = JSON.parse(text) as { app_state: { beacon: { deposits: unknown[] } } }
    file.app_state.beacon.deposits = []
    return JSON.stringify(file)
  })
  await change('app.toml', (text) => text.replace('enabled = "true"', 'enabled = "false"'))
  await change('priv_validator_key.json', newKeyFile)
  return home
}

function newKeyFile(): string {
  const { secretKey, publicKey } = bls12_381.longSignatures.keygen()
  const point = publicKey.toBytes(false)
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const digest = createHash('sha256').update(point).digest('hex')
  return JSON.stringify({
    address: digest.slice(0, 40).toUpperCase(),
    pub_key: { type: 'cometbft/PubKeyBls12_381', value: base64(point) },
    priv_key: { type: 'cometbft/PrivKeyBls12_381', value: base64(secretKey) },
  })
}

describe('the verdict', () => {
  const nobody = `0x${'97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'}`
  const VERDICTS: [string, LookingCommand, () => readonly string[], string][] = [
    ['genesis', genesis, () => [], 'ok All 7 answers name one chain: Rehearsal.'],
    ['keys', keys, () => [], 'ok The key file is sound, and the engine signs with it; the key is unused.'],
    [
      'keys of nobody',
      keys,
      () => ['--validator', nobody],
      'ok The key is unused: nothing was ever deposited for it.',
    ],
    [
      'status',
      status,
      () => ['--validator', '0'],
      'ok Active; it keeps its place at the next 5 epoch boundaries.',
    ],
    ['status of nobody', status, () => [], 'NO Not registered: the beacon state does not hold this key.'],
    [
      'topup-plan',
      topUpPlanCommand,
      () => ['--validator', '0'],
      'ok No top-up is needed: what is staked keeps its place.',
    ],
    [
      'topup-plan of nobody',
      topUpPlanCommand,
      () => ['--amount', '10,000'],
      'NO 10,000 BERA: burnt: the beacon state does not hold this key.',
    ],
    ['doctor', doctor, () => [], 'ok All 31 checks hold.'],
    [
      'api',
      api,
      () => ['/bkit/v1/proof/validator_pubkey/head/0', '--verify'],
      'ok Level 2 of 3: proven, and the execution endpoint holds that root.',
    ],
  ]
  test.each(sampled(VERDICTS, 3))(
    'of %s is the last line, and the rest fits 80 columns',
    async (_what, command, argv, verdict) => {
      const { out } = await look(command, ...argv())
      const lines = out.split('\n')
      expect(lines.at(-1)).toBe(verdict)
      // What api prints before its facts is the answer as JSON.
      expect(lines.filter((line) => line.length > 80 && !line.includes('"'))).toEqual([])
      const { json } = await look(command, ...argv(), '--json')
      expect(json().sentence).toBe(verdict.slice(3))
    },
  )

  test('of a closed endpoint says what has no answer', async () => {
    const { out } = await look(genesis, '--engine', 'http://127.0.0.1:1')
    expect(out.split('\n').at(-1)).toBe(
      '?? 1 answer is missing (consensus engine): the chain is not certain.',
    )
  })
})

describe('genesis', () => {
  test('says which root each source gives, and that they agree', async () => {
    const { code, words } = await look(genesis)
    expect(code).toBe(0)
    const { genesisRoot } = devnet.descriptor
    expect(words).toContain(`* expected root signed into every deposit (descriptor) ${genesisRoot}`)
    expect(words).toContain('ok running node same root')
    expect(words).toContain('ok deposit contract the known code')
  })

  test('says no when the home belongs to another chain', async () => {
    const home = await strangeHome()
    const { code, json } = await look(genesis, '--home', home, '--json')
    expect(code).toBe(1)
    expect(json().verdict).toBe('no')
    expect(json().rows.find(({ id }) => id === 'file')).toMatchObject({ mark: 'refused' })
  })

  test('reads the file that is named where no home is', async () => {
    const { urls, home, spec } = devnet.descriptor
    const named = (name: keyof typeof urls) => [`--${name}`, urls[name]]
    const file = join(home, 'config/genesis.json')
    const options = [
      '--spec',
      spec,
      '--genesis',
      file,
      ...named('execution'),
      ...named('node'),
      ...named('engine'),
    ]
    const row = async (...more: string[]) => {
      const { json } = await runCommandWith(genesis, [...options, ...more, '--json'], effects)
      return json().rows.find(({ id }) => id === 'file')
    }
    expect(await row()).toMatchObject({ mark: 'proven' })
    expect(await row('--home', '/nowhere')).toMatchObject({ mark: 'unknown' })
  })

  test('does not know when an endpoint is closed', async () => {
    const { code, json } = await look(genesis, '--engine', 'http://127.0.0.1:1', '--json')
    expect(code).toBe(3)
    expect(json().rows.find(({ id }) => id === 'engine')).toMatchObject({ mark: 'unknown' })
  })
})

test('genesis names no key of the wizard where it says what to change', async () => {
  const { urls, home } = devnet.descriptor
  const endpoints = Object.entries(urls).flatMap(([name, url]) => [`--${name}`, url])
  const argv = ['--network', 'mainnet', '--home', home, ...endpoints]
  const { code, words } = await runCommandWith(genesis, argv, effects)
  expect(code).toBe(1)
  expect(words).toContain('these two roots are different')
  expect(words).toContain('change: put the genesis.json of')
  expect(words).not.toMatch(/press r|Esc |asks again/)
})

describe('keys', () => {
  test.each(['compressed', 'uncompressed'])('takes the %s key of another machine', async (form) => {
    const own = (await look(keys, '--json')).json() as { [field: string]: unknown }
    const typed = String(form === 'compressed' ? own.pubkey : own.uncompressedBase64)
    const { code, json } = await look(keys, '--key', typed, '--home', '/nowhere', '--json')
    expect(code).toBe(0)
    const { pubkey, uncompressedBase64, address, enginePubkey } = own
    expect(json()).toMatchObject({ pubkey, uncompressedBase64, address, enginePubkey })
    const key = json().rows.find(({ id }) => id === 'key')
    expect(key).toMatchObject({ mark: 'given', value: 'a valid key, typed', source: 'you' })
  })

  test('says no when the engine runs with another key than the typed one', async () => {
    const { code, json } = await look(keys, '--key', validatorAt(0), '--json')
    expect(code).toBe(1)
    expect(json().rows.find(({ id }) => id === 'engine')).toMatchObject({ mark: 'refused' })
  })

  test('tells the public forms of the key, as the engine has it too', async () => {
    const { code, json } = await look(keys, '--json')
    expect(code).toBe(0)
    const { pubkey, enginePubkey, address, uncompressedBase64 } = json()
    expect(pubkey).toBe(enginePubkey)
    expect(address).toMatch(/^[0-9A-F]{40}$/)
    expect(Buffer.from(String(uncompressedBase64), 'base64')).toHaveLength(96)
  })

  test('says no when the running engine has another key', async () => {
    const home = await strangeHome()
    const { code, words } = await look(keys, '--home', home)
    expect(code).toBe(1)
    expect(words).toContain('NO consensus engine runs with another key')
  })
})

describe('verify', () => {
  const deposit = async () => {
    const { home, genesisRoot, genesisForkVersion, chainId, operator } = devnet.descriptor
    const path = join(home, 'config/priv_validator_key.json')
    const { secretKey, facts } = readKeyFile(await effects.files.read(path, { maxBytes: 10_000 }), 'cometbft')
    const chain = { genesisValidatorsRoot: genesisRoot, genesisForkVersion }
    const withdrawalCredentials: Hex = `0x01${'00'.repeat(11)}${operator.slice(2).toLowerCase()}`
    const message = { pubkey: facts.pubkey, withdrawalCredentials, amountGwei: 10_000_000_000_000n }
    const signature = signDepositMessage(secretKey, message, chain)
    return { ...message, ...chain, signature, operator, network: 'rehearsal', executionChainId: chainId }
  }

  test('accepts a sound deposit file, by library and by precompiles', async () => {
    const path = join(directory, 'deposit.json')
    await writeFile(path, writeDepositFile(await deposit()))
    const { code, json } = await look(verify, path, '--json')
    expect(json().rows.map(({ id, mark }) => [id, mark])).toEqual([
      ['verdict', 'proven'],
      ['operator', 'proven'],
      ['uncounted', 'proven'],
      ['network', 'given'],
      ['file', 'proven'],
      ['pubkey', 'given'],
      ['amount', 'given'],
      ['withdrawal', 'given'],
      ['operator', 'given'],
      ['library', 'proven'],
      ['precompile', 'proven'],
      ['fate', 'proven'],
    ])
    expect(code).toBe(0)
  })

  test('refuses the same file for mainnet, whatever chain the file names', async () => {
    const path = join(directory, 'deposit-for-mainnet.json')
    await writeFile(path, writeDepositFile(await deposit()))
    const { code } = await runCommandWith(verify, [path, '--network', 'mainnet'], effects)
    expect(code).toBe(1)
  })

  test('does not know when the named execution client is closed', async () => {
    const path = join(directory, 'deposit-closed.json')
    await writeFile(path, writeDepositFile(await deposit()))
    const { code } = await look(verify, path, '--execution', 'http://127.0.0.1:1')
    expect(code).toBe(3)
  })
})

describe('api', () => {
  const index = '3'
  const proofs = [
    '/bkit/v1/proof/block_proposer/head',
    `/bkit/v1/proof/validator_pubkey/head/${index}`,
    `/bkit/v1/proof/validator_credentials/4/${index}`,
    `/bkit/v1/proof/validator_balance/head/${index}`,
    '/eth/v2/debug/beacon/states/head',
  ]

  test.each(proofs)('proves %s up to a root that the execution chain holds', async (path) => {
    const { code, json } = await look(api, path, '--verify', '--json')
    expect(json()).toMatchObject({ verdict: 'yes', level: 2 })
    expect(code).toBe(0)
  })

  test('reaches the third level with a second execution endpoint, and not with a closed one', async () => {
    const [, path = ''] = proofs
    const { execution } = devnet.descriptor.urls
    const both = await look(api, path, '--verify', '--json', '--second-execution', execution)
    expect([both.code, both.json().level]).toEqual([0, 3])
    const closed = await look(api, path, '--verify', '--json', '--second-execution', 'http://127.0.0.1:1')
    expect([closed.code, closed.json().level]).toEqual([3, 2])
  })

  test('finds a proof by the timestamp of the next block', async () => {
    const next = await look(api, 'eth_getBlockByNumber', '--json')
    const { timestamp } = next.json().answer as { timestamp: string }
    const { code } = await look(api, `/bkit/v1/proof/validator_pubkey/t${timestamp}/0`, '--verify')
    expect(code).toBe(0)
  })

  test('asks for an index before it asks for its proof', async () => {
    const { code, err } = await look(api, '/bkit/v1/proof/validator_pubkey/head/777', '--verify')
    expect(code).toBe(1)
    expect(err).toContain('knows no such thing')
  })

  test.each([
    ['getOperator', 'an operator'],
    ['/eth/v1/beacon/states/head/validators/0', 'a validator'],
  ])('answers %s with %s', async (path) => {
    const argument = path === 'getOperator' ? [validatorAt(0)] : []
    const { code } = await look(api, path, ...argument, '--json')
    expect(code).toBe(0)
  })

  test.each(['/eth/v1/node/health', '/eth/v1/config/fork_schedule', '/eth/v1/nope', '/nope'])(
    'takes it for no fault that %s is not offered',
    async (path) => {
      const { code, json } = await look(api, path, '--json')
      expect(code).toBe(3)
      expect(json()).toMatchObject({ offered: false, answer: null })
    },
  )

  test('does not know when the endpoint is closed', async () => {
    const { code, json } = await look(api, '/status', '--engine', 'http://127.0.0.1:1', '--json')
    expect(code).toBe(3)
    expect(json()).toMatchObject({ verdict: 'unknown', error: { code: 'client.unreachable' } })
  })
})

describe('status and topup-plan', () => {
  test('see an active validator', async () => {
    const { code, json } = await look(status, '--pubkey', validatorAt(0), '--json')
    expect(code).toBe(0)
    expect(json()).toMatchObject({ index: 0, pubkey: validatorAt(0) })
    const plan = await look(topUpPlanCommand, '--pubkey', validatorAt(0), '--json')
    expect(plan.code).toBe(0)
    expect(plan.json()).toMatchObject({ proposedGwei: '0' })
  })

  test('say no for a key that the chain does not know', async () => {
    expect((await look(status)).code).toBe(1)
    const plan = await look(topUpPlanCommand)
    expect(plan.code).toBe(1)
    expect(plan.out).toContain('would be burnt')
  })

  test('say of a validator that has left that it left, and not that something is wrong', async () => {
    const left = await testDevnet({ scenario: 'exited-key' })
    try {
      await pass(left.devnet, 3)
      const argv = ['--devnet', JSON.stringify(left.devnet.descriptor)]
      const { code, words } = await runCommandWith(status, argv, effects)
      expect(code).toBe(1)
      expect(words).toMatch(/NO It left the active set at epoch \d+, for ever\. The stake was paid back\.$/)
    } finally {
      await left.end()
    }
  })

  test('say what a place needs in all of a key that is still to be registered', async () => {
    const plan = await look(topUpPlanCommand, '--json')
    const { wholeWayGwei, rows, sentence } = plan.json()
    const entry = rows.find(({ id }) => id === 'entry')
    expect(entry?.value).toMatch(/^(\S+) BERA in all: a first deposit of 10,000 BERA, then a top-up of /)
    const all = `${formatGwei(BigInt(String(wholeWayGwei)))} BERA`
    expect(entry?.value).toContain(`${all} in all`)
    expect(sentence).toContain(`A place needs ${all} in all now.`)
    const amounts = /top-up of ([\d,]+) BERA/.exec(entry?.value ?? '')?.[1] ?? ''
    expect(BigInt(amounts.replaceAll(',', '')) * 10n ** 9n + tokens(10_000n)).toBe(
      BigInt(String(wholeWayGwei)),
    )
  })

  hardTest('do not know when the node is closed', async () => {
    const closed = ['--pubkey', validatorAt(0), '--node', 'http://127.0.0.1:1']
    expect((await look(status, ...closed)).code).toBe(3)
    expect((await look(topUpPlanCommand, ...closed)).code).toBe(3)
  })
})

function checkpoints(epoch: number) {
  const checkpoint = { epoch: String(epoch), root: `0x${'11'.repeat(32)}` }
  return { previous_justified: checkpoint, current_justified: checkpoint, finalized: checkpoint }
}

describe('doctor', () => {
  test('finds a rehearsal network in order, each check on a line of its own', async () => {
    const copy = join(directory, 'copy-of-key.json')
    await cp(join(devnet.descriptor.home, 'config/priv_validator_key.json'), copy)
    const { code, json } = await look(doctor, '--backup', copy, '--json')
    expect(json().rows.filter(({ mark }) => !['proven', 'given', 'unasked'].includes(mark))).toEqual([])
    expect(json().rows.find(({ id }) => id === 'keyBackup')?.value).toBe('the file holds this key')
    expect(code).toBe(0)
    expect(json().rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['file', 'key', 'engine', 'permissions', 'fees', 'exposure', 'sync', 'advance']),
    )
    const steps = json().rows.map((row) => ('step' in row ? row.step : ''))
    expect([...new Set(steps)]).toEqual(['genesis', 'identity', 'sign', 'confirm', 'status'])
    expect(steps).toEqual([...new Set(steps)].flatMap((step) => steps.filter((each) => each === step)))
    expect(json().rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['same-block', 'peers', 'contract', 'precompiles', 'proofs', 'anchor']),
    )
    // Who said it is host and port in every row.
    expect(json().rows.filter(({ source }) => source.includes('://'))).toEqual([])
  })

  test('says what to change, and in which file, for the home of another node', async () => {
    const home = await strangeHome()
    const used = join(home, 'config/priv_validator_key.json')
    const { code, json } = await look(doctor, '--home', home, '--backup', used, '--json')
    expect(code).toBe(1)
    const bad = json().rows.filter(({ mark }) => mark === 'refused')
    expect(bad.map(({ id }) => id)).toEqual(['file', 'engine', 'keyBackup', 'node-api-off'])
    expect(bad.find(({ id }) => id === 'node-api-off')?.fix).toContain('config/app.toml')
  })

  test('says which settings of the node are of another chain, and takes its word where it gives more', async () => {
    const { http } = effects
    const told: { [path: string]: object } = {
      '/eth/v1/config/spec': { DEPOSIT_CONTRACT_ADDRESS: `0x${'00'.repeat(20)}`, DEPOSIT_NETWORK_ID: '1' },
      '/eth/v1/beacon/states/head/finality_checkpoints': checkpoints(0),
      '/eth/v1/node/peer_count': { connected: '5', connecting: '0', disconnected: '0', disconnecting: '0' },
    }
    const request: Effects['http']['request'] = async (asked) => {
      const data = told[new URL(asked.url).pathname]
      if (data === undefined) return http.request(asked)
      const body = new TextEncoder().encode(JSON.stringify({ data }))
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    }
    const argv = ['--devnet', JSON.stringify(devnet.descriptor), '--json']
    const { code, json } = await runCommandWith(doctor, argv, { ...effects, http: { request } })
    expect(code).toBe(1)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('config')).toMatchObject({ mark: 'refused', fix: expect.stringContaining('app.toml') })
    expect(row('peers')).toMatchObject({
      mark: 'proven',
      value: 'engine 0, node API 5; a rehearsal has none',
    })
    expect(row('finality')?.value).toMatch(/^final to epoch 0, head in epoch \d+$/)
  })

  test('says what to change wherever a source is of another chain', async () => {
    const { http } = effects
    const change = async (asked: Parameters<typeof http.request>[0], from: string, to: string) => {
      const reply = await http.request(asked)
      const text = new TextDecoder().decode(reply.body)
      return { ...reply, body: new TextEncoder().encode(text.replaceAll(from, to)) }
    }
    const { genesisRoot, engineChainId, urls } = devnet.descriptor
    const other = `0x${'5e'.repeat(32)}`
    const request: Effects['http']['request'] = async (asked) => {
      if (asked.url.endsWith('/eth/v1/beacon/genesis')) return change(asked, genesisRoot, other)
      if (asked.url.startsWith(urls.engine)) return change(asked, engineChainId, 'other-1')
      return String(asked.body).includes('eth_getCode') ? change(asked, '0x60', '0x61') : http.request(asked)
    }
    const argv = ['--devnet', JSON.stringify(devnet.descriptor), '--home', await strangeHome(), '--json']
    const { code, json } = await runCommandWith(doctor, argv, { ...effects, http: { request } })
    expect(code).toBe(1)
    const bad = json().rows.filter(({ mark }) => mark === 'refused')
    expect(bad.filter(({ fix }) => fix === undefined)).toEqual([])
    const row = (label: string) => json().rows.find((each) => 'label' in each && each.label === label)
    expect(row('your genesis.json')).toMatchObject({
      mark: 'refused',
      fix: expect.stringContaining('genesis.json'),
    })
    expect(row('running node')).toMatchObject({ long: other, fix: expect.any(String) })
    expect(row('expected root')).toMatchObject({ mark: 'given', long: genesisRoot })
    expect(row('consensus engine')).toMatchObject({ fix: expect.stringContaining(engineChainId) })
    expect(row('deposit contract')).toMatchObject({
      long: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      fix: expect.any(String),
    })
  })

  test('calls no chain still whose head goes on, however old it is', async () => {
    const { clock } = effects
    const late = { ...effects, clock: { ...clock, nowMs: () => clock.nowMs() + 7_200_000 } }
    const descriptor = JSON.stringify({ ...devnet.descriptor, clockIsWall: true })
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], late)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('advance')).toMatchObject({ mark: 'proven' })
    expect(row('age')).toMatchObject({ mark: 'refused', fix: expect.stringContaining('the head goes on') })
  })

  test('calls no head of now that is of the future by the clock of this computer', async () => {
    const { clock } = effects
    const early = { ...effects, clock: { ...clock, nowMs: () => clock.nowMs() - 60_000 } }
    const descriptor = JSON.stringify({ ...devnet.descriptor, clockIsWall: true })
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], early)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('age')).toMatchObject({
      mark: 'refused',
      value: expect.stringMatching(/^\d+\.\d s ahead of the clock of this computer$/),
      fix: expect.stringContaining('NTP'),
    })
  })

  test('says nothing of the clock by the old blocks of a node that catches up', async () => {
    const { clock, http } = effects
    const request: Effects['http']['request'] = async (asked) => {
      const reply = await http.request(asked)
      if (!asked.url.endsWith('/status')) return reply
      const text = new TextDecoder().decode(reply.body)
      const said = text.replace('"catching_up":false', '"catching_up":true')
      return { ...reply, body: new TextEncoder().encode(said) }
    }
    const late = {
      ...effects,
      http: { request },
      clock: { ...clock, nowMs: () => clock.nowMs() + 7_200_000 },
    }
    const descriptor = JSON.stringify({ ...devnet.descriptor, clockIsWall: true })
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], late)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('clock')).toMatchObject({ mark: 'unknown', value: expect.stringContaining('old blocks') })
  })

  test('knows no age of a head where there is no block yet', async () => {
    const { http } = effects
    const request: Effects['http']['request'] = async (asked) => {
      const reply = await http.request(asked)
      if (!String(asked.body).includes('"eth_getBlockByNumber"')) return reply
      const text = new TextDecoder().decode(reply.body)
      const first = text.replace(/"number":"0x[0-9a-f]+"/, '"number":"0x0"')
      const said = first.replace(/"timestamp":"0x[0-9a-f]+"/, '"timestamp":"0x0"')
      return { ...reply, body: new TextEncoder().encode(said) }
    }
    const descriptor = JSON.stringify({ ...devnet.descriptor, clockIsWall: true })
    const young = { ...effects, http: { request } }
    const { json } = await runCommandWith(doctor, ['--devnet', descriptor, '--json'], young)
    const row = (id: string) => json().rows.find((each) => each.id === id)
    expect(row('age')).toMatchObject({ mark: 'unknown', value: 'there is no block yet' })
  })

  test('blames no rules of an execution client that does not answer', async () => {
    const { json } = await look(doctor, '--execution', 'http://127.0.0.1:1', '--json')
    const precompiles = json().rows.find((each) => each.id === 'precompiles')
    expect(precompiles).toMatchObject({ mark: 'unknown', value: expect.stringContaining('does not answer') })
    expect(JSON.stringify(precompiles)).not.toContain('Prague')
  })

  test('says nothing of the key of the engine where there is no home to compare it with', async () => {
    const { code, json } = await look(doctor, '--home', '/nowhere', '--json')
    expect(code).toBe(3)
    const said = json().rows.filter(({ value }) => value.startsWith('its key is not known here'))
    expect(said).toMatchObject([{ id: 'engine', mark: 'unknown' }])
  })

  test('does not know what a closed endpoint would have said', async () => {
    const { code, json } = await look(doctor, '--node', 'http://127.0.0.1:1', '--json')
    expect(code).toBe(3)
    expect(json().verdict).toBe('unknown')
  })
})
