import type { UnsignedTransaction } from '../../effects/effects.ts'
import { sameHex } from '../../format/hex.ts'
import type { Replacement, SendPhase, SendState } from './state.ts'

/** What a transfer of nothing to oneself costs. */
const TRANSFER_GAS = 21_000n

/** Phases in which signed bytes wait for a block. */
const WAITING: readonly SendPhase[] = ['signed', 'sending', 'seen']

/**
 * Whether the payment may be replaced at its own number: it is signed, and in no block. After a cancellation was agreed
 * to, the payment is not raised any more.
 */
export function mayReplace(state: SendState, kind: Replacement['kind']): boolean {
  if (!WAITING.includes(state.phase) || state.hash === undefined) return false
  if (kind === 'cancel') return true
  return state.withheld === undefined && !replacementsOut(state).some((rival) => rival.kind === 'cancel')
}

/** What may have been signed in the payment's place. What only the keystore here could sign, and has not, is nowhere. */
function replacementsOut({ prepared, rivals, replacement }: SendState): readonly Replacement[] {
  const handedOut = prepared?.elsewhere === true && replacement !== undefined
  return handedOut ? [...rivals, replacement] : rivals
}

/** A fee raised by an eighth, rounded up: what pools ask of a transaction that takes another one's place. */
export const raised = (feeWei: bigint): bigint => (feeWei * 9n + 7n) / 8n

/** The highest fees per gas that anything at this number offers, signed or only handed out. */
export function dearest(state: SendState): { maxFeePerGasWei: bigint; maxPriorityFeePerGasWei: bigint } {
  const first = state.prepared === undefined ? [] : [state.prepared]
  const all = [...first, ...replacementsOut(state)].map((one) => one.transaction)
  const highest = (values: readonly bigint[]) => values.reduce((a, b) => (a > b ? a : b), 0n)
  return {
    maxFeePerGasWei: highest(all.map((one) => one.maxFeePerGasWei)),
    maxPriorityFeePerGasWei: highest(all.map((one) => one.maxPriorityFeePerGasWei)),
  }
}

/** The replacement of a kind with these fees; undefined while nothing is prepared. */
export function replacementOf(
  { prepared }: SendState,
  kind: Replacement['kind'],
  fees: { maxFeePerGasWei: bigint; maxPriorityFeePerGasWei: bigint },
): UnsignedTransaction | undefined {
  if (prepared === undefined) return undefined
  const { transaction, from } = prepared
  if (kind === 'bump') return { ...transaction, ...fees }
  return { ...transaction, ...fees, to: from, valueWei: 0n, data: '0x', gasLimit: TRANSFER_GAS }
}

/**
 * Whether a transaction is exactly what its kind says, at the payment's own number, with both fees raised by an eighth
 * over everything before (safety #67).
 */
export function isReplacement(state: SendState, { kind, transaction }: Replacement): boolean {
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = transaction
  const expected = replacementOf(state, kind, { maxFeePerGasWei, maxPriorityFeePerGasWei })
  if (expected === undefined) return false
  const before = dearest(state)
  return (
    transaction.chainId === expected.chainId &&
    transaction.nonce === expected.nonce &&
    sameHex(transaction.to, expected.to) &&
    transaction.valueWei === expected.valueWei &&
    sameHex(transaction.data, expected.data) &&
    transaction.gasLimit === expected.gasLimit &&
    maxFeePerGasWei >= raised(before.maxFeePerGasWei) &&
    maxPriorityFeePerGasWei >= raised(before.maxPriorityFeePerGasWei) &&
    maxPriorityFeePerGasWei <= maxFeePerGasWei
  )
}
