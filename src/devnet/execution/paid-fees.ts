import { type Hex, sameHex } from '../../core/base/format/hex.ts'
import type { RpcCall } from './types.ts'

/** A receipt of the client, as far as it is read here. Quantities are hex. */
type RpcReceipt = { from: Hex; gasUsed: Hex; effectiveGasPrice: Hex }

/** What an account paid in fees for its own among these transactions, in wei, by their receipts. Each of them must be in a block. */
export async function paidFeesWei(rpc: RpcCall, transactions: readonly Hex[], from: Hex): Promise<bigint> {
  const receipts = await Promise.all(transactions.map((hash) => rpc('eth_getTransactionReceipt', [hash])))
  return (receipts as RpcReceipt[])
    .filter((receipt) => sameHex(receipt.from, from))
    .reduce((sum, { gasUsed, effectiveGasPrice }) => sum + BigInt(gasUsed) * BigInt(effectiveGasPrice), 0n)
}
