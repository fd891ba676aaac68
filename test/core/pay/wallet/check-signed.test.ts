import { secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import {
  fromRlp,
  keccak256,
  numberToHex,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializable,
  toRlp,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { UnsignedTransaction } from '../../../../src/core/base/effects/effects.ts'
import { bytesToHex, type Hex } from '../../../../src/core/base/format/hex.ts'
import { checkSigned } from '../../../../src/core/pay/wallet/check-signed.ts'
import { WALLET_TEXT } from '../../../../src/core/pay/wallet/text.ts'

const bigintBelow = (end: bigint) => fc.bigInt({ min: 0n, max: end - 1n })
const hexOf = (length: { minLength: number; maxLength: number }) => fc.uint8Array(length).map(bytesToHex)
const address = hexOf({ minLength: 20, maxLength: 20 })
const privateKey = hexOf({ minLength: 32, maxLength: 32 }).map((hex) => `0x01${hex.slice(4)}` as const)

const prepared: fc.Arbitrary<UnsignedTransaction> = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 40 }),
  nonce: fc.nat(),
  to: address,
  valueWei: bigintBelow(10n ** 26n),
  data: hexOf({ minLength: 0, maxLength: 600 }),
  gasLimit: fc.bigInt({ min: 21_000n, max: 500_000n }),
  maxFeePerGasWei: fc.bigInt({ min: 10n ** 9n, max: 10n ** 12n }),
  maxPriorityFeePerGasWei: bigintBelow(10n ** 9n),
})

/** The same transaction in the words of the signer. */
function serializable(transaction: UnsignedTransaction) {
  const { chainId, nonce, to, data } = transaction
  return {
    type: 'eip1559',
    chainId,
    nonce,
    to,
    data,
    value: transaction.valueWei,
    gas: transaction.gasLimit,
    maxFeePerGas: transaction.maxFeePerGasWei,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGasWei,
  } as const
}

async function sign(key: Hex, transaction: TransactionSerializable): Promise<{ raw: Hex; from: Hex }> {
  const account = privateKeyToAccount(key)
  return { raw: await account.signTransaction(transaction), from: account.address }
}

const refused = (field: string) => ({
  code: 'wallet.not-as-prepared',
  shortMessage: `The signed transaction has another ${field} than was prepared.`,
  money: 'untouched',
})

/** One change of one field, and the name under which it must be found. */
const CHANGES: readonly [
  field: string,
  change: (transaction: UnsignedTransaction) => Partial<UnsignedTransaction>,
][] = [
  ['chain id', ({ chainId }) => ({ chainId: chainId + 1 })],
  ['nonce', ({ nonce }) => ({ nonce: nonce + 1 })],
  ['nonce', ({ nonce }) => ({ nonce: nonce === 0 ? 1 : 0 })],
  ['receiver', ({ to }) => ({ to: `${to.slice(0, -1)}${to.endsWith('0') ? '1' : '0'}` as Hex })],
  ['value', ({ valueWei }) => ({ valueWei: valueWei + 1n })],
  ['value', ({ valueWei }) => ({ valueWei: valueWei + 10n ** 9n })],
  ['value', ({ valueWei }) => ({ valueWei: valueWei === 0n ? 1n : 0n })],
  ['calldata', ({ data }) => ({ data: `${data}00` })],
  ['calldata', ({ data }) => ({ data: data === '0x' ? '0x01' : '0x' })],
  ['gas limit', ({ gasLimit }) => ({ gasLimit: gasLimit + 1n })],
  ['highest fee per gas', ({ maxFeePerGasWei }) => ({ maxFeePerGasWei: maxFeePerGasWei + 1n })],
  ['highest tip per gas', ({ maxPriorityFeePerGasWei: tip }) => ({ maxPriorityFeePerGasWei: tip + 1n })],
]

describe('signed bytes', () => {
  test('that are what was prepared give the hash that the chain will know them by', () =>
    fc.assert(
      fc.asyncProperty(prepared, privateKey, async (transaction, key) => {
        const { raw, from } = await sign(key, serializable(transaction))
        expect(await checkSigned(raw, { transaction, from })).toBe(keccak256(raw))
      }),
      { numRuns: 40 },
    ))

  test.each(CHANGES)('with another %s are refused by name', (field, change) =>
    fc.assert(
      fc.asyncProperty(prepared, privateKey, async (transaction, key) => {
        const { raw, from } = await sign(key, serializable({ ...transaction, ...change(transaction) }))
        await expect(checkSigned(raw, { transaction, from })).rejects.toMatchObject(refused(field))
      }),
      { numRuns: 20 },
    ),
  )

  test('from another account are refused', () =>
    fc.assert(
      fc.asyncProperty(prepared, privateKey, address, async (transaction, key, from) => {
        const { raw } = await sign(key, serializable(transaction))
        await expect(checkSigned(raw, { transaction, from })).rejects.toMatchObject(refused('sender'))
      }),
      { numRuns: 20 },
    ))

  test('with an access list are refused', () =>
    fc.assert(
      fc.asyncProperty(prepared, privateKey, address, async (transaction, key, listed) => {
        const accessList = [{ address: listed, storageKeys: [] }]
        const { raw, from } = await sign(key, { ...serializable(transaction), accessList })
        await expect(checkSigned(raw, { transaction, from })).rejects.toMatchObject(
          refused('access list entries'),
        )
      }),
      { numRuns: 20 },
    ))

  test('of an older or newer type are refused', async () => {
    const [transaction] = fc.sample(prepared, { numRuns: 1, seed: 1 })
    if (transaction === undefined) throw new Error('no sample')
    const { chainId, nonce, to, value, data, gas } = serializable(transaction)
    const common = { chainId, nonce, to, value, data, gas }
    const types: TransactionSerializable[] = [
      { ...common, type: 'legacy', gasPrice: 10n ** 9n },
      { ...common, type: 'eip2930', gasPrice: 10n ** 9n },
      { ...serializable(transaction), type: 'eip7702', authorizationList: [] },
    ]
    for (const type of types) {
      const { raw, from } = await sign(`0x${'11'.repeat(32)}`, type)
      await expect(checkSigned(raw, { transaction, from })).rejects.toMatchObject(refused('type'))
    }
  })

  test('with the other form of the same signature, which no chain takes, are refused', () =>
    fc.assert(
      fc.asyncProperty(prepared, privateKey, async (transaction, key) => {
        const { raw, from } = await sign(key, serializable(transaction))
        const { r, s, yParity } = parseTransaction(raw as `0x02${string}`)
        const high = numberToHex(secp256k1.Point.CURVE().n - BigInt(s ?? 0), { size: 32 })
        const other = { r: r ?? '0x', s: high, yParity: yParity === 0 ? 1 : 0 }
        const malleated = serializeTransaction(serializable(transaction), other)
        const outcome = checkSigned(malleated, { transaction, from })
        await expect(outcome).rejects.toMatchObject(refused(WALLET_TEXT.fields.signature))
      }),
      { numRuns: 20 },
    ))

  test('with zeros before a number, which no chain takes, are refused', () =>
    fc.assert(
      fc.asyncProperty(prepared, privateKey, fc.nat({ max: 6 }), async (transaction, key, at) => {
        const { raw, from } = await sign(key, serializable(transaction))
        const parts = fromRlp(`0x${raw.slice(4)}`, 'hex') as Hex[]
        const place = [0, 1, 2, 3, 4, 6, 9][at] ?? 0
        const longer = parts.map((part, index) => (index === place ? (`0x00${part.slice(2)}` as Hex) : part))
        const odd = `0x02${toRlp(longer).slice(2)}` as Hex
        await expect(checkSigned(odd, { transaction, from })).rejects.toMatchObject({ money: 'untouched' })
      }),
      { numRuns: 40 },
    ))

  test('with any byte changed, cut off or added never pass', () =>
    fc.assert(
      fc.asyncProperty(
        prepared,
        privateKey,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 20, maxLength: 20 }),
        async (transaction, key, places) => {
          const { raw, from } = await sign(key, serializable(transaction))
          const bytes = Buffer.from(raw.slice(2), 'hex')
          const altered = places.map(([place, by]) => {
            const copy = Buffer.from(bytes)
            const at = place % copy.length
            copy[at] = (copy[at] ?? 0) ^ by
            return copy
          })
          altered.push(bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)]), Buffer.alloc(0))
          for (const copy of altered) {
            const outcome = checkSigned(bytesToHex(copy), { transaction, from })
            await expect(outcome).rejects.toMatchObject({ money: 'untouched' })
          }
        },
      ),
      { numRuns: 20 },
    ))

  test('that are no hex at all are refused', async () => {
    const [transaction] = fc.sample(prepared, { numRuns: 1, seed: 1 })
    if (transaction === undefined) throw new Error('no sample')
    const expected = { transaction, from: transaction.to }
    for (const raw of ['', '02', '0x', '0x02', '0x2', '0x02zz', 'hello'] as Hex[]) {
      await expect(checkSigned(raw, expected)).rejects.toMatchObject({
        code: expect.stringMatching(/^wallet\./),
      })
    }
  })
})
