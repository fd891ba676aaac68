import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { sign } from '../../src/commands/sign.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { httpUnreachable } from '../../src/core/base/errors/http.ts'
import { typedGwei } from '../../src/core/base/format/amount.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { GENESIS_TEXT } from '../../src/core/steps/genesis/text.ts'
import { runCommandWith } from '../support/run-command.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'
import { vectorLines } from '../support/vector-lines.ts'

const nothing = () => Promise.reject(new Error('nothing is signed here'))
const signer = { inspect: nothing, signDeposit: nothing, keystoreAddress: nothing, signTransaction: nothing }
const real = createNodeEffects({ signer })
/** This computer's files, and no network. */
const unreachable = () => Promise.reject(httpUnreachable('127.0.0.1', 'no network here'))
const effects: Effects = { ...real, http: { request: unreachable } }

const file = (path: string) => join(import.meta.dirname, '../vectors', path)
const recorded = [file('recorded/genesis.json'), '--spec', file('recorded/spec.toml')]

describe('genesis of a file, offline', () => {
  test('prints root, fork version and number of validators', async () => {
    const { code, json } = await runCommandWith(genesis, [...recorded, '--json'], effects)
    expect(code).toBe(0)
    expect(json()).toMatchObject({
      verdict: 'yes',
      network: 'custom-961b8390',
      root: '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c',
      forkVersion: '0x05000000',
      validators: 3,
    })
  })

  test('says that Berachain’s limits were taken when nothing names a network', async () => {
    const [path = ''] = recorded
    const { code, out } = await runCommandWith(genesis, [path], effects)
    expect(code).toBe(0)
    expect(out).toContain('Computed with the limits of Berachain')
  })

  test('says no when it is not the file of the named network', async () => {
    const [path = ''] = recorded
    const { code, json } = await runCommandWith(genesis, [path, '--network', 'mainnet', '--json'], effects)
    expect(code).toBe(1)
    const { rows } = json()
    expect(rows.find(({ id }) => id === 'preset')).toMatchObject({
      mark: 'given',
      long: MAINNET.genesisValidatorsRoot,
    })
    expect(rows.find(({ id }) => id === 'file')).toMatchObject({
      mark: 'refused',
      label: GENESIS_TEXT.facts.file.label,
      fix: GENESIS_TEXT.change.file(MAINNET, path),
    })
  })

  test('is wrong use without the file', async () => {
    const { code, json } = await runCommandWith(genesis, ['/nowhere/genesis.json', '--json'], effects)
    expect(code).toBe(2)
    expect(json()).toMatchObject({ verdict: 'wrong use', error: { code: 'file.missing' } })
  })
})

describe('verify of single fields', () => {
  type Check = {
    what: string
    accepted: boolean
    pubkey: string
    credentials: string
    amountGwei: string
    signature: string
    genesisValidatorsRoot: string
    genesisForkVersion: string
  }
  const checks = vectorLines('deposits/deposits.jsonl').flatMap(
    (line) => (JSON.parse(line) as { checks: Check[] }).checks,
  )
  const argumentsOf = (check: Check) =>
    Object.entries({
      pubkey: check.pubkey,
      credentials: check.credentials,
      amount: typedGwei(BigInt(check.amountGwei)),
      signature: check.signature,
      root: check.genesisValidatorsRoot,
      'fork-version': check.genesisForkVersion,
    }).flatMap(([name, value]) => [`--${name}`, value])

  test.each(checks.slice(0, 21))('gives the node’s own verdict: $what', async (check) => {
    const { code, json } = await runCommandWith(verify, [...argumentsOf(check), '--json'], effects)
    expect(code).toBe(check.accepted ? 0 : 1)
    expect(json().verdict).toBe(check.accepted ? 'yes' : 'no')
  })

  test('names the fork version that was signed for', async () => {
    const check = checks.find(({ what }) => what === 'another fork version')
    if (check === undefined) throw new Error('no such check')
    const { json } = await runCommandWith(verify, [...argumentsOf(check), '--json'], effects)
    expect(json().explanation).toMatchObject({ origin: 'other-fork-version' })
  })
})

describe('wrong use', () => {
  const pubkey = `0x${'aa'.repeat(48)}`
  test.each([
    ['an unknown option', genesis, ['--nonsense']],
    ['an argument too many', keys, ['x']],
    ['no network', status, []],
    ['a network file that is not there', doctor, ['--network', '/nowhere/net.json']],
    ['a network in capitals', doctor, ['--network', 'MAINNET']],
    ['no home to read a key from', status, ['--network', 'mainnet', '--home', '/nowhere']],
    ['no home to tell the key of', keys, ['--home', '/nowhere']],
    ['a value that looks like an option', verify, ['--amount', '-5']],
    ['half of a pair', doctor, ['--spec', file('recorded/spec.toml')]],
    ['an endpoint that is no URL', topUpPlanCommand, ['--network', 'mainnet', '--node', 'here']],
    ['a pubkey that is none', status, ['--network', 'mainnet', '--pubkey', '0x12']],
    ['a deposit without fields', verify, ['--pubkey', pubkey]],
    ['no path', api, []],
    ['a path with an argument', api, ['/status', 'x']],
    ['an unknown question to the execution client', api, ['eth_sendRawTransaction', '0x00']],
    ['a state that is none', api, ['/eth/v1/beacon/states/yesterday/root']],
    ['a percent sign in a typed path', api, ['/eth/v1/beacon/states/%zz/root']],
    ['a percent sign in an untyped path', api, ['/eth/v1/%zz']],
    ['a percent sign in a list', api, ['/eth/v1/beacon/states/%zz/validators']],
    ['a status of the list that is none', api, ['/eth/v1/beacon/states/head/validators?status=active']],
    ['a status by id that is none', api, ['/eth/v1/beacon/states/head/validators?id=0&status=nix']],
    ['a comma list', api, ['/eth/v1/beacon/states/head/validators?status=active_ongoing,pending_queued']],
    ['a status in a body', api, ['/eth/v1/beacon/states/head/validators', '--body', '{"statuses":["nix"]}']],
    ['a proof of another namespace', api, ['/custom/v1/proof/validator_pubkey/head/0']],
    ['a proof without an index', api, ['/bkit/v1/proof/validator_pubkey/head']],
    ['a proof without a moment', api, ['/bkit/v1/proof/validator_balance']],
    ['a proposer with an index', api, ['/bkit/v1/proof/block_proposer/head/0']],
    ['a key that is none', api, ['getOperator', '0x12']],
    ['a body that is no JSON', api, ['/eth/v1/beacon/states/head/validators', '--body', '{bad']],
    ['a descriptor that is none', doctor, ['--devnet', '{}']],
    ['no rehearsal to look at', doctor, ['--network', 'rehearsal']],
  ])('ends with 2: %s', async (_what, command, argv) => {
    const { code, err, out } = await runCommandWith(command, argv, effects)
    expect(code).toBe(2)
    expect(err).toContain('next: ')
    expect(out).toBe('')
    const { json } = await runCommandWith(command, [...argv, '--json'], effects)
    expect(json()).toMatchObject({ verdict: 'wrong use' })
  })

  test.each(['ftp://user:hunter2@host/key', 'https://user:hunter2@host', 'https://hunter2@host'])(
    'never repeats a secret part of an endpoint: %s',
    async (address) => {
      const argv = ['--network', 'mainnet', '--node', address]
      const { code, err } = await runCommandWith(status, argv, effects)
      expect(code).toBe(2)
      expect(err).not.toContain('hunter2')
    },
  )
})

describe('what api can tell beforehand', () => {
  const refusal = async (...argv: string[]) => {
    const { words: err, json } = await runCommandWith(
      api,
      [...argv, '--network', 'mainnet', '--json'],
      effects,
    )
    return { err, error: json().error }
  }

  test('names the statuses there are', async () => {
    const { err, error } = await refusal('/eth/v1/beacon/states/head/validators?status=active')
    expect(error).toMatchObject({ code: 'usage.option', money: 'untouched', details: ['found: active'] })
    expect(err).toContain('active_ongoing, active_exiting')
  })

  test('says where the proofs of the network are', async () => {
    const { err } = await refusal('/custom/v1/proof/validator_pubkey/head/0')
    expect(err).toContain('The proofs of Berachain are not below /custom/v1.')
    expect(err).toContain('Write /bkit/v1/proof/validator_pubkey/')
  })

  test('says how a proof is asked for', async () => {
    const { err } = await refusal('/bkit/v1/proof/validator_pubkey/head')
    expect(err).toContain('found: /bkit/v1/proof/validator_pubkey/head')
    expect(err).toContain('/{index}')
  })
})

describe('what is missing is said with what may stand in its place', () => {
  test.each([
    ['a network', doctor, ['--network', 'MAINNET'], 'Give mainnet, bepolia or rehearsal'],
    ['a network file', doctor, ['--network', './net.json'], 'and no such file.'],
    ['a home, for status', status, ['--network', 'mainnet'], '--validator PUBKEY'],
    ['a home, for keys', keys, ['--network', 'mainnet'], '--validator PUBLIC_KEY'],
    ['a network, for a validator', keys, ['--validator', '0'], '--network mainnet'],
    ['a value', verify, ['--amount', '-5'], 'Write a value that begins with a dash as --amount=-5.'],
  ])('%s', async (_what, command, argv, words) => {
    const { code, err } = await runCommandWith(command, argv, effects)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test('a network, for keys: which one was taken', async () => {
    const { pubkey } = keyedDeposit()
    const { out } = await runCommandWith(keys, ['--key', pubkey], effects)
    expect(out).toContain('No network was named, so that of Berachain was taken')
    const named = await runCommandWith(keys, ['--key', pubkey, '--network', 'mainnet'], effects)
    expect(named.out).not.toContain('No network was named')
  })

  test('an engine, for keys: nobody is asked whom nobody named', async () => {
    const { pubkey } = keyedDeposit()
    const asked: string[] = []
    const request = ({ url }: { url: string }) => {
      asked.push(url)
      return Promise.reject(new Error('no network here'))
    }
    const listening: Effects = { ...real, http: { request } }
    const none = await runCommandWith(keys, ['--key', pubkey, '--home', '/nowhere'], listening)
    expect(none.out).toContain('nobody named an engine')
    expect(none.out).toContain('give --engine URL, or --network NAME')
    expect((await runCommandWith(keys, ['--key', '7', '--home', '/nowhere'], listening)).err).toContain(
      'Give --node URL or --network NAME',
    )
    expect(asked).toEqual([])
    const engine = ['--engine', 'http://127.0.0.1:1']
    await runCommandWith(keys, ['--key', pubkey, '--home', '/nowhere', ...engine], listening)
    expect(asked).toHaveLength(1)
  })

  test('a home, for doctor: it goes on with the rest', async () => {
    const argv = ['--network', 'mainnet', '--home', '/nowhere', '--json']
    const { code, json } = await runCommandWith(doctor, argv, effects)
    expect(code).toBe(3)
    expect(json().rows.find(({ id }) => id === 'home')).toMatchObject({
      value: 'There is no node home here.',
      fix: 'Give the directory that the node runs with: --home DIR.',
    })
  })
})

describe('a key on the command line', () => {
  test.each([
    ['a key that is none', `0x${'12'.repeat(48)}`, 'This is no public key'],
    ['a word', 'mykey', '--key: Type the public key'],
  ])('%s is wrong use', async (_what, key, words) => {
    const { code, err } = await runCommandWith(keys, ['--network', 'mainnet', '--key', key], effects)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test.each(['7f'.repeat(32), `0x${'7f'.repeat(32)}`, Buffer.alloc(32, 0x7f).toString('base64')])(
    'that may be a private one is not repeated: %s',
    async (secret) => {
      const { code, err, out } = await runCommandWith(keys, ['--key', secret, '--json'], effects)
      expect(code).toBe(2)
      expect(err).toContain('the size of a private key')
      expect(err + out).not.toContain(secret.slice(2, 20))
    },
  )
})

describe('help', () => {
  test.each([
    ['genesis', genesis],
    ['keys', keys],
    ['sign', sign],
    ['verify', verify],
    ['api', api],
    ['status', status],
    ['topup-plan', topUpPlanCommand],
    ['doctor', doctor],
  ])('of %s names its options and exit codes', async (name, command) => {
    const { code, out } = await runCommandWith(command, ['--help'], effects)
    expect(code).toBe(0)
    expect(out).toContain(`bearings ${name}`)
    expect(out).toContain('--json')
    expect(out).toContain('Exit codes:')
    expect(out.split('\n').every((line) => line.length <= 120)).toBe(true)
  })
})

test('the published files of a built-in network are that network', async () => {
  const spec = file('networks/mainnet/spec.toml')
  const paths = [file('networks/mainnet/genesis.json'), '--spec', spec, '--json']
  const { code, json } = await runCommandWith(genesis, paths, effects)
  expect(code).toBe(0)
  expect(json()).toMatchObject({ network: MAINNET.id, root: MAINNET.genesisValidatorsRoot })
})
