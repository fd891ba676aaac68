import { pbkdf2Sync, scryptSync } from 'node:crypto'
import * as OxKeystore from 'ox/Keystore'
import { wrongPassword } from '../errors/keystore.ts'
import { bytesToHex, hexToBytes } from '../format/hex.ts'
import type { Keystore, ScryptParameters } from './keystore.ts'

const SCRYPT_OVERHEAD_BYTES = 1024 * 1024

/**
 * The 32-byte private key inside a keystore. Runs in the signer child only; the caller wipes password and key.
 * Throws `keystore.wrong-password` when the checksum does not fit.
 */
export function openKeystore(keystore: Keystore, password: Uint8Array): Uint8Array {
  const key = deriveKey(keystore, password)
  try {
    return OxKeystore.decrypt(toOx(keystore), bytesToHex(key), { as: 'Bytes' })
  } catch {
    throw wrongPassword()
  } finally {
    key.fill(0)
  }
}

function deriveKey(keystore: Keystore, password: Uint8Array): Uint8Array {
  const { derivation } = keystore
  const salt = hexToBytes(derivation.salt)
  if (derivation.kdf === 'pbkdf2') return pbkdf2Sync(password, salt, derivation.iterations, 32, 'sha256')
  const { n, r, p } = derivation
  if (n >= 2 ** (16 * r)) return deriveBeyondTheRule(derivation, password)
  const maxmem = 128 * n * r + 128 * r * p + SCRYPT_OVERHEAD_BYTES
  return scryptSync(password, salt, 32, { N: n, r, p, maxmem })
}

/**
 * RFC 7914 wants n below 2^(16r), and the platform holds to it. Keystores do not: the example of the keystore
 * standard itself has n 2^18 with r 1.
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
