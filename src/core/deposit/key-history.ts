import type { Hex } from '../format/hex.ts'

/** One deposit that was ever made for a key, and whether consensus takes its signature for a first deposit. */
export type PastDeposit = {
  blockNumber: bigint
  amountGwei: bigint
  withdrawalCredentials: Hex
  accepted: boolean
}

/** What the execution chain remembers of a key whose operator is set. */
export type KeyHistory = {
  operator: Hex
  /** The transaction that set the operator, where its event was found. */
  setBy: { blockNumber: bigint; transactionHash: Hex } | undefined
  deposits: readonly PastDeposit[]
  /** Head of the execution chain when the logs were read. */
  headBlock: bigint
}

/** Slots after which consensus has applied a deposit, whatever the fork. */
const SLOTS_TO_APPLY = 2n

/** What must have happened to a key that the contract has an operator for and the beacon state does not know. */
export type KeyStory = 'burnt' | 'on-its-way' | 'unexplained'

/**
 * Tells the story from the logs: every deposit refused and old enough to have been applied is `burnt`; a deposit
 * that consensus accepts, or one that may not have been applied yet, is `on-its-way`; no deposit at all leaves it
 * `unexplained`. Only of a burnt key can the registration still be made (facts).
 */
export function keyStory(history: KeyHistory, stateSlot: bigint): KeyStory {
  if (history.deposits.length === 0) return 'unexplained'
  const settled = history.deposits.every(({ blockNumber }) => blockNumber + SLOTS_TO_APPLY <= stateSlot)
  if (!settled || history.deposits.some(({ accepted }) => accepted)) return 'on-its-way'
  return 'burnt'
}
