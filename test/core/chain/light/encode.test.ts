import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Claims, readClaims } from '../../../../scripts/vectors/commits.ts'
import {
  type EngineHeader,
  encodeVote,
  engineAddressOf,
  hashHeader,
  hashSet,
  hashTransactions,
} from '../../../../src/core/chain/light/encode.ts'
import { ROWS, rowAt } from './rows.ts'

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest()
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const upper = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
const leaf = (bytes: Uint8Array): Buffer => sha256(hex('00'), bytes)
const node = (left: Uint8Array, right: Uint8Array): Buffer => sha256(hex('01'), left, right)

let claims: Claims[] = []
beforeAll(async () => {
  claims = await Promise.all(ROWS.map(readClaims))
})

describe('hashHeader', () => {
  test('returns the hash that each recorded commit is for', () => {
    for (const { signed } of claims) expect(hashHeader(signed.header)).toBe(signed.commit.blockId.hash)
  })

  test('leaves out whatever is zero or empty', () => {
    const empty: EngineHeader = {
      version: { block: 0n, app: 0n },
      chainId: '',
      height: 0n,
      time: { seconds: 0n, nanos: 0 },
      lastBlockId: { hash: '', parts: { total: 0, hash: '' } },
      lastCommitHash: '',
      dataHash: '',
      validatorsHash: '',
      nextValidatorsHash: '',
      consensusHash: '',
      appHash: '',
      lastResultsHash: '',
      evidenceHash: '',
      proposerAddress: '',
    }
    const none = leaf(hex(''))
    const two = node(none, none)
    const four = node(two, two)
    // The fifth of 14 leaves is the block id, whose parts are written even where they are empty.
    const withId = node(node(leaf(hex('1200')), none), two)
    expect(hashHeader(empty)).toBe(upper(node(node(four, withId), node(four, two))))
  })

  test('changes with every field', () => {
    const [, first] = claims
    if (first === undefined) throw new RangeError('no rows')
    const { header } = first.signed
    const { lastBlockId, time, version } = header
    const { parts } = lastBlockId
    const changes: readonly Partial<EngineHeader>[] = [
      { version: { ...version, block: 12n } },
      { version: { ...version, app: 1n } },
      { chainId: 'beacond-2062' },
      { height: 3n },
      { time: { ...time, seconds: time.seconds + 1n } },
      { time: { ...time, nanos: time.nanos + 1 } },
      { lastBlockId: { ...lastBlockId, hash: 'AA' } },
      { lastBlockId: { ...lastBlockId, parts: { ...parts, total: parts.total + 1 } } },
      { lastBlockId: { ...lastBlockId, parts: { ...parts, hash: 'AA' } } },
      { lastCommitHash: 'AA' },
      { dataHash: 'AA' },
      { validatorsHash: 'AA' },
      { nextValidatorsHash: 'AA' },
      { consensusHash: 'AA' },
      { appHash: 'AA' },
      { lastResultsHash: 'AA' },
      { evidenceHash: 'AA' },
      { proposerAddress: 'AA' },
    ]
    const hashes = [header, ...changes.map((change) => ({ ...header, ...change }))].map(hashHeader)
    expect(new Set(hashes).size).toBe(changes.length + 1)
  })
})

describe('hashSet', () => {
  const key = Buffer.alloc(96, 7).toString('base64')

  test('returns the hash that each recorded header names', () => {
    for (const { signed, set } of claims) expect(hashSet(set)).toBe(signed.header.validatorsHash)
  })

  test('hashes one member as one leaf: its key in field 3 of field 1, then its power', () => {
    // 0a 62: field 1, 98 bytes; 1a 60: field 3, 96 bytes; 10 ac 02: field 2, 300.
    const encoded = Buffer.concat([hex('0a621a60'), Buffer.alloc(96, 7), hex('10ac02')])
    expect(hashSet([{ key, power: 300n }])).toBe(upper(leaf(encoded)))
  })

  test('hashes no members as nothing', () => {
    expect(hashSet([])).toBe(upper(sha256()))
  })
})

describe('hashTransactions', () => {
  test('returns the data hash of each recorded header', () => {
    for (const { signed, transactions } of claims)
      expect(hashTransactions(transactions)).toBe(signed.header.dataHash)
  })

  test('splits at the largest power of two below the number of transactions', () => {
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((text) => leaf(sha256(Buffer.from(text)))) as [
      Buffer,
      Buffer,
      Buffer,
      Buffer,
      Buffer,
    ]
    const hashed = (text: string) => hashTransactions([...text].map((letter) => Buffer.from(letter)))
    expect(hashed('a')).toBe(upper(a))
    expect(hashed('ab')).toBe(upper(node(a, b)))
    expect(hashed('abc')).toBe(upper(node(node(a, b), c)))
    expect(hashed('abcde')).toBe(upper(node(node(node(a, b), node(c, d)), e)))
  })

  test('never takes an inner node for a transaction', () => {
    const [one, other] = [Buffer.from('one'), Buffer.from('other')]
    const inner = Buffer.concat([leaf(sha256(one)), leaf(sha256(other))])
    expect(hashTransactions([inner])).not.toBe(hashTransactions([one, other]))
  })
})

describe('engineAddressOf', () => {
  test('returns the address that the engine gives each recorded key', () => {
    for (const { set, addresses } of claims)
      expect(set.map((member) => engineAddressOf(member.key))).toEqual(addresses)
  })
})

describe('encodeVote', () => {
  const blockId = { hash: 'AB'.repeat(32), parts: { total: 1, hash: 'CD'.repeat(32) } }
  const idBytes = `0a20${'ab'.repeat(32)}1224080112 20${'cd'.repeat(32)}`.replace(' ', '')

  test('writes type, height, block id and chain id, and leaves a first round out', () => {
    const encoded = encodeVote({ chainId: 'c', height: 258n, round: 0, blockId })
    const body = `0802${'11'}0201000000000000${'2248'}${idBytes}${'320163'}`
    expect(Buffer.from(encoded).toString('hex')).toBe(`${(body.length / 2).toString(16)}${body}`)
  })

  test('writes a later round with a fixed length', () => {
    const encoded = encodeVote({ chainId: 'c', height: 258n, round: 1, blockId })
    const body = `0802${'11'}0201000000000000${'19'}0100000000000000${'2248'}${idBytes}${'320163'}`
    expect(Buffer.from(encoded).toString('hex')).toBe(`${(body.length / 2).toString(16)}${body}`)
  })

  test('tells recorded rounds apart', () => {
    expect(ROWS.some(({ commit }) => commit.commit.round === 1)).toBe(true)
    expect(rowAt(61).commit.commit.round).toBe(1)
  })
})
