import { pbkdf2, type ScryptOptions, scrypt } from 'node:crypto'
import * as OxKeystore from 'ox/Keystore'
import { wrongPassword } from '../errors/keystore.ts'
import { bytesToHex, hexToBytes } from '../format/hex.ts'
import type { Keystore, ScryptParameters } from './keystore.ts'

const SCRYPT_OVERHEAD_BYTES = 1024 * 1024

/**
 * The 32-byte private key inside a keystore. Runs in the signer child only, beside its event loop, so that the child
 * still hears the keyboard; the caller wipes password and key. Rejects with `keystore.wrong-password` when the checksum
 * does not fit.
 */
export async function openKeystore(keystore: Keystore, password: Uint8Array): Promise<Uint8Array> {
  const key = await deriveKey(keystore, password)
  try {
    return OxKeystore.decrypt(toOx(keystore), bytesToHex(key), { as: 'Bytes' })
  } catch {
    throw wrongPassword()
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
