import type { Hex } from '../../base/format/hex.ts'
import { shellCommand } from '../../base/format/text.ts'
import { withChecksum } from './credentials.ts'

/** A call of the deposit contract that changes an operator: the request and its end are for two accounts, a day apart. */
export type OperatorCall =
  | { does: 'request'; newOperator: Hex }
  /** By the operator of now. */
  | { does: 'cancel' }
  /** By the account that was named in the request. */
  | { does: 'accept' }

const SIGNATURES: Readonly<Record<OperatorCall['does'], string>> = {
  request: 'requestOperatorChange(bytes,address)',
  cancel: 'cancelOperatorChange(bytes)',
  accept: 'acceptOperatorChange(bytes)',
}

/** A change that waits for its second step. */
export type QueuedOperator = {
  /** The operator of now, who asked for it and may take it back. */
  operator: Hex
  /** The account that alone can accept it. */
  queued: Hex
}

/** Returns what the wallets of both accounts can do about a change that is queued. */
export function queuedCommands(
  { operator, queued }: QueuedOperator,
  about: { contract: Hex; pubkey: Hex },
): { accept: string; cancel: string } {
  return {
    accept: operatorCommand({ does: 'accept' }, { ...about, from: queued }),
    cancel: operatorCommand({ does: 'cancel' }, { ...about, from: operator }),
  }
}

/**
 * Returns the command by which the wallet of `from` makes a call about a validator: each field by itself, so that it can be compared
 * there. `RPC` stands for an execution endpoint, and `--ledger` for how the wallet signs.
 */
export function operatorCommand(
  call: OperatorCall,
  { contract, pubkey, from }: { contract: Hex; pubkey: Hex; from: Hex },
): string {
  const fields = call.does === 'request' ? [pubkey, withChecksum(call.newOperator)] : [pubkey]
  const way = ['--from', withChecksum(from), '--rpc-url', 'RPC', '--ledger']
  return shellCommand('cast', 'send', contract, SIGNATURES[call.does], ...fields, ...way)
}
