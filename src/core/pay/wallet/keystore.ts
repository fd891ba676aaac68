import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import * as OxKeystore from 'ox/Keystore'
import { isError } from '../../base/errors/base.ts'
import { walletError } from '../../base/errors/wallet.ts'
import { type FieldReader, readFields, readJson } from '../../base/format/fields.ts'
import { bytesToHex, type Hex, hexToBytes, isHex } from '../../base/format/hex.ts'
import { WALLET_TEXT as TEXT } from './text.ts'

type ScryptParameters = { kdf: 'scrypt'; n: number; r: number; p: number; salt: Hex }
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
  const file = readFields(
    readJson(text, () => walletError('keystore.not-json', text.length)),
    {
      path: '',
      fail: (problem) => walletError('keystore.bad-field', problem),
      secret: true,
    },
  )
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
    throw walletError('keystore.too-heavy', {
      found: TEXT.rounds.found(iterations),
      expected: TEXT.rounds.expected(MAX_PBKDF2_ITERATIONS),
    })
  }
  return { kdf, iterations, salt }
}

function readScrypt(parameters: FieldReader, salt: Hex): ScryptParameters {
  const [n, r, p] = [parameters.index('n'), parameters.index('r'), parameters.index('p')]
  if (n < 2 || !Number.isInteger(Math.log2(n))) parameters.fail('n', TEXT.scrypt.power)
  if (r === 0) parameters.fail('r', 'at least 1')
  if (p === 0) parameters.fail('p', 'at least 1')
  if (128 * n * r > MAX_SCRYPT_BYTES || n * r * p > MAX_SCRYPT_WORK) {
    throw walletError('keystore.too-heavy', {
      found: TEXT.scrypt.found(n, r, p),
      expected: TEXT.scrypt.expected,
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

const SCRYPT_OVERHEAD_BYTES = 1024 * 1024

/**
 * Returns the 32-byte private key inside a keystore. Runs in the signer child only, beside its event loop, so that the
 * child still hears the keyboard; the caller wipes password and key. A password with accents is tried as it was typed,
 * then with each accent in one character with its letter (NFC) and behind it (NFD): systems type them differently.
 * Rejects with `keystore.wrong-password` when no checksum fits.
 */
export async function openKeystore(keystore: Keystore, password: Uint8Array): Promise<Uint8Array> {
  const forms = otherForms(password)
  let tried = password
  try {
    for (const next of forms) {
      const key = await unlessWrong(openWith(keystore, tried))
      if (key !== undefined) return key
      tried = next
    }
    return await openWith(keystore, tried)
  } finally {
    for (const form of forms) form.fill(0)
  }
}

/** Returns the key, or undefined where the password was a wrong one. */
async function unlessWrong(opened: Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return await opened
  } catch (thrown) {
    if (isError(thrown, 'keystore.wrong-password')) return undefined
    throw thrown
  }
}

const FORMS = ['NFC', 'NFD'] as const

/** The same password in the other ways to write its accents, in UTF-8; none for one that has no accents, or is no UTF-8. */
function otherForms(password: Uint8Array): Uint8Array[] {
  const text = Buffer.from(password).toString('utf8')
  if (!Buffer.from(text).equals(password)) return []
  const forms = FORMS.map((form) => text.normalize(form))
  return [...new Set(forms)].filter((each) => each !== text).map((each) => Buffer.from(each))
}

async function openWith(keystore: Keystore, password: Uint8Array): Promise<Uint8Array> {
  const key = await deriveKey(keystore, password)
  try {
    return OxKeystore.decrypt(toOx(keystore), bytesToHex(key), { as: 'Bytes' })
  } catch {
    throw walletError('keystore.wrong-password')
  } finally {
    key.fill(0)
  }
}

async function deriveKey({ derivation }: Keystore, password: Uint8Array): Promise<Uint8Array> {
  const salt = hexToBytes(derivation.salt)
  if (derivation.kdf === 'pbkdf2') {
    const { iterations } = derivation
    return derived((done) => pbkdf2(password, salt, iterations, 32, 'sha256', done))
  }
  const { n, r, p } = derivation
  if (n >= 2 ** (16 * r)) return deriveBeyondTheRule(derivation, password)
  const maxmem = 128 * n * r + 128 * r * p + SCRYPT_OVERHEAD_BYTES
  const options: ScryptOptions = { N: n, r, p, maxmem }
  return derived((done) => scrypt(password, salt, 32, options, done))
}

function derived(start: (done: (error: Error | null, key: Buffer) => void) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    start((error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

/**
 * RFC 7914 wants n below 2^(16r), and the platform holds to it. Keystores do not: the example of the keystore
 * standard itself has n 2^18 with r 1. This holds up the event loop: what is typed meanwhile waits, unechoed.
 */
function deriveBeyondTheRule(parameters: ScryptParameters, password: Uint8Array): Uint8Array {
  const { n, r, p, salt } = parameters
  const [key] = OxKeystore.scrypt({ password: Buffer.from(password).toString('utf8'), n, r, p, salt })
  return hexToBytes(typeof key === 'function' ? key() : key)
}

/** The parts that decryption reads; the derivation parameters are not among them. */
function toOx(keystore: Keystore): OxKeystore.Keystore {
  const salt = keystore.derivation.salt.slice(2)
  return {
    version: 3,
    id: '',
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: keystore.iv.slice(2) },
      ciphertext: keystore.ciphertext.slice(2),
      mac: keystore.mac.slice(2),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: 1, p: 1, r: 1, salt },
    },
  }
}
