import type { Hex } from '../format/hex.ts'

/**
 * What stands at an address: an account that has sent transactions, one that has only received, one whose code is
 * delegated to a contract (EIP-7702), a contract, or nothing that was ever used.
 */
export type AccountKind = 'sender' | 'receiver' | 'delegated' | 'contract' | 'unused'

/** What the code of an account begins with that delegates to a contract (EIP-7702). */
const DELEGATION = '0xef0100'

/** Whether code makes its address a contract: an account that only delegates still has its key. */
export function isContractCode(code: Hex): boolean {
  return code !== '0x' && !code.toLowerCase().startsWith(DELEGATION)
}

/** The kind of account that has this code, has sent so many transactions and holds so much. */
export function accountKind({
  code,
  sent,
  balanceWei,
}: {
  code: Hex
  sent: number
  balanceWei: bigint
}): AccountKind {
  if (isContractCode(code)) return 'contract'
  if (code !== '0x') return 'delegated'
  if (sent > 0) return 'sender'
  return balanceWei > 0n ? 'receiver' : 'unused'
}
