import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { engineKey } from '../../../../src/core/chain/identity/engine-key.ts'
import { NO_FORM, NO_KEY, readTypedKey } from '../../../../src/core/chain/identity/typed-key.ts'
import { keyedDeposits } from '../../../support/signed-deposit.ts'

const [first, second] = keyedDeposits()
if (first === undefined || second === undefined) throw new Error('too few deposits in the vectors')
const PUBLISHED =
  '0xa9e6b518aa2d9e4acbc011c1d6e2c55192f08b682bf2aa0a84527fe645b34ca270ab15f9cc9637b61d01fca50e1167bd'

describe('a typed public key', () => {
  test('is the same in both of its forms, with the address of the key file', () => {
    for (const { pubkey, keyFile } of keyedDeposits()) {
      const { address, pub_key } = JSON.parse(keyFile) as { address: string; pub_key: { value: string } }
      const compressed = readTypedKey(pubkey)
      expect(compressed).toMatchObject({ key: { pubkey, address, publishedKey: false } })
      expect(readTypedKey(pub_key.value)).toEqual(compressed)
      expect(readTypedKey(`0x${pubkey.slice(2).toUpperCase()}`)).toEqual(compressed)
    }
  })

  test('is known to be published where it is', () => {
    expect(readTypedKey(PUBLISHED)).toMatchObject({ key: { publishedKey: true } })
  })

  test.each([
    ['nothing', '', NO_FORM],
    ['a digit short', first.pubkey.slice(0, -1), NO_FORM],
    ['without 0x', first.pubkey.slice(2), NO_FORM],
    ['uncompressed hex', `0x${Buffer.from(engineKey(first.pubkey), 'base64').toString('hex')}`, NO_FORM],
    ['base64 of the compressed form', Buffer.from(first.pubkey.slice(2), 'hex').toString('base64'), NO_FORM],
    ['infinity', `0xc0${'00'.repeat(47)}`, NO_KEY],
    ['zero', `0x${'00'.repeat(48)}`, NO_KEY],
    ['no point of the curve', `0x8${'1'.repeat(95)}`, NO_KEY],
    ['the compression bit cleared', `0x0${first.pubkey.slice(3)}`, NO_KEY],
  ])('is refused in words: %s', (_, text, error) => {
    expect(readTypedKey(text)).toEqual({ error })
  })

  test('with any character changed is never taken for the same key', () => {
    for (const text of [first.pubkey, engineKey(first.pubkey)]) {
      const run = fc.property(
        fc.nat(text.length - 1),
        fc.constantFrom(...'0123456789abcdefXYZ+/='),
        (at, by) => {
          const altered = `${text.slice(0, at)}${by}${text.slice(at + 1)}`
          if (altered === text || altered.toLowerCase() === first.pubkey) return
          expect(readTypedKey(altered)).not.toMatchObject({ key: { pubkey: first.pubkey } })
        },
      )
      fc.assert(run, { numRuns: 300 })
    }
  })
})
