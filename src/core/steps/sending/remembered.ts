import { type Hex, sameHex } from '../../format/hex.ts'
import type { SendState } from './state.ts'

/** Where a transaction is, and whether the contract took it. */
type Receipt = { transactionHash: Hex; blockHash: Hex; blockNumber: bigint; status: 'success' | 'reverted' }

/** What one endpoint says now of a payment that has ended by the journal. */
export type SaidNow = {
  /** Of whichever of the payment's hashes has one. */
  receipt: Receipt | undefined
  finalizedBlock: bigint
  /** The next nonce of the paying account. */
  nonce: number
  /** Whether the block that is remembered holds the event of the deposit that is remembered. */
  hasEvent: boolean
  /** Whether a deposit for the key was made in the payment's place, or may have been. */
  hasOwnDeposit: boolean
}

/**
 * Whether what one endpoint says is what the journal remembers. Old transactions are no longer found by their hash
 * everywhere; the events of their block are.
 */
function bearsOut(state: SendState, said: SaidNow): boolean {
  const { phase, mined, prepared } = state
  const { receipt, finalizedBlock, nonce } = said
  const isFinal = receipt !== undefined && receipt.blockNumber <= finalizedBlock
  switch (phase) {
    case 'final':
    case 'cancelled':
      if (receipt === undefined) return said.hasEvent
      return isFinal && receipt.status === 'success' && isAt(receipt, mined)
    case 'reverted':
      return isFinal && receipt.status === 'reverted'
    case 'foreign':
      if (prepared === undefined || receipt !== undefined) return false
      return nonce > prepared.transaction.nonce && !said.hasOwnDeposit
    default:
      return false
  }
}

function isAt(receipt: Receipt, mined: SendState['mined']): boolean {
  if (mined === undefined) return false
  return sameHex(receipt.transactionHash, mined.hash) && sameHex(receipt.blockHash, mined.blockHash)
}

/** One endpoint that does not answer, or another one that says something else, leaves it unknown. */
export function judgeRemembered(
  state: SendState,
  said: readonly (SaidNow | undefined)[],
): 'upheld' | 'contradicted' | 'disputed' | 'silent' {
  const answers = said.map((one) => one && bearsOut(state, one))
  if (answers.length === 0 || answers.includes(undefined)) return 'silent'
  if (answers.every((one) => one === true)) return 'upheld'
  return answers.includes(true) ? 'disputed' : 'contradicted'
}
