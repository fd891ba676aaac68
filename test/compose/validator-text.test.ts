import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkField,
  ENDPOINT_TEXT,
  networkChoice,
  validatorTextFault,
} from '../../src/compose/network-choice.ts'
import { groupHex } from '../../src/core/base/format/hex.ts'

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((data) => Buffer.from(data).toString('hex'))

describe('the text that names a registered validator', () => {
  test('is a public key in either form, or an index', () => {
    fc.assert(
      fc.property(hex(48), hex(96), fc.nat({ max: 999_999_999 }), (compressed, point, index) => {
        expect(validatorTextFault(`0x${compressed}`)).toBeUndefined()
        expect(validatorTextFault(Buffer.from(point, 'hex').toString('base64'))).toBeUndefined()
        expect(validatorTextFault(String(index))).toBeUndefined()
      }),
    )
  })

  test('is never a private key, in hex or in base64, and what was typed is not repeated', () => {
    fc.assert(
      fc.property(hex(32), fc.boolean(), (secret, inBase64) => {
        const text = inBase64 ? Buffer.from(secret, 'hex').toString('base64') : `0x${secret}`
        const fault = validatorTextFault(text)
        expect(fault).toMatch(/size of a private key/)
        expect(fault).not.toContain(text)
      }),
    )
  })

  test('is a key in the groups that a screen shows', () => {
    fc.assert(
      fc.property(hex(48), (compressed) => {
        expect(validatorTextFault(groupHex(`0x${compressed}`))).toBeUndefined()
      }),
    )
  })

  test('has no character that nobody sees: that one is named', () => {
    const unseen = fc.constantFrom('\u200b', '\u200d', '\u202d', '\ufeff', '\u00a0', '\u00ad', '\u0000')
    fc.assert(
      fc.property(hex(48), unseen, fc.nat(98), (compressed, character, at) => {
        const text = `0x${compressed}`
        const fault = validatorTextFault(`${text.slice(0, at)}${character}${text.slice(at)}`)
        expect(fault).toContain(`Character ${at + 1} of 99 `)
      }),
    )
  })

  test('is nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (/^\s*\d{1,9}\s*$/.test(text)) return
        expect(validatorTextFault(text)).toBeTypeOf('string')
      }),
    )
    expect(validatorTextFault('-1')).toBeTypeOf('string')
    expect(validatorTextFault('')).toBeTypeOf('string')
  })
})

describe('the form and the options of a registered validator', () => {
  test('an engine may be left out of the form of a validator, and of no other', () => {
    expect(checkField('engine', '', { validator: '3' })).toBeUndefined()
    expect(checkField('engine', '', { homePath: '/home' })).toBe(
      ENDPOINT_TEXT.address('http://127.0.0.1:26657'),
    )
  })

  test('--validator goes with any network, and with none', () => {
    expect(networkChoice({ validator: '3', network: 'mainnet' })).toEqual({
      kind: 'network',
      id: 'mainnet',
      validator: '3',
    })
    expect(networkChoice({ validator: '3' })).toBeUndefined()
    expect(() => networkChoice({ validator: 'mine' })).toThrow(/--validator/)
  })
})
