import { badKeystoreField, keystoreNotJson, keystoreTooHeavy } from '../errors/keystore.ts'
import { type FieldReader, readFields } from '../format/fields.ts'
import { type Hex, isHex } from '../format/hex.ts'

export type ScryptParameters = { kdf: 'scrypt'; n: number; r: number; p: number; salt: Hex }
type Pbkdf2Parameters = { kdf: 'pbkdf2'; iterations: number; salt: Hex }

/** A version 3 keystore (Web3 Secret Storage), read strictly. */
export type Keystore = {
  derivation: ScryptParameters | Pbkdf2Parameters
  iv: Hex
  ciphertext: Hex
  mac: Hex
  /** What the file says of its address; Foundry writes none, and nobody vouches for it. */
  claimedAddress?: Hex
}

const MAX_SCRYPT_BYTES = 512 * 1024 * 1024
const MAX_SCRYPT_WORK = 2 ** 23
const MAX_PBKDF2_ITERATIONS = 10_000_000

/**
 * Reads the text of a v3 keystore; `crypto` may be spelled `Crypto`. Throws `keystore.not-json`,
 * `keystore.bad-field`, and `keystore.too-heavy` for key derivation above 512 MiB or some seconds.
 */
export function parseKeystore(text: string): Keystore {
  const file = readFields(parseJson(text), { path: '', fail: badKeystoreField, secret: true })
  if (file.index('version') !== 3) file.fail('version', '3')
  const crypto = file.object(file.has('crypto') ? 'crypto' : 'Crypto')
  if (crypto.text('cipher') !== 'aes-128-ctr') crypto.fail('cipher', 'aes-128-ctr')
  return {
    derivation: readDerivation(crypto),
    iv: bareHex(crypto.object('cipherparams'), 'iv', 16),
    ciphertext: bareHex(crypto, 'ciphertext', 32),
    mac: bareHex(crypto, 'mac', 32),
    ...(file.has('address') && { claimedAddress: bareHex(file, 'address', 20) }),
  }
}

function readDerivation(crypto: FieldReader): Keystore['derivation'] {
  const kdf = crypto.text('kdf')
  const parameters = crypto.object('kdfparams')
  if (parameters.index('dklen') !== 32) parameters.fail('dklen', '32')
  const salt = bareHex(parameters, 'salt')
  if (kdf === 'scrypt') return readScrypt(parameters, salt)
  if (kdf !== 'pbkdf2') return crypto.fail('kdf', 'scrypt or pbkdf2')
  if (parameters.text('prf') !== 'hmac-sha256') parameters.fail('prf', 'hmac-sha256')
  const iterations = parameters.index('c')
  if (iterations === 0) parameters.fail('c', 'at least 1')
  if (iterations > MAX_PBKDF2_ITERATIONS) {
    throw keystoreTooHeavy({ found: `${iterations} rounds`, expected: `at most ${MAX_PBKDF2_ITERATIONS}` })
  }
  return { kdf, iterations, salt }
}

function readScrypt(parameters: FieldReader, salt: Hex): ScryptParameters {
  const [n, r, p] = [parameters.index('n'), parameters.index('r'), parameters.index('p')]
  if (n < 2 || !Number.isInteger(Math.log2(n))) parameters.fail('n', 'a power of two')
  if (r === 0) parameters.fail('r', 'at least 1')
  if (p === 0) parameters.fail('p', 'at least 1')
  if (128 * n * r > MAX_SCRYPT_BYTES || n * r * p > MAX_SCRYPT_WORK) {
    throw keystoreTooHeavy({
      found: `scrypt with n ${n}, r ${r}, p ${p}`,
      expected: 'at most 512 MiB of memory, as 128 times n times r',
    })
  }
  return { kdf: 'scrypt', n, r, p, salt }
}

/** Hex that keystores write without 0x, of any length up to 64 bytes when none is given. */
function bareHex(reader: FieldReader, key: string, byteLength?: number): Hex {
  const text = reader.text(key)
  const hex = text.startsWith('0x') ? text : `0x${text}`
  if (isHex(hex, byteLength) && hex.length > 2 && hex.length <= 130) return hex.toLowerCase() as Hex
  return reader.fail(key, byteLength === undefined ? 'hex digits' : `${2 * byteLength} hex digits`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw keystoreNotJson(text.length)
  }
}
