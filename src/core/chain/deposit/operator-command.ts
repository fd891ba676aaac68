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

/** What the wallets of both accounts can do about an operator change that is queued: the second step, and the way back. */
export function queuedCommands(
  change: { operator: Hex; queued?: { operator: Hex } } | undefined,
  about: { contract: Hex; pubkey: Hex },
): readonly { label: string; command: string }[] {
  if (change?.queued === undefined) return []
  const accept = operatorCommand({ does: 'accept' }, { ...about, from: change.queued.operator })
  const cancel = operatorCommand({ does: 'cancel' }, { ...about, from: change.operator })
  return [
    { label: 'to accept it', command: accept },
    { label: 'to cancel it', command: cancel },
  ]
}
