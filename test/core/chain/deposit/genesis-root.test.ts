import { BooleanType, ByteVectorType, ContainerType, ListCompositeType, UintBigintType } from '@chainsafe/ssz'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../../../src/core/base/format/hex.ts'
import { useFastHasher } from '../../../../src/core/chain/deposit/fast-hasher.ts'
import {
  type GenesisDeposit,
  genesisValidatorsRoot,
} from '../../../../src/core/chain/deposit/genesis-root.ts'
import { hashPairs, plainHashPairs } from '../../../../src/core/chain/deposit/hash-pairs.ts'
import { readGenesis } from '../../../../src/core/chain/identity/read-genesis.ts'
import { vectorText } from '../../../support/vector-lines.ts'

const LIMITS = {
  effectiveBalanceIncrementGwei: tokens(10_000n),
  maxEffectiveBalanceGwei: tokens(10_000_000n),
  activationBalanceGwei: tokens(250_000n),
}
const FAR_FUTURE = 2n ** 64n - 1n
const uint64 = new UintBigintType(8)
const Validator = new ContainerType({
  pubkey: new ByteVectorType(48),
  credentials: new ByteVectorType(32),
  effectiveBalance: uint64,
  slashed: new BooleanType(),
  eligibility: uint64,
  activation: uint64,
  exit: uint64,
  withdrawable: uint64,
})
const Validators = new ListCompositeType(Validator, 2 ** 40)

function rootBySsz(deposits: readonly GenesisDeposit[]): Hex {
  const values = deposits.map(({ pubkey, withdrawalCredentials, amountGwei }) => {
    const floored = amountGwei - (amountGwei % LIMITS.effectiveBalanceIncrementGwei)
    const effective = floored > LIMITS.maxEffectiveBalanceGwei ? LIMITS.maxEffectiveBalanceGwei : floored
    const activation = effective >= LIMITS.activationBalanceGwei ? 0n : FAR_FUTURE
    return {
      pubkey: hexToBytes(pubkey),
      credentials: hexToBytes(withdrawalCredentials),
      effectiveBalance: effective,
      slashed: false,
      eligibility: activation,
      activation,
      exit: FAR_FUTURE,
      withdrawable: FAR_FUTURE,
    }
  })
  return bytesToHex(Validators.hashTreeRoot(values))
}

const hex = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex)
const genesisDeposit = fc.record({
  pubkey: hex(48),
  withdrawalCredentials: hex(32),
  amountGwei: fc.oneof(
    fc.bigInt({ min: 0n, max: FAR_FUTURE }),
    fc.constantFrom(tokens(250_000n), tokens(250_000n) - 1n, tokens(10_000_000n), tokens(10_010_000n), 0n),
  ),
})

describe('the genesis validators root', () => {
  test('of the two real networks is the known one', () => {
    const root = (network: string) =>
      genesisValidatorsRoot(readGenesis(vectorText(`networks/${network}/genesis.json`)).deposits, LIMITS)
    expect(root('mainnet')).toBe('0xdf609e3b062842c6425ff716aec2d2092c46455d9b2e1a2c9e32c6ba63ff0bda')
    expect(root('bepolia')).toBe('0x3cbcf75b02fe4750c592f1c1ff8b5500a74406f80f038e9ff250e2e294c5615e')
  })

  test('is that of the SSZ library, for any list', () => {
    const run = fc.property(fc.array(genesisDeposit, { maxLength: 40 }), (deposits) => {
      expect(genesisValidatorsRoot(deposits, LIMITS)).toBe(rootBySsz(deposits))
    })
    fc.assert(run, { numRuns: 200 })
  })

  test('is that of the SSZ library across the border of a batch', () => {
    const many = (count: number): GenesisDeposit[] =>
      Array.from({ length: count }, (_, index) => ({
        pubkey: `0x${index.toString(16).padStart(96, '0')}`,
        withdrawalCredentials: `0x${index.toString(16).padStart(64, '1')}`,
        amountGwei: tokens(BigInt(index) * 777n),
      }))
    for (const count of [2047, 2048, 2049, 4099]) {
      expect(genesisValidatorsRoot(many(count), LIMITS)).toBe(rootBySsz(many(count)))
    }
  })

  test('changes with any byte of any deposit', () => {
    const { deposits } = readGenesis(vectorText('networks/bepolia/genesis.json'))
    const before = genesisValidatorsRoot(deposits, LIMITS)
    const run = fc.property(fc.nat(deposits.length - 1), fc.nat(79), (position, at) => {
      const altered = deposits.map((deposit, index) => {
        if (index !== position) return deposit
        const joined = Buffer.from(deposit.pubkey.slice(2) + deposit.withdrawalCredentials.slice(2), 'hex')
        joined[at] = (joined[at] ?? 0) ^ 1
        const [pubkey, rest] = [joined.subarray(0, 48), joined.subarray(48)]
        return { ...deposit, pubkey: bytesToHex(pubkey), withdrawalCredentials: bytesToHex(rest) }
      })
      expect(genesisValidatorsRoot(altered, LIMITS)).not.toBe(before)
    })
    fc.assert(run, { numRuns: 100 })
  })

  test('names the deposit that is not hex of its length', () => {
    const odd = { pubkey: '0x1234', withdrawalCredentials: `0x${'00'.repeat(32)}`, amountGwei: 1n } as const
    const named = expect.objectContaining({ shortMessage: expect.stringContaining('genesis deposit 0') })
    expect(() => genesisValidatorsRoot([odd], LIMITS)).toThrow(named)
    const notHex = { ...odd, pubkey: `0x${'zz'.repeat(48)}` } as const
    expect(() => genesisValidatorsRoot([notHex], LIMITS)).toThrow(named)
    const wide = { ...odd, pubkey: `0x${'11'.repeat(48)}`, amountGwei: 2n ** 64n } as const
    expect(() => genesisValidatorsRoot([wide], LIMITS)).toThrow(
      expect.objectContaining({ code: 'deposit.bad-field' }),
    )
  })
})

test('the fast and the plain pair hasher agree', () => {
  const input = Uint8Array.from({ length: 64 * 33 }, (_, index) => (index * 7) & 0xff)
  const fast = new Uint8Array(input.length / 2)
  const plain = new Uint8Array(input.length / 2)
  hashPairs(input, fast)
  plainHashPairs(input, plain)
  expect(fast).toEqual(plain)
})

test('the native hasher for SSZ is taken only after it agreed', async () => {
  const { deposits } = readGenesis(vectorText('networks/bepolia/genesis.json'))
  const before = rootBySsz(deposits)
  expect(await useFastHasher()).toMatch(/^(?:native|plain)$/)
  expect(rootBySsz(deposits)).toBe(before)
})
