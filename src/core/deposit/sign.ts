import { bls12_381 } from '@noble/curves/bls12-381.js'
import { bytesToHex, type Hex, hexToBytes } from '../format/hex.ts'
import type { DepositChain, DepositMessage } from './deposit.ts'
import { BLS_DOMAIN_TAG } from './domain.ts'
import { signingRoot } from './signing-root.ts'

/**
 * Signs a deposit message with a 32-byte secret key (big-endian scalar) under the NUL tag: 96 bytes, compressed,
 * the same ones every time. Runs only where the key is: in the signer child. Throws when the key is out of range.
 * (IETF BLS signature draft, min-pk; facts, "Signing a first deposit".)
 */
export function signDepositMessage(secretKey: Uint8Array, message: DepositMessage, chain: DepositChain): Hex {
  const curve = bls12_381.longSignatures
  const tag = new TextEncoder().encode(BLS_DOMAIN_TAG)
  const point = curve.hash(hexToBytes(signingRoot(message, chain)), tag)
  return bytesToHex(curve.Signature.toBytes(curve.sign(point, secretKey)))
}
