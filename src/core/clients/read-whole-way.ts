import type { Gwei } from '../base/format/amount.ts'
import type { Hex } from '../base/format/hex.ts'
import { topUpAfterEntry, type WholeWay } from '../chain/consensus/propose-top-up.ts'
import { questionOf } from '../chain/consensus/snapshot.ts'
import { readSnapshot } from './prove-snapshot.ts'
import type { SnapshotClients, SnapshotOptions } from './prove-validator.ts'

/** A first deposit that is still to be made. */
type Deposit = { pubkey: Hex; withdrawalCredentials: Hex; amountGwei: Gwei; minimumDepositGwei: Gwei }

/**
 * What a first deposit needs on top of it for a place in the active set, and the place, by the proven set, or by the
 * reported one where the whole state is not to be had. The key must not be in the state. Throws as `readSnapshot`.
 */
export async function readWholeWay(
  clients: SnapshotClients,
  { network, clock }: Pick<SnapshotOptions, 'network' | 'clock'>,
  deposit: Deposit,
): Promise<WholeWay> {
  const snapshot = await readSnapshot(clients, { network, clock, keep: deposit.pubkey })
  const proposal = topUpAfterEntry({ ...questionOf(snapshot, network.spec), ...deposit })
  const reported = snapshot.proof === undefined
  if ('impossible' in proposal) return { topUpGwei: undefined, place: undefined, reported }
  const { rank, places, cutoff } = proposal.forecast
  const place = rank === undefined ? undefined : { rank, places, cutoffGwei: cutoff?.stakeGwei }
  return { topUpGwei: proposal.addGwei, place, reported }
}
