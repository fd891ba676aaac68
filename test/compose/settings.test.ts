import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  checkField,
  ENDPOINT_TEXT,
  FIELD_FAULTS_TEXT,
  networkChoice,
  unknownNetwork,
} from '../../src/compose/network-choice.ts'
import { openSettings, readSettings } from '../../src/compose/settings.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { checkAddress } from '../../src/core/chain/identity/check-address.ts'

let directory = ''
const path = () => join(directory, 'settings.json')

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-settings-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const WITH_KEY = 'https://rpc.example/v2/0123456789abcdef?token=t'

describe('the settings', () => {
  test('keep what was typed, network by network, for this user alone', () => {
    openSettings(directory).remember('mainnet', { homePath: '~/.beacond', execution: WITH_KEY })
    openSettings(directory).remember('bepolia', { node: 'http://127.0.0.1:3500' })
    expect(openSettings(directory).of('mainnet')).toEqual({ homePath: '~/.beacond', execution: WITH_KEY })
    expect(openSettings(directory).of('bepolia')).toEqual({ node: 'http://127.0.0.1:3500' })
    expect(openSettings(directory).of('another')).toEqual({})
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test('close a file to others that was open to them', () => {
    writeFileSync(path(), '{"networks":{}}')
    chmodSync(path(), 0o644)
    openSettings(directory).remember('mainnet', { homePath: '/home' })
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  test('take no user name and no password, neither into the file nor out of it', () => {
    const execution = 'https://ann:hunter2@rpc.example'
    openSettings(directory).remember('mainnet', { execution, homePath: '/home' })
    expect(readFileSync(path(), 'utf8')).not.toContain('hunter2')
    writeFileSync(
      path(),
      JSON.stringify({ networks: { mainnet: { execution, engine: 7, homePath: '/home' } } }),
    )
    expect(openSettings(directory).of('mainnet')).toEqual({ homePath: '/home' })
  })

  test.each(['{"networks"', '{"networks":7}'])('that are %s say which file to move away', (content) => {
    writeFileSync(path(), content)
    const thrown = (() => {
      try {
        return openSettings(directory).of('mainnet')
      } catch (fault) {
        return fault
      }
    })()
    expect(thrown).toBeInstanceOf(BaseError)
    expect(thrown).toMatchObject({ code: 'settings.damaged', details: [`path: ${path()}`] })
    expect(readFileSync(path(), 'utf8')).toBe(content)
  })
})

describe('the file of the settings', () => {
  const read = () => readFileSync(path(), 'utf8')

  test('says its version, and is not written again by being read', () => {
    openSettings(directory).remember('mainnet', { homePath: '/home' })
    const before = read()
    expect(JSON.parse(before)).toMatchObject({ version: 1 })
    expect(readSettings(directory).of('mainnet')).toEqual({ homePath: '/home' })
    expect(openSettings(directory).of('mainnet')).toEqual({ homePath: '/home' })
    expect(read()).toBe(before)
  })

  test('of before there was a version is taken over without what is not kept any more', () => {
    const node = 'https://ann:hunter2@rpc.example'
    writeFileSync(path(), JSON.stringify({ networks: { mainnet: { homePath: '/home', node, old: 1 } } }))
    expect(openSettings(directory).of('mainnet')).toEqual({ homePath: '/home' })
    expect(JSON.parse(read())).toMatchObject({
      networks: { mainnet: { homePath: '/home' } },
      version: 1,
    })
    expect(read()).not.toContain('hunter2')
  })

  test('of a newer version is refused by name and left as it is', () => {
    const content = '{"networks":{"mainnet":{"homePath":"/home"}},"version":2}'
    writeFileSync(path(), content)
    expect(() => openSettings(directory)).toThrow(expect.objectContaining({ code: 'settings.later-version' }))
    expect(() => readSettings(directory)).toThrow(expect.objectContaining({ code: 'settings.later-version' }))
    expect(read()).toBe(content)
  })

  test('is not made by being looked for', () => {
    expect(readSettings(directory).of('mainnet')).toEqual({})
    expect(existsSync(path())).toBe(false)
  })
})

describe('a field for an address', () => {
  test.each([
    ['execution', WITH_KEY, undefined],
    ['secondExecution', '', undefined],
    ['keystore', '', undefined],
    ['node', '127.0.0.1:3500', ENDPOINT_TEXT.address('http://127.0.0.1:3500')],
    ['engine', '', ENDPOINT_TEXT.address('http://127.0.0.1:26657')],
    ['engine', 'tcp://10.0.0.5:36657', ENDPOINT_TEXT.address('http://10.0.0.5:36657')],
    ['execution', 'ws://127.0.0.1:8546', ENDPOINT_TEXT.address('http://127.0.0.1:8545')],
    ['execution', 'https://ann:hunter2@rpc.example', ENDPOINT_TEXT.credentials],
    ['execution', 'https://key@rpc.example', ENDPOINT_TEXT.credentials],
  ])('%s with "%s" is answered with %j', (field, text, expected) => {
    expect(checkField(field, text, {})).toEqual(expected)
  })

  const KEY = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
  const PHRASE = `${'abandon '.repeat(11)}about`

  test.each([
    ['keystore', KEY, /size of a private key/],
    ['homePath', `0x${KEY}`, /size of a private key/],
    ['keystore', PHRASE, /recovery phrase/],
    ['node', ` ${PHRASE} `, /recovery phrase/],
  ])('%s says of a secret that it is one, and does not repeat it', (field, text, words) => {
    expect(checkField(field, text, {})).toMatch(words)
    expect(checkField(field, text, {})).not.toContain(text.trim().slice(0, 12))
    expect(checkAddress(PHRASE)).toMatch(/recovery phrase/)
    expect(() => networkChoice({ network: 'mainnet', validator: KEY })).toThrow(/size of a private key/)
    expect(unknownNetwork(text).message).toMatch(words)
  })

  test.each([
    ['https://rpc.example/another/key', 'https://rpc.example'],
    ['http://localhost:8545', 'http://127.0.0.1:8545/'],
  ])('a second endpoint %s is none beside %s', (text, execution) => {
    expect(checkField('secondExecution', text, { execution })).toBe(FIELD_FAULTS_TEXT.sameServer)
    expect(checkField('secondExecution', 'https://other.example', { execution })).toBeUndefined()
  })
})
