import { bytesToHex, type Hex, hexToBytes } from '../format/hex.ts'
import type { DepositChain, DepositMessage } from './deposit.ts'
import { depositDomain } from './domain.ts'
import { DepositMessageType, SigningDataType } from './ssz.ts'

/** hash_tree_root of the DepositMessage, 32 bytes. Throws a RangeError on anything but hex. */
export function messageRoot(message: DepositMessage): Hex {
  const root = DepositMessageType.hashTreeRoot({
    pubkey: hexToBytes(message.pubkey),
    withdrawalCredentials: hexToBytes(message.withdrawalCredentials),
    amount: message.amountGwei,
  })
  return bytesToHex(root)
}

/** The 32 bytes that the validator key signs: hash_tree_root(SigningData{message root, deposit domain}). */
export function signingRoot(message: DepositMessage, chain: DepositChain): Hex {
  const root = SigningDataType.hashTreeRoot({
    objectRoot: hexToBytes(messageRoot(message)),
    domain: hexToBytes(depositDomain(chain)),
  })
  return bytesToHex(root)
}
