import { type Decoder, record } from '../../format/decode.ts'
import type { BeaconState } from '../../proofs/beacon-state.ts'
import { STATE } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { beginDebugState } from './debug-state.ts'
import { encodeStateId, type StateId } from './state-id.ts'

/**
 * The whole beacon state (`/eth/v2/debug/beacon/states/{id}`), ready to be hashed: only a state whose root is the
 * header's is more than the node's word. A state that the node gives for slot N still holds its own block's header
 * with a zero state root. Throws a `ClientError`; `too-large` beyond some 130,000 validators.
 */
export function getDebugState(client: NodeClient, args: { state: StateId }): Promise<BeaconState> {
  const path = ['eth', 'v2', 'debug', 'beacon', 'states', encodeStateId(args.state)]
  let reader = beginDebugState()
  const intake = () => {
    reader = beginDebugState()
    return reader.intake
  }
  const decode: Decoder<BeaconState> = (value, at) => record({ data: reader.finish })(value, at).data
  return client.ask({ path, decode, limits: STATE, intake })
}
