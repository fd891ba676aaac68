import { sendCommands } from '../gate/cast.ts'
import { safeBatch } from '../wallet/safe-batch.ts'
import type { LeaveRequest } from './picture.ts'

/** Returns the text of a file for the wallet: the batch for a Safe, or the command for each kind of wallet. */
export function leaveFile(
  { transaction, from, contract }: LeaveRequest,
  about: { name: string; createdAtMs: number },
): string {
  return contract ? safeBatch(transaction, from, about) : sendCommands(transaction, from)
}
