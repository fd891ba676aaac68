import type { Effects } from '../core/base/effects/effects.ts'
import { NO_KEY_YET, placeCost } from '../core/chain/consensus/place-cost.ts'
import type { Endpoints, Network } from '../core/chain/network/network.ts'
import { readSnapshot } from '../core/clients/prove-snapshot.ts'
import { clientsOf, isRecent } from '../core/observe/context.ts'
import type { PlacesKnown } from '../core/wizard/launch/places.ts'

/**
 * What a place costs now, by one look at the set through these endpoints; with the age of a set that is not of now. Throws a
 * `ClientError`, and `proofs.state-mismatch` where the node's state is not the one that the chain holds.
 */
export async function priceOfPlace(
  effects: Effects,
  { network, endpoints }: { network: Network; endpoints: Endpoints },
): Promise<PlacesKnown> {
  const setup = { network, endpoints, journalDirectory: '', lockDirectories: [], outputDirectory: '' }
  const { node, execution, second } = clientsOf({ effects, setup })
  const snapshot = await readSnapshot(
    { node, execution, second },
    { network, keep: NO_KEY_YET, clock: effects.clock },
  )
  const { now, entry } = placeCost(snapshot, network)
  const { timestampSeconds, proof } = snapshot
  return {
    taken: now.taken,
    places: now.places,
    lastGwei: now.last?.stakeGwei,
    allGwei: entry?.allGwei,
    token: network.names.token,
    isProven: proof !== undefined,
    ...(isRecent({ effects, setup }, timestampSeconds)
      ? {}
      : { ageMs: effects.clock.nowMs() - Number(timestampSeconds) * 1000 }),
  }
}
