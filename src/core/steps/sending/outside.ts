import type { UnsignedTransaction } from '../../effects/effects.ts'
import type { Setup } from '../../facts.ts'
import { type Hex, isHex, sameHex } from '../../format/hex.ts'
import type { SendState } from './state.ts'

/** Whether a wallet elsewhere signs: by choice, or because no keystore is set. */
export function signsElsewhere({ elsewhere }: SendState, { keystore }: Setup): boolean {
  return elsewhere || keystore === undefined
}

/** The transaction that waits for a signature from elsewhere: a replacement of the payment, else the payment itself. */
export function handedOut(state: SendState): UnsignedTransaction | undefined {
  const { phase, prepared, replacement, clear } = state
  if (prepared?.elsewhere !== true || clear === undefined) return undefined
  if (replacement !== undefined) return replacement.transaction
  return phase === 'external' ? prepared.transaction : undefined
}

/** Ways of a wallet machine to sign: one of them is typed behind the command. */
export const WALLET_FLAGS = ['--ledger', '--trezor', '--account NAME'] as const

/**
 * The command that signs exactly this transaction on the machine of the wallet and sends nothing: `cast mktx` with every
 * field given asks no endpoint. Amounts in wei. Letters, digits and dashes only, nothing secret (safety #111).
 */
export function mktxCommand(transaction: UnsignedTransaction, from: Hex, wallet: string): string {
  const { chainId, nonce, to, valueWei, data, gasLimit } = transaction
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = transaction
  const words = [
    'cast mktx',
    `--chain ${chainId}`,
    `--nonce ${nonce}`,
    `--gas-limit ${gasLimit}`,
    `--gas-price ${maxFeePerGasWei}`,
    `--priority-gas-price ${maxPriorityFeePerGasWei}`,
    `--value ${valueWei}`,
    `--from ${from}`,
    wallet,
    to,
  ]
  return isHex(data) && !sameHex(data, '0x') ? `${words.join(' ')} ${data}` : words.join(' ')
}
