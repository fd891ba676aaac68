import fc from 'fast-check'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { bytesToHex, type Hex } from '../../../../src/core/base/format/hex.ts'
import {
  areAllReceipts,
  type BlockReceipt,
  mayHoldLog,
  type ReceiptLog,
} from '../../../../src/core/chain/proofs/execution-proof.ts'
import { buildTrie, encodeItem, encodeNumber } from './simple-trie.ts'

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
const fixed = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(bytesToHex)

const log: fc.Arbitrary<ReceiptLog> = fc.record({
  address: fixed(20),
  topics: fc.array(fixed(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 100 }).map(bytesToHex),
})

/** Types of EIP-2718, with that of the network's own transaction (126) among them. */
const receipt: fc.Arbitrary<BlockReceipt> = fc.record({
  type: fc.constantFrom(0, 1, 2, 3, 4, 126, 127),
  status: fc.constantFrom(0, 1),
  cumulativeGasUsed: fc.bigInt({ min: 21_000n, max: 36_000_000n }),
  logsBloom: fc.nat().map(
    (seed): Hex =>
      `0x${keccak256(encodeNumber(BigInt(seed)))
        .slice(2)
        .repeat(8)}`,
  ),
  logs: fc.array(log, { maxLength: 3 }),
})

function encodeReceipt({ type, status, cumulativeGasUsed, logsBloom, logs }: BlockReceipt): Buffer {
  const body = encodeItem([
    encodeNumber(BigInt(status)),
    encodeNumber(cumulativeGasUsed),
    bytesOf(logsBloom),
    logs.map(({ address, topics, data }) => [bytesOf(address), topics.map(bytesOf), bytesOf(data)]),
  ])
  return type === 0 ? body : Buffer.concat([Buffer.of(type), body])
}

function rootOf(receipts: readonly BlockReceipt[]): Hex {
  const entries = receipts.map((one, index): [string, Buffer] => [
    encodeItem(encodeNumber(BigInt(index))).toString('hex'),
    encodeReceipt(one),
  ])
  return buildTrie(new Map(entries)).root
}

type Change = (receipts: readonly BlockReceipt[], at: number) => readonly BlockReceipt[]

const changeOne =
  (change: (one: BlockReceipt) => Partial<BlockReceipt>): Change =>
  (receipts, at) =>
    receipts.map((one, index) => (index === at ? { ...one, ...change(one) } : one))

const CHANGES: Readonly<Record<string, Change>> = {
  'is left out': (receipts, at) => receipts.toSpliced(at, 1),
  'is there twice': (receipts, at) => [...receipts.slice(0, at + 1), ...receipts.slice(at)],
  'stands elsewhere': (receipts) => receipts.toReversed(),
  'has another status': changeOne(({ status }) => ({ status: 1 - status })),
  'has another type': changeOne(({ type }) => ({ type: type === 2 ? 0 : 2 })),
  'has used other gas': changeOne(({ cumulativeGasUsed: gas }) => ({ cumulativeGasUsed: gas + 1n })),
  'lacks a log': changeOne(({ logs }) => ({ logs: logs.slice(1) })),
  'lacks a topic': changeOne(({ logs }) => ({
    logs: logs.map((one) => ({ ...one, topics: one.topics.slice(1) })),
  })),
  'has other data in a log': changeOne(({ logs }) => ({
    logs: logs.map((one) => ({ ...one, data: `${one.data}00` as Hex })),
  })),
}

describe('the receipts of a block', () => {
  test('hash to the root that a trie of them has', () => {
    fc.assert(
      fc.property(fc.array(receipt, { maxLength: 20 }), (receipts) => {
        expect(areAllReceipts(rootOf(receipts), receipts)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  test('hash to it where an index takes two bytes, and three', () => {
    const [one] = fc.sample(receipt, { numRuns: 1, seed: 1 })
    if (one === undefined) throw new Error('there is no receipt')
    const receipts = Array.from({ length: 300 }, (_, at) => ({ ...one, cumulativeGasUsed: BigInt(at) }))
    for (const length of [1, 127, 128, 129, 130, 255, 256, 257, 300]) {
      const some = receipts.slice(0, length)
      expect([length, areAllReceipts(rootOf(some), some)]).toEqual([length, true])
      expect(areAllReceipts(rootOf(some), some.slice(1))).toBe(false)
    }
  })

  test.each(Object.entries(CHANGES))('do not hash to it where one %s', (_, change) => {
    const changed = fc.array(receipt, { minLength: 1, maxLength: 8 }).chain((receipts) =>
      fc.record({
        receipts: fc.constant(receipts),
        other: fc.nat({ max: receipts.length - 1 }).map((at) => change(receipts, at)),
      }),
    )
    fc.assert(
      fc.property(changed, ({ receipts, other }) => {
        const isSame = rootOf(receipts) === rootOf(other)
        fc.pre(!isSame)
        expect(areAllReceipts(rootOf(receipts), other)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })

  test('have no type that could be the beginning of another receipt', () => {
    const [one] = fc.sample(receipt, { numRuns: 1, seed: 2 })
    if (one === undefined) throw new Error('there is no receipt')
    for (const [type, isType] of [
      [127, true],
      [128, false],
      [249, false],
    ] as const) {
      const receipts = [{ ...one, type }]
      expect([type, areAllReceipts(rootOf(receipts), receipts)]).toEqual([type, isType])
    }
  })
})

/** The bloom of logs, bit by bit: three bits for each address and topic (Yellow Paper, "Transaction Receipt"). */
function bloomOf(logs: readonly ReceiptLog[]): Hex {
  const bloom = Buffer.alloc(256)
  for (const bit of logs.flatMap(bitsOf)) {
    const at = 255 - Math.floor(bit / 8)
    bloom.writeUInt8(bloom.readUInt8(at) | (1 << (bit % 8)), at)
  }
  return bytesToHex(bloom)
}

const bitsOf = ({ address, topics }: Omit<ReceiptLog, 'data'>): number[] =>
  [address, ...topics].flatMap((entry) => {
    const digest = bytesOf(keccak256(entry))
    return [0, 2, 4].map((from) => digest.readUInt16BE(from) % 2048)
  })

describe('the bloom of a block', () => {
  test('never denies a log that it was made of, whole or by some of its topics', () => {
    fc.assert(
      fc.property(fc.array(log, { minLength: 1, maxLength: 20 }), (logs) => {
        const bloom = bloomOf(logs)
        for (const one of logs) {
          expect(mayHoldLog(bloom, one)).toBe(true)
          expect(mayHoldLog(bloom, { ...one, topics: one.topics.slice(1) })).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('denies a log exactly where it lacks a bit of it', () => {
    fc.assert(
      fc.property(fc.array(log, { maxLength: 60 }), log, (logs, other) => {
        const bits = new Set(logs.flatMap(bitsOf))
        expect(mayHoldLog(bloomOf(logs), other)).toBe(bitsOf(other).every((bit) => bits.has(bit)))
      }),
      { numRuns: 200 },
    )
  })
})
