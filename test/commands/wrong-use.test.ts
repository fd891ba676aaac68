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
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { offline, unsigning } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'

const file = (path: string) => join(import.meta.dirname, '../vectors', path)

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
    ['a pubkey that is none', status, ['--network', 'mainnet', '--validator', '0x12']],
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
    const { code, err, out } = await runCommandWith(command, argv, offline)
    expect(code).toBe(2)
    expect(err).toContain('next: ')
    expect(out).toBe('')
    const { json } = await runCommandWith(command, [...argv, '--json'], offline)
    expect(json()).toMatchObject({ verdict: 'wrong-use' })
  })

  test.each(['ftp://user:hunter2@host/key', 'https://user:hunter2@host', 'https://hunter2@host'])(
    'never repeats a secret part of an endpoint: %s',
    async (address) => {
      const argv = ['--network', 'mainnet', '--node', address]
      const { code, err } = await runCommandWith(status, argv, offline)
      expect(code).toBe(2)
      expect(err).not.toContain('hunter2')
    },
  )
})

describe('what is missing is said with what may stand in its place', () => {
  test.each([
    ['a network', doctor, ['--network', 'MAINNET'], 'Give mainnet, bepolia or rehearsal'],
    ['a network file', doctor, ['--network', './net.json'], 'and no such file.'],
    ['a home, for status', status, ['--network', 'mainnet'], '--validator PUBKEY'],
    ['a home, for keys', keys, ['--network', 'mainnet'], '--validator PUBLIC_KEY'],
    ['a network, for a validator', status, ['--validator', '0'], '--network mainnet'],
    ['a value', verify, ['--amount', '-5'], 'Write a value that begins with a dash as --amount=-5.'],
  ])('%s', async (_what, command, argv, words) => {
    const { code, err } = await runCommandWith(command, argv, offline)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test('a network, for keys: which one was taken', async () => {
    const { pubkey } = keyedDeposit()
    const { json } = await runCommandWith(keys, ['--validator', pubkey, '--json'], offline)
    expect(json()).toMatchObject({ network: null, notes: [expect.stringContaining(` ${MAINNET.label} `)] })
    const named = await runCommandWith(
      keys,
      ['--validator', pubkey, '--network', 'mainnet', '--json'],
      offline,
    )
    expect(named.json()).toMatchObject({ network: 'mainnet', notes: [] })
  })

  test('an engine, for keys: nobody is asked whom nobody named', async () => {
    const { pubkey } = keyedDeposit()
    const asked: string[] = []
    const request = ({ url }: { url: string }) => {
      asked.push(url)
      return Promise.reject(new Error('no network here'))
    }
    const listening: Effects = { ...unsigning, http: { request } }
    const none = await runCommandWith(keys, ['--validator', pubkey, '--home', '/nowhere'], listening)
    expect(none.out).toContain(' --engine URL, ')
    const index = await runCommandWith(keys, ['--validator', '7', '--home', '/nowhere'], listening)
    expect(index.err).toMatch(/ --node URL .*--network NAME/)
    expect(asked).toEqual([])
    const engine = ['--engine', 'http://127.0.0.1:1']
    await runCommandWith(keys, ['--validator', pubkey, '--home', '/nowhere', ...engine], listening)
    expect(asked).toHaveLength(1)
  })

  test('a home, for doctor: it goes on with the rest', async () => {
    const argv = ['--network', 'mainnet', '--home', '/nowhere', '--json']
    const { code, json } = await runCommandWith(doctor, argv, offline)
    expect(code).toBe(3)
    expect(json().rows.find(({ id }) => id === 'home')).toMatchObject({
      mark: 'unknown',
      fix: expect.stringContaining(' --home DIR'),
    })
  })
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
    const { code, out } = await runCommandWith(command, ['--help'], offline)
    expect(code).toBe(0)
    expect(out).toContain(`bearings ${name}`)
    expect(out).toContain('--json')
    expect(out).toContain('Exit codes:')
    expect(out.split('\n').every((line) => line.length <= 120)).toBe(true)
  })
})
