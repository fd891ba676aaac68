import { describe, expect, test } from 'vitest'
import { readArguments } from '../../src/commands/read-arguments.ts'
import { commandNamed, WIZARD } from '../../src/commands/table.ts'
import type { CommandName } from '../../src/commands/table-options.ts'

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
