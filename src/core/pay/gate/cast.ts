import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { shellCommand } from '../../base/format/text.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import { REQUESTS_CONTRACT } from '../../chain/deposit/withdrawal-call.ts'

/** Ways of an external signer to sign: one of them is typed behind the command. */
export const WALLET_FLAGS = [['--ledger'], ['--trezor'], ['--account', 'NAME']] as const

/**
 * The command that signs exactly this transaction on the machine of the wallet and sends nothing: `cast mktx` with every
 * field given asks no endpoint. `wallet` is how it signs. Amounts in wei; plain ASCII, nothing secret, the call in its parts,
 * so that they can be compared there. Throws `deposit.bad-calldata` for calldata that is neither a deposit nor a withdrawal request.
 */
export function mktxCommand(transaction: UnsignedTransaction, from: Hex, wallet: readonly string[]): string {
  return castCommand('mktx', transaction, from, wallet)
}

/**
 * The command that signs and sends exactly this transaction on the machine of the wallet, with an execution endpoint in
 * the place of `RPC`. With its nonce it counts once, however often it is run.
 */
export function sendCommand(transaction: UnsignedTransaction, from: Hex, wallet: readonly string[]): string {
  return castCommand('send', transaction, from, ['--rpc-url', 'RPC', ...wallet])
}

function castCommand(
  verb: 'mktx' | 'send',
  transaction: UnsignedTransaction,
  from: Hex,
  wallet: readonly string[],
): string {
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
  const call = sameHex(to, REQUESTS_CONTRACT) ? [data] : callOf(data)
  return shellCommand('cast', verb, ...given, ...wallet, to, ...call)
}

/** Returns the text of a file with the command for each kind of wallet. */
export function mktxCommands(transaction: UnsignedTransaction, from: Hex): string {
  const commands = WALLET_FLAGS.map((wallet) => `${mktxCommand(transaction, from, wallet)}\n`)
  return ['# One of these, on the machine of the wallet. It signs and sends nothing.', ...commands].join('\n')
}

/** Returns the same for a wallet that sends as well. */
export function sendCommands(transaction: UnsignedTransaction, from: Hex): string {
  const commands = WALLET_FLAGS.map((wallet) => `${sendCommand(transaction, from, wallet)}\n`)
  const head =
    '# One of these, on the machine of the wallet, with an execution endpoint in the place of RPC. It signs and sends.'
  return [head, ...commands].join('\n')
}

function callOf(data: Hex): string[] {
  if (data === '0x') return []
  const { pubkey, withdrawalCredentials, signature, operator } = decodeDepositCalldata(data)
  return ['deposit(bytes,bytes,bytes,address)', pubkey, withdrawalCredentials, signature, operator]
}
