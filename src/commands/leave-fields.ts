import type { Effects } from '../core/base/effects/effects.ts'
import { asGiven } from '../core/base/format/document.ts'
import type { RequestFate } from '../core/pay/leave/fates.ts'
import { leaveFile } from '../core/pay/leave/file-commands.ts'
import { type LeavePicture, type LeaveRequest, leaveCommands } from '../core/pay/leave/picture.ts'
import type { LeaveFields } from './documents/leave.ts'

const NO_EPOCHS = { exitEpoch: null, withdrawableEpoch: null, reason: null }

/** Returns what became of a request that is in a block, as fields of a document. */
export function fateFields({ request, ...fate }: RequestFate): LeaveFields['requests'][number] {
  const { blockSlot: block, transactionHash, sourceAddress, amountGwei: askedGwei } = request
  return {
    ...NO_EPOCHS,
    amountGwei: null,
    paid: null,
    block,
    transactionHash,
    sourceAddress,
    askedGwei,
    ...fate,
  }
}

/** Returns what a request would do, as fields of a document; unknown where it could not be found out. */
export function outcomeFields(outcome: LeavePicture['outcome']): LeaveFields['outcome'] {
  if (outcome === undefined) return 'unknown'
  const none = { ...NO_EPOCHS, amountGwei: null, balanceGwei: null, cut: null, after: null }
  if (outcome.is !== 'part') return { ...none, ...outcome }
  const { place, ...after } = outcome.after
  return { ...none, ...outcome, after: { ...after, rank: place?.rank, places: place?.places } }
}

/** Returns the request for the wallet: its commands, or for a contract account the batch that its owners carry out. */
export function requestFields(
  request: LeaveRequest,
  { clock }: Pick<Effects, 'clock'>,
): LeaveFields['request'] {
  const { transaction, from, contract, feeWei } = request
  const { to, valueWei, data, chainId } = transaction
  const call = { from, contract, feeWei, chainId, to, valueWei, data, commands: leaveCommands(request) }
  if (!contract) return { ...call, ...transaction, batch: null }
  const createdAtMs = clock.nowMs()
  const batch: unknown = JSON.parse(leaveFile(request, { name: `leave-${createdAtMs}`, createdAtMs }))
  const none = { nonce: null, gasLimit: null, maxFeePerGasWei: null, maxPriorityFeePerGasWei: null }
  return { ...call, ...none, batch: asGiven(batch) }
}
