import { SecretKey } from '@chainsafe/blst'
import type { DepositChain, DepositMessage } from '../../src/core/deposit/credentials.ts'
import { signingRoot } from '../../src/core/deposit/sign.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../src/core/format/hex.ts'

/** Signs a deposit as Ethereum's tools do: the right message under the tag that ends in POP. */
export function signWithPop(secretBase64: string, message: DepositMessage, chain: DepositChain): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(secretBase64, 'base64'))
  return bytesToHex(secret.sign(hexToBytes(signingRoot(message, chain))).toBytes())
}
