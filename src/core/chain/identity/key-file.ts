import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { homeError } from '../../base/errors/home.ts'
import { type FieldReader, readFields, readJson } from '../../base/format/fields.ts'
import { bytesToHex, type Hex, strictBase64 } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { isPublishedKey } from './check-address.ts'
import { requirePlainUtf8 } from './plain-utf8.ts'

/** What may be known of a key file: see KeyFacts of the seam, whose shape this is. */
export type KeyFileFacts = {
  pubkey: Hex
  uncompressedPubkey: Hex
  address: string
  fileHash: Hex
  storedPubkeyMatches: boolean
  storedAddressMatches: boolean
  publishedKey: boolean
}

/** The secret part of a key file and its public facts. The caller wipes `secretKey` (32 bytes) when done. */
export type KeyFile = { secretKey: Uint8Array; facts: KeyFileFacts }

const GROUP_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n

/**
 * Reads the bytes of a `priv_validator_key.json` and derives everything public from its private key; what the
 * file itself says is only compared. `keyTypePrefix` is the network's, e.g.
 * cometbft. Runs in the signer child only. Throws `key-file.*` or `home.encoding`; no message repeats the private key.
 */
export function readKeyFile(bytes: Uint8Array, keyTypePrefix: string): KeyFile {
  requirePlainUtf8(bytes, 'The key file')
  const notJson = () => homeError('key-file.not-json', bytes.length)
  const file = readFields(readJson(Buffer.from(bytes).toString('utf8'), notJson), {
    path: '',
    fail: (problem) => homeError('key-file.bad-field', problem),
    secret: true,
  })
  const stored = file.object('pub_key')
  const secret = file.object('priv_key')
  checkType(stored, `${keyTypePrefix}/PubKeyBls12_381`)
  checkType(secret, `${keyTypePrefix}/PrivKeyBls12_381`)
  const secretKey = strictBase64(secret.text('value'), 32) ?? secret.fail('value', 'base64 of 32 bytes')
  const point = publicPoint(secretKey)
  const uncompressed = point.toBytes(false)
  const pubkey = bytesToHex(point.toBytes(true))
  const address = sha256(uncompressed).subarray(0, 20).toString('hex').toUpperCase()
  const facts: KeyFileFacts = {
    pubkey,
    uncompressedPubkey: bytesToHex(uncompressed),
    address,
    fileHash: bytesToHex(sha256(bytes)),
    storedPubkeyMatches: stored.text('value') === Buffer.from(uncompressed).toString('base64'),
    storedAddressMatches: file.text('address') === address,
    publishedKey: isPublishedKey(pubkey, secretKey),
  }
  return { secretKey, facts }
}

function checkType(key: FieldReader, expected: string): void {
  const found = key.text('type')
  if (found === expected) return
  throw homeError('key-file.wrong-type', { field: key.name('type'), found: safeText(found, 80), expected })
}

function publicPoint(secretKey: Uint8Array) {
  const scalar = BigInt(`0x${Buffer.from(secretKey).toString('hex')}`)
  if (scalar === 0n || scalar >= GROUP_ORDER) throw homeError('key-file.out-of-range')
  return bls12_381.longSignatures.getPublicKey(secretKey)
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
