import { type Hex, sameHex } from '../format/hex.ts'
import { findValidatorIndex, type QueuedDeposit } from './process-epoch.ts'
import type { ConsensusState } from './state.ts'

/**
 * What a validator will have once everything that is in blocks already is counted: its balance and the deposits for
 * its key that wait, whoever made them. In gwei; 0 for a key that nobody has paid for.
 */
export function stakeToBe(known: {
  state: ConsensusState
  uncounted?: readonly QueuedDeposit[]
  pubkey: Hex
}): bigint {
  const index = findValidatorIndex(known.state.validators, known.pubkey)
  const countedGwei = index === undefined ? 0n : (known.state.balancesGwei[index] ?? 0n)
  return (known.uncounted ?? [])
    .filter((deposit) => sameHex(deposit.pubkey, known.pubkey))
    .reduce((sumGwei, { amountGwei }) => sumGwei + amountGwei, countedGwei)
}
