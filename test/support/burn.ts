import { SecretKey } from '@chainsafe/blst'
import { bytesToHex, type Hex, hexToBytes } from '../../src/core/base/format/hex.ts'
import type { DepositChain, DepositMessage } from '../../src/core/chain/deposit/credentials.ts'
import { signingRoot } from '../../src/core/chain/deposit/sign.ts'

/** Signs a deposit as Ethereum's tools do: the right message under the tag that ends in POP. */
export function signWithPop(secretBase64: string, message: DepositMessage, chain: DepositChain): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(secretBase64, 'base64'))
  return bytesToHex(secret.sign(hexToBytes(signingRoot(message, chain))).toBytes())
}
