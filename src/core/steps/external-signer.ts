import { decodeDepositCalldata } from '../deposit/calldata.ts'
import type { UnsignedTransaction } from '../effects/effects.ts'
import type { Hex } from '../format/hex.ts'
import { shellCommand } from '../format/shell-word.ts'

/**
 * A file for the Transaction Builder of a Safe: one call, by its plain value and calldata. The checksum is left out, as
 * the builder allows. `createdAtMs` is the wall clock.
 */
export function safeBatch(
  transaction: UnsignedTransaction,
  safe: Hex,
  words: { name: string; createdAtMs: number },
): string {
  const { chainId, to, valueWei, data } = transaction
  const meta = {
    name: words.name,
    description: 'Carry it out once.',
    createdFromSafeAddress: safe,
    createdFromOwnerAddress: '',
  }
  const transactions = [{ to, value: valueWei.toString(), data }]
  const batch = { version: '1.0', chainId: String(chainId), createdAt: words.createdAtMs, meta, transactions }
  return `${JSON.stringify(batch, undefined, 2)}\n`
}

/** Ways of an external signer to sign: one of them is typed behind the command. */
export const WALLET_FLAGS = [['--ledger'], ['--trezor'], ['--account', 'NAME']] as const

/**
 * The command that signs exactly this transaction on the machine of the wallet and sends nothing: `cast mktx` with every
 * field given asks no endpoint. `wallet` is how it signs. Amounts in wei; plain ASCII, nothing secret, the call in its parts,
 * so that they can be compared there (safety #111). Throws `deposit.bad-calldata` for calldata that is no deposit.
 */
export function mktxCommand(transaction: UnsignedTransaction, from: Hex, wallet: readonly string[]): string {
  const { chainId, nonce, to, valueWei, data, gasLimit } = transaction
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = transaction
  const options = {
    chain: chainId,
    nonce,
    'gas-limit': gasLimit,
    'gas-price': maxFeePerGasWei,
    'priority-gas-price': maxPriorityFeePerGasWei,
    value: valueWei,
    from,
  }
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  return shellCommand('cast', 'mktx', ...given, ...wallet, to, ...callOf(data))
}

function callOf(data: Hex): string[] {
  if (data === '0x') return []
  const { pubkey, withdrawalCredentials, signature, operator } = decodeDepositCalldata(data)
  return ['deposit(bytes,bytes,bytes,address)', pubkey, withdrawalCredentials, signature, operator]
}
