import type { UnsignedTransaction } from '../../base/effects/effects.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { distinctNext, type Next } from '../../base/format/next.ts'
import { shellCommand } from '../../base/format/text.ts'
import { decodeDepositCalldata } from '../../chain/deposit/calldata.ts'
import { WITHDRAWAL_REQUESTS } from '../../chain/deposit/withdrawal-call.ts'
import type { Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import { tableRows } from '../../view/rows.ts'
import type { FactRow } from '../../view/view.ts'
import type { PaymentPlan, PaymentState } from '../payment/payment.ts'
import { type AboutGate, GATE_FACTS, gateIsOpen } from './facts.ts'
import { GATE_FACTS_TEXT } from './facts-text.ts'
import { nonceFor } from './nonce.ts'
import { GATE_TEXT } from './text.ts'

/** Returns the rows of the last gate before money moves; `less` says how a smaller amount is paid. */
export function gateRows(
  { observed }: PaymentState,
  setup: Setup,
  more: Pick<AboutGate, 'less'> = {},
): FactRow[] {
  return tableRows(GATE_FACTS, GATE_FACTS_TEXT, observed, { observed, setup, ...more })
}

/** What keeps the gate shut, in words: what refuses and what could not be found out, and what each of these asks for. */
export function closedRows(state: PaymentState, setup: Setup): { details: string[]; asked: Next[] } {
  const rows = gateRows(state, setup).filter(
    ({ mark, advice }) => advice !== true && (mark === 'refused' || mark === 'unknown'),
  )
  return {
    details: rows.map(({ label, value }) => `${label}: ${value}`),
    asked: distinctNext(rows.flatMap(({ next = [] }) => next)),
  }
}

/** Whether the rows of the gate are what the screen is about: before the transaction is made, and while it is. */
export function showsGate({ payment }: PaymentState): boolean {
  return payment.phase === 'open' || payment.phase === 'agreed'
}

/**
 * The shell command of a payment before it is agreed to: the very transaction that would be made now, signed and not
 * sent. It has the account's next nonce, so that however often it is run and sent, it counts once. None
 * while the gate is closed: nothing is shown that would not be sent from here.
 */
export function gateCommands(state: PaymentState, plan: PaymentPlan | undefined, setup: Setup): string[] {
  const { observed } = state
  const { network, keystore } = setup
  const sender = known(observed.sender)
  const nonce = known(observed.nonce)
  const balance = known(observed.balance)
  if (plan === undefined || keystore === undefined || !gateIsOpen(observed, setup)) return []
  if (sender === undefined || sender.contract === true || nonce === undefined || balance === undefined)
    return []
  const transaction = {
    ...plan,
    ...balance.price,
    chainId: network.executionChainId,
    nonce: nonceFor(state, { from: sender.address, nonce: nonce.latest }),
  }
  return [mktxCommand(transaction, sender.address, ['--keystore', keystore])]
}

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
  const call = sameHex(to, WITHDRAWAL_REQUESTS) ? [data] : callOf(data)
  return shellCommand('cast', verb, ...given, ...wallet, to, ...call)
}

/** Returns the text of a file with the command for each kind of wallet. */
export function mktxCommands(transaction: UnsignedTransaction, from: Hex): string {
  const commands = WALLET_FLAGS.map((wallet) => `${mktxCommand(transaction, from, wallet)}\n`)
  return `${GATE_TEXT.commandFile}\n${commands.join('\n')}`
}

/** Returns the same for a wallet that sends as well. */
export function sendCommands(transaction: UnsignedTransaction, from: Hex): string {
  const commands = WALLET_FLAGS.map((wallet) => `${sendCommand(transaction, from, wallet)}\n`)
  return `${GATE_TEXT.sendFile}\n${commands.join('\n')}`
}

function callOf(data: Hex): string[] {
  if (data === '0x') return []
  const { pubkey, withdrawalCredentials, signature, operator } = decodeDepositCalldata(data)
  return ['deposit(bytes,bytes,bytes,address)', pubkey, withdrawalCredentials, signature, operator]
}
