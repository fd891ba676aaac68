import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type BaseError, isError } from '../../../../src/core/base/errors/base.ts'
import { readSpecToml } from '../../../../src/core/chain/network/spec-fields.ts'

const spec = readFileSync(new URL('../../../vectors/networks/bepolia/spec.toml', import.meta.url), 'utf8')

const KEYS = [
  'slots-per-epoch',
  'target-seconds-per-eth1-block',
  'max-effective-balance',
  'effective-balance-increment',
  'min-activation-balance',
  'hysteresis-quotient',
  'hysteresis-downward-multiplier',
  'hysteresis-upward-multiplier',
  'hysteresis-quotient-fulu',
  'hysteresis-upward-multiplier-fulu',
  'validator-set-cap',
  'min-validator-withdrawability-delay',
  'max-withdrawals-per-payload',
  'max-validators-per-withdrawals-sweep',
  'max-deposits-per-block',
  'deposit-eth1-chain-id',
  'deposit-contract-address',
  'genesis-time',
  'electra-fork-time',
  'electra-one-fork-time',
  'fulu-fork-time',
]

function withLine(key: string, line: string): string {
  return spec.replace(new RegExp(`^${key} = .*$`, 'm'), line)
}

function faultOf(text: string): BaseError {
  try {
    readSpecToml(text)
  } catch (thrown) {
    if (isError(thrown, 'network')) return thrown
    throw thrown
  }
  throw new Error('accepted')
}

describe('readSpecToml', () => {
  test('keeps every digit of amounts beyond 2^53', () => {
    expect(
      readSpecToml(withLine('max-effective-balance', 'max-effective-balance = 10_000_010_000_000_000_000')),
    ).toMatchObject({ maxEffectiveBalanceGwei: 10_000_010_000_000_000_000n })
  })

  test.each(KEYS)('names %s when it is missing', (key) => {
    const fault = faultOf(withLine(key, ''))
    expect(fault.code).toBe('network.field')
    expect(fault.shortMessage).toContain(key)
  })

  test.each(KEYS)('names %s when it is of another kind', (key) => {
    expect(faultOf(withLine(key, `${key} = [1]`)).details).toContain(`field: ${key}`)
    expect(faultOf(withLine(key, `${key} = -1`)).details).toContain(`field: ${key}`)
  })

  test('refuses a deposit domain that is not the one deposits are signed for', () => {
    expect(faultOf(withLine('domain-type-deposit', 'domain-type-deposit = 4')).shortMessage).toContain(
      'domain-type-deposit',
    )
  })

  test('refuses limits that contradict each other and forks out of order', () => {
    expect(
      faultOf(withLine('max-effective-balance', 'max-effective-balance = 10_000_000_000_000')).details,
    ).toContain('field: max-effective-balance')
    expect(faultOf(withLine('electra-one-fork-time', 'electra-one-fork-time = 1')).details).toContain(
      'field: electra-one-fork-time',
    )
    expect(
      faultOf(withLine('effective-balance-increment', 'effective-balance-increment = 7')).details,
    ).toContain('field: effective-balance-increment')
    expect(faultOf(withLine('fulu-fork-time', 'fulu-fork-time = 1')).details).toContain(
      'field: fulu-fork-time',
    )
  })

  test('says so when the text is not TOML', () => {
    expect(faultOf('slots-per-epoch = = 3').code).toBe('network.unreadable')
  })
})
