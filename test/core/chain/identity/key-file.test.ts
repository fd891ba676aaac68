import { bls12_381 } from '@noble/curves/bls12-381.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import { hexToBytes } from '../../../../src/core/base/format/hex.ts'
import { compressedKey, engineKey } from '../../../../src/core/chain/identity/engine-key.ts'
import { readKeyFile } from '../../../../src/core/chain/identity/key-file.ts'
import { keyedDeposits } from '../../../support/signed-deposit.ts'
import { vectorText } from '../../../support/vector-lines.ts'

const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const example = vectorText('deposits/priv_validator_key.json')
type KeyJson = {
  address: string
  pub_key: { type: string; value: string }
  priv_key: { type: string; value: string }
}
const exampleJson = (): KeyJson => JSON.parse(example) as KeyJson

function read(content: unknown, prefix = 'cometbft') {
  return readKeyFile(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), prefix)
}

function withScalar(scalar: bigint): KeyJson {
  const value = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').toString('base64')
  return { ...exampleJson(), priv_key: { ...exampleJson().priv_key, value } }
}

describe('a key file', () => {
  test('that is no object is refused, and its content is named', () => {
    const parts = { code: 'key-file.bad-field', details: expect.arrayContaining(['field: content']) }
    for (const text of ['[]', '7', 'null']) expect(() => read(text)).toThrow(expect.objectContaining(parts))
  })

  test('is refused for its byte-order mark or UTF-16, since the node refuses it too', () => {
    for (const bytes of [Buffer.from(`\ufeff${example}`), Buffer.from(example, 'utf16le')])
      expect(() => readKeyFile(bytes, 'cometbft')).toThrow(expect.objectContaining({ code: 'home.encoding' }))
  })

  test('of the node tool gives its public facts', () => {
    const { facts } = read(example)
    expect(facts).toMatchObject({
      pubkey:
        '0xa9e6b518aa2d9e4acbc011c1d6e2c55192f08b682bf2aa0a84527fe645b34ca270ab15f9cc9637b61d01fca50e1167bd',
      address: 'F2079CDB35CC19F07C9F6BAA20936BD19E035454',
      storedPubkeyMatches: true,
      storedAddressMatches: true,
      publishedKey: true,
    })
  })

  test('with a random key is not called published', () => {
    for (const { keyFile, pubkey } of keyedDeposits()) {
      expect(read(keyFile).facts).toMatchObject({ pubkey, publishedKey: false, storedPubkeyMatches: true })
    }
  })

  test('whose stored key or address is another one says so, and derives its own', () => {
    const other = keyedDeposits()[0]?.keyFile ?? ''
    const mixed = {
      ...exampleJson(),
      pub_key: (JSON.parse(other) as KeyJson).pub_key,
      address: '00'.repeat(20),
    }
    const { facts } = read(mixed)
    expect(facts).toMatchObject({ storedPubkeyMatches: false, storedAddressMatches: false })
    expect(facts.pubkey).toBe(read(example).facts.pubkey)
  })

  test('of type ed25519, or of another network’s prefix, is refused in words', () => {
    const ed25519 = { ...exampleJson(), pub_key: { type: 'tendermint/PubKeyEd25519', value: '' } }
    expect(() => read(ed25519)).toThrow(
      expect.objectContaining({
        code: 'key-file.wrong-type',
        shortMessage: expect.stringContaining('ed25519'),
      }),
    )
    expect(() => read(example, 'other')).toThrow(expect.objectContaining({ code: 'key-file.wrong-type' }))
  })

  test('with a scalar of zero or from the group order on is refused', () => {
    for (const scalar of [0n, ORDER, ORDER + 1n, 2n ** 256n - 1n]) {
      expect(() => read(withScalar(scalar))).toThrow(
        expect.objectContaining({ code: 'key-file.out-of-range' }),
      )
    }
  })

  test('with a key that can be guessed is called published', () => {
    const repeated = BigInt(`0x${'11'.repeat(32)}`)
    const stepping = (step: number) =>
      BigInt(
        `0x${Array.from({ length: 32 }, (_, i) => ((i * step) % 256).toString(16).padStart(2, '0')).join('')}`,
      )
    const interop = 0x25295f0d1d592a90b333e26e85149708208e9f8e8bc18f6c77bd62f8ad7a6866n
    for (const scalar of [
      1n,
      12345n,
      2n ** 64n - 1n,
      ORDER - 1n,
      repeated,
      stepping(1),
      stepping(9),
      interop,
    ]) {
      expect(read(withScalar(scalar)).facts.publishedKey).toBe(true)
    }
  })

  test('with base64 that is not strict is refused', () => {
    const { value } = exampleJson().priv_key
    const odd = [
      value.slice(0, -1),
      `${value}=`,
      `${value}\n`,
      value.replace('/', '_'),
      ` ${value}`,
      'AAAA',
      '',
    ]
    for (const text of odd) {
      const content = { ...exampleJson(), priv_key: { ...exampleJson().priv_key, value: text } }
      const named = expect.objectContaining({ details: expect.arrayContaining(['field: priv_key.value']) })
      expect(() => read(content)).toThrow(named)
    }
  })

  test('that is damaged anywhere is refused without a word of its secret', () => {
    const secret = exampleJson().priv_key.value
    const run = fc.property(fc.nat(example.length), fc.string({ maxLength: 4 }), (at, inserted) => {
      for (const odd of [example.slice(0, at), example.slice(0, at) + inserted + example.slice(at)]) {
        try {
          read(odd)
        } catch (error) {
          expect(error).toBeInstanceOf(BaseError)
          expect(String((error as Error).message)).not.toContain(secret.slice(2, 20))
        }
      }
    })
    fc.assert(run, { numRuns: 200 })
  })
})

describe('public keys of the engine', () => {
  test('go to the compressed form and back', () => {
    const run = fc.property(fc.bigInt({ min: 1n, max: ORDER - 1n }), (scalar) => {
      const point = bls12_381.G1.Point.BASE.multiply(scalar)
      const base64 = Buffer.from(point.toBytes(false)).toString('base64')
      expect(hexToBytes(compressedKey(base64))).toEqual(point.toBytes(true))
      expect(engineKey(compressedKey(base64))).toBe(base64)
    })
    fc.assert(run, { numRuns: 20 })
  })

  test('that are no keys are refused', () => {
    const infinity = Buffer.concat([Buffer.from([0x40]), Buffer.alloc(95)]).toString('base64')
    for (const text of [
      '',
      'AAAA',
      infinity,
      Buffer.alloc(96).toString('base64'),
      `${exampleJson().pub_key.value}\n`,
    ]) {
      expect(() => compressedKey(text)).toThrow(expect.objectContaining({ code: 'key-file.bad-field' }))
    }
    expect(() => engineKey(`0xc0${'00'.repeat(47)}`)).toThrow(
      expect.objectContaining({ code: 'key-file.bad-field' }),
    )
  })
})

test('a key that is none is refused with what was found and what it should be', () => {
  const details = (found: string) =>
    expect.objectContaining({
      code: 'key-file.bad-field',
      details: ['field: public key', `found: ${found}`, expect.stringMatching(/^expected: .*BLS12-381 key$/)],
    })
  expect(() => compressedKey('AAAA')).toThrow(details('AAAA'))
  expect(() => engineKey(`0x${'11'.repeat(48)}`)).toThrow(details(`0x${'11'.repeat(48)}`))
})
