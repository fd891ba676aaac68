import { describe, expect, test } from 'vitest'
import { readArguments } from '../../src/commands/read-arguments.ts'
import { commandNamed, WIZARD } from '../../src/commands/table.ts'
import type { CommandName } from '../../src/commands/table-options.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { groupHex } from '../../src/core/base/format/hex.ts'
import { secretFault } from '../../src/core/base/format/text.ts'
import { pattern } from '../support/pattern.ts'

const read = (name: CommandName | '', line: string) =>
  readArguments(line.split(' '), name === '' ? WIZARD : commandNamed(name))

describe('an option that is given twice', () => {
  test.each<[CommandName | '', string, string]>([
    ['sign', '--amount 10000 --amount 20000', '--amount is given twice.'],
    ['status', '--validator 3 --network mainnet --validator=4', '--validator is given twice.'],
    ['', '--network mainnet --network bepolia', '--network is given twice.'],
  ])('is refused where the values differ: %s %s', (name, line, sentence) => {
    expect(() => read(name, line)).toThrow(sentence)
  })

  test('is taken where it says the same, and a language where it is given anew', () => {
    expect(read('status', '--validator 3 --validator 3').options.validator).toBe('3')
    expect(read('status', '--lang zh --lang en').options.lang).toBe('en')
  })
})

describe('options that each name a network', () => {
  test.each<[CommandName, string, string]>([
    ['status', '--network mainnet --devnet d.json', '--network and --devnet each name a network.'],
    [
      'sign',
      '--devnet d.json --network mainnet --amount 10000',
      '--network and --devnet each name a network.',
    ],
    [
      'doctor',
      '--network bepolia --spec s.toml --genesis g.json',
      '--network and --spec each name a network.',
    ],
    ['genesis', '--spec s.toml --genesis g.json --devnet d.json', '--spec and --devnet each name a network.'],
  ])('are refused together: %s %s', (name, line, sentence) => {
    expect(() => read(name, line)).toThrow(sentence)
  })
})

const KEY = `4f3edf98${'3ac636a6'.repeat(7)}`

describe('a line with what may be a private key', () => {
  test.each<[CommandName | '', string]>([
    ['', `0x${KEY}`],
    ['', `--${KEY}`],
    ['', `--topup=${KEY}`],
    ['status', `--network bepolia ${KEY}`],
    ['keys', `--home 0x${KEY}`],
    ['sign', `--withdrawal 0x${KEY} --amount 10000`],
    ['topup-plan', `--amount ${KEY}`],
    ['rehearse', `--devnet=${KEY}`],
  ])('is refused without that key: %s %s', (name, line) => {
    const refusal = thrownBy(() => read(name, line))
    expect(refusal.shortMessage).toContain(secretFault(KEY) ?? 'no fault')
    expect(JSON.stringify(refusal)).not.toContain('4f3edf98')
  })

  test('is read where it may be a hash, or any text', () => {
    expect(read('verify', `0x${KEY} --network mainnet`).positionals).toEqual([`0x${KEY}`])
    expect(read('api', `eth_getTransactionByHash 0x${KEY}`).positionals).toContain(`0x${KEY}`)
    expect(read('devnet', `--seed ${KEY}`).options.seed).toBe(KEY)
    expect(read('rehearse', `--state ./${KEY}`).options.state).toBe(`./${KEY}`)
  })
})

function thrownBy(work: () => unknown): BaseError {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof BaseError) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

const ADDRESS = '0x265A731a1233Ca9622999db012BC47CF59ed2E62'
const PUBKEY = `0x${'97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'}`
const readWords = (name: CommandName, ...words: string[]) => readArguments(words, commandNamed(name))

describe('an amount that can be meant in two ways', () => {
  test.each<[CommandName, string]>([
    ['leave', '--amount'],
    ['watch', '--margin'],
    ['verify', '--amount'],
  ])('is refused by %s %s', (name, option) => {
    expect(() => readWords(name, option, '10.000')).toThrow(/10\.000 .* 10,000/)
    expect(readWords(name, option, '10,000').options).toEqual({ [option.slice(2)]: '10,000' })
  })
})

describe('an address or a key of an option', () => {
  test.each<[CommandName, string, string]>([
    ['sign', 'withdrawal', ADDRESS],
    ['status', 'validator', PUBKEY],
    ['verify', 'pubkey', PUBKEY],
    ['verify', 'root', `0x${'ab'.repeat(32)}`],
  ])('of %s --%s is taken in the groups that a screen shows', (name, option, text) => {
    expect(readWords(name, `--${option}`, groupHex(text)).options).toEqual({ [option]: text })
  })

  test.each([
    ['\u200b', 'U+200B'],
    ['\ufeff', 'U+FEFF'],
    ['\u202d', 'U+202D'],
    ['\u00a0', 'U+00A0'],
  ])('with %j in it is refused by its code point and place', (unseen, point) => {
    const text = `${ADDRESS.slice(0, 10)}${unseen}${ADDRESS.slice(10)}`
    for (const option of ['withdrawal', 'operator'])
      expect(() => readWords('sign', `--${option}`, text)).toThrow(
        pattern`^--${option}: .* 11 of 43 .*${point}`,
      )
    expect(() => readWords('status', '--validator', `${unseen}${PUBKEY}`)).toThrow(/1 of 99/)
  })

  test('that may be a private key is refused in groups too, and not repeated', () => {
    const words = ['--validator', groupHex(`0x${'ab'.repeat(32)}`)]
    expect(() => readWords('status', ...words)).toThrow(/private key/)
    expect(() => readWords('status', ...words)).not.toThrow(/abab/)
  })
})
