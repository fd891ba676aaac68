import { decodeDepositCalldata } from '../deposit/calldata.ts'
import type { UnsignedTransaction } from '../effects/effects.ts'
import type { Hex } from '../format/hex.ts'
import { shellCommand } from '../format/text.ts'

/** Ways of an external signer to sign: one of them is typed behind the command. */
export const WALLET_FLAGS = [['--ledger'], ['--trezor'], ['--account', 'NAME']] as const

/**
 * The command that signs exactly this transaction on the machine of the wallet and sends nothing: `cast mktx` with every
 * field given asks no endpoint. `wallet` is how it signs. Amounts in wei; plain ASCII, nothing secret, the call in its parts,
 * so that they can be compared there. Throws `deposit.bad-calldata` for calldata that is no deposit.
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

/** The text of a file with the command for each kind of wallet. */
export function mktxCommands(transaction: UnsignedTransaction, from: Hex): string {
  const commands = WALLET_FLAGS.map((wallet) => `${mktxCommand(transaction, from, wallet)}\n`)
  return `# One of these, on the machine of the wallet. It signs and sends nothing.\n${commands.join('\n')}`
}

function callOf(data: Hex): string[] {
  if (data === '0x') return []
  const { pubkey, withdrawalCredentials, signature, operator } = decodeDepositCalldata(data)
  return ['deposit(bytes,bytes,bytes,address)', pubkey, withdrawalCredentials, signature, operator]
}
