import { bytesToHex, type Hex, sameHex } from '../format/hex.ts'
import type { Rest } from '../proofs/state-root.ts'
import { proveState, type Unproven } from './prove-state.ts'
import type { SurveyClients } from './survey-clients.ts'

/** Where the chain's own state has a key. */
export type ProvenKey = {
  /** Its place in the registry; undefined: the state does not hold it, which is proven as well. */
  index: number | undefined
  slot: bigint
  /** Time of that slot's block by the state itself, Unix seconds. */
  timestampSeconds: bigint
  /** How many execution endpoints hold the root: 1 or 2. */
  anchors: number
}

/**
 * Looks a key up in the whole state, hashed here and found in the execution chain (see `proveState`): the one way to
 * prove that a key is *not* there, for a list can leave it out. Throws StateMismatchError, and a `ClientError` when
 * the first execution endpoint does not answer.
 */
export async function proveKey(
  clients: SurveyClients,
  { pubkey, rest }: { pubkey: Hex; rest: Rest },
): Promise<ProvenKey | Unproven> {
  const found = await proveState(clients, rest)
  if ('unproven' in found) return found
  const { state, anchors } = found
  const place = state.validators.findIndex((record) => sameHex(bytesToHex(record.pubkey), pubkey))
  return {
    index: place === -1 ? undefined : place,
    slot: state.slot,
    timestampSeconds: state.latestExecutionPayloadHeader.timestamp,
    anchors,
  }
}
