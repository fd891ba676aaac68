import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contractAddressFault,
  isPoolValidator,
  POOLS_TEXT,
} from '../../../../src/core/chain/network/pools.ts'
import { BEPOLIA, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { withdrawalCredentials } from '../../../../src/devnet/scenarios.ts'

const HEX40 = fc.stringMatching(/^[0-9a-f]{40}$/)

describe.each([MAINNET, BEPOLIA])('the pools of $label', ({ pools, ...network }) => {
  if (pools === undefined) throw new Error('no pools are known')
  const known = { ...network, pools }

  test('have validators that pay out to the vault, and no others', () => {
    expect(isPoolValidator(withdrawalCredentials(pools.vault), known)).toBe(true)
    const upper = withdrawalCredentials(pools.vault).toUpperCase().replace('0X', '0x') as `0x${string}`
    expect(isPoolValidator(upper, known)).toBe(true)
    fc.assert(
      fc.property(HEX40, (address) => {
        expect(isPoolValidator(withdrawalCredentials(`0x${address}`), known)).toBe(
          `0x${address}` === pools.vault,
        )
      }),
    )
  })

  test('are no addresses of one’s own', () => {
    expect(contractAddressFault(pools.vault, known)).toBe(POOLS_TEXT.vault)
    for (const factory of pools.factories)
      expect(contractAddressFault(factory, known)).toBe(POOLS_TEXT.factory)
    expect(contractAddressFault(`0x${'1'.repeat(40)}`, known)).toBeUndefined()
  })

  test('are refused beside the deposit contract, in any letters', () => {
    const { depositContract } = known.spec
    expect(contractAddressFault(depositContract, known)).toBe(POOLS_TEXT.depositContract)
    const other = `0x${'Ab'.repeat(20)}` as const
    const elsewhere = { ...known, spec: { ...known.spec, depositContract: other } }
    expect(contractAddressFault(other.toLowerCase(), elsewhere)).toBe(POOLS_TEXT.depositContract)
  })

  test('are unknown where a network names none: then nothing is said of them', () => {
    expect(isPoolValidator(withdrawalCredentials(pools.vault), {})).toBe(false)
    expect(contractAddressFault(pools.vault, { spec: network.spec })).toBeUndefined()
  })
})
