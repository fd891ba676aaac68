import fc from 'fast-check'
import * as OxKeystore from 'ox/Keystore'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import { bytesToHex } from '../../../../src/core/base/format/hex.ts'
import { openKeystore, parseKeystore } from '../../../../src/core/pay/wallet/keystore.ts'

/** The two test vectors of the Web3 Secret Storage definition; password `testpassword`. */
const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PBKDF2 = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '6087dab2f9fdbbfaddc31a909735c1e6' },
    ciphertext: '5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46',
    kdf: 'pbkdf2',
    kdfparams: {
      c: 262144,
      dklen: 32,
      prf: 'hmac-sha256',
      salt: 'ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd',
    },
    mac: '517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
const SCRYPT = {
  crypto: {
    cipher: 'aes-128-ctr',
    cipherparams: { iv: '83dbcc02d8ccb40e466191a123791e0e' },
    ciphertext: 'd172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c',
    kdf: 'scrypt',
    kdfparams: {
      dklen: 32,
      n: 262144,
      p: 8,
      r: 1,
      salt: 'ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19',
    },
    mac: '2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097',
  },
  id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
  version: 3,
}
const open = async (content: unknown, password: string) =>
  bytesToHex(await openKeystore(parseKeystore(JSON.stringify(content)), Buffer.from(password)))

describe('a keystore', () => {
  test('of the standard’s own examples opens with its password', async () => {
    expect(await open(PBKDF2, 'testpassword')).toBe(KEY)
    expect(await open(SCRYPT, 'testpassword')).toBe(KEY)
  })

  test('may spell Crypto with a capital and carry an address', async () => {
    const { crypto, ...rest } = PBKDF2
    const old = { ...rest, Crypto: crypto, address: '008aeeda4d805471df9b2a5b0f38a0c3bcba786b' }
    expect(await open(old, 'testpassword')).toBe(KEY)
    expect(parseKeystore(JSON.stringify(old)).claimedAddress).toBe(
      '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b',
    )
  })

  test('opens with the very bytes of a password, spaces and accents included', async () => {
    const [key, options] = OxKeystore.scrypt({ password: ' pä$$ wörd✓', n: 1024, r: 8, p: 1 })
    const made = OxKeystore.encrypt(KEY, key, options)
    expect(await open(made, ' pä$$ wörd✓')).toBe(KEY)
    await expect(open(made, 'pä$$ wörd✓')).rejects.toThrow(
      expect.objectContaining({ code: 'keystore.wrong-password' }),
    )
  })

  test('opens with a password however a system writes its accents', async () => {
    const [composed, apart] = ['Pässwort-é'.normalize('NFC'), 'Pässwort-é'.normalize('NFD')]
    for (const made of [composed, apart]) {
      const [key, options] = OxKeystore.scrypt({ password: made, n: 1024, r: 8, p: 1 })
      const keystore = OxKeystore.encrypt(KEY, key, options)
      expect(await open(keystore, composed)).toBe(KEY)
      expect(await open(keystore, apart)).toBe(KEY)
      await expect(open(keystore, 'Passwort-e')).rejects.toThrow(
        expect.objectContaining({ code: 'keystore.wrong-password' }),
      )
    }
  })

  test('says of a wrong password all that may be wrong with it before it calls the file damaged', async () => {
    const next = await open(PBKDF2, 'Pässwort').catch((thrown: BaseError) => thrown)
    const words = JSON.stringify(next instanceof BaseError ? next.nextSteps : [])
    expect(words).toMatch(/layout.*[Aa]ccent.*line break.*byte-order mark.*damaged/)
    expect(words).not.toContain('Pässwort')
  })

  test('with a wrong password, a changed checksum or a changed text stays closed', async () => {
    const code = expect.objectContaining({ code: 'keystore.wrong-password', retryable: true })
    await expect(open(PBKDF2, 'testpasswore')).rejects.toThrow(code)
    await expect(open(PBKDF2, '')).rejects.toThrow(code)
    for (const field of ['mac', 'ciphertext'] as const) {
      const crypto = { ...PBKDF2.crypto, [field]: PBKDF2.crypto[field].replace(/^5/, '6') }
      await expect(open({ ...PBKDF2, crypto }, 'testpassword')).rejects.toThrow(code)
    }
  })

  test('that asks for too much memory or time is refused before any of it is spent', () => {
    const heavy = [
      { n: 2 ** 30, r: 8, p: 1 },
      { n: 2 ** 23, r: 1, p: 1 },
      { n: 2 ** 18, r: 8, p: 64 },
      { n: 2, r: 2 ** 40, p: 1 },
    ]
    for (const parameters of heavy) {
      const kdfparams = { ...SCRYPT.crypto.kdfparams, ...parameters }
      const content = JSON.stringify({ ...SCRYPT, crypto: { ...SCRYPT.crypto, kdfparams } })
      expect(() => parseKeystore(content)).toThrow(expect.objectContaining({ code: 'keystore.too-heavy' }))
    }
    const kdfparams = { ...PBKDF2.crypto.kdfparams, c: 2 ** 31 }
    const slow = JSON.stringify({ ...PBKDF2, crypto: { ...PBKDF2.crypto, kdfparams } })
    expect(() => parseKeystore(slow)).toThrow(expect.objectContaining({ code: 'keystore.too-heavy' }))
  })

  test('of another kind is refused by the field that says so', () => {
    const with_ = (crypto: object) => JSON.stringify({ ...SCRYPT, crypto: { ...SCRYPT.crypto, ...crypto } })
    const params = (change: object) => with_({ kdfparams: { ...SCRYPT.crypto.kdfparams, ...change } })
    const rounds = (change: object) =>
      JSON.stringify({
        ...PBKDF2,
        crypto: { ...PBKDF2.crypto, kdfparams: { ...PBKDF2.crypto.kdfparams, ...change } },
      })
    const odd: [field: string, content: string, expected: RegExp][] = [
      ['version', JSON.stringify({ ...SCRYPT, version: 4 }), /^3$/],
      ['crypto.cipher', with_({ cipher: 'aes-256-gcm' }), /^aes-128-ctr$/],
      ['crypto.kdf', with_({ kdf: 'argon2id' }), /scrypt.*pbkdf2/],
      ['crypto.kdfparams.n', params({ n: 262143 }), /./],
      ['crypto.kdfparams.n', params({ n: 1 }), /./],
      ['crypto.kdfparams.r', params({ r: 0 }), /1/],
      ['crypto.kdfparams.p', params({ p: 0 }), /1/],
      ['crypto.kdfparams.c', rounds({ c: 0 }), /1/],
      ['crypto.kdfparams.prf', rounds({ prf: 'hmac-sha512' }), /^hmac-sha256$/],
      ['crypto.kdfparams.dklen', params({ dklen: 16 }), /^32$/],
      ['crypto.mac', with_({ mac: 'zz' }), /64/],
      ['crypto.cipherparams.iv', with_({ cipherparams: { iv: '00' } }), /32/],
    ]
    for (const [field, content, expected] of odd) {
      const named = expect.objectContaining({
        code: 'keystore.bad-field',
        details: expect.arrayContaining([
          `field: ${field}`,
          expect.stringMatching(new RegExp(`^expected: .*${expected.source.replaceAll(/[$^]/g, '')}`)),
        ]),
      })
      expect(() => parseKeystore(content), field).toThrow(named)
    }
  })

  test('cut or altered anywhere never makes the parser fail in another way', () => {
    const text = JSON.stringify(SCRYPT)
    const run = fc.property(fc.nat(text.length), fc.string({ maxLength: 3 }), (at, inserted) => {
      try {
        parseKeystore(text.slice(0, at) + inserted + text.slice(at + 1))
      } catch (error) {
        expect(error).toBeInstanceOf(BaseError)
      }
    })
    fc.assert(run, { numRuns: 300 })
  })
})
