import { type Decoder, decimal, hex, record } from '../../format/decode.ts'
import type { Hex } from '../../format/hex.ts'
import { OPTIONAL } from '../limits.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './if-offered.ts'
import { encodeStateId, type StateId } from './state-id.ts'

type Checkpoint = { epoch: bigint; root: Hex }
export type FinalityCheckpoints = {
  previousJustified: Checkpoint
  currentJustified: Checkpoint
  finalized: Checkpoint
}

const checkpoint = record({ epoch: decimal, root: hex(32) })
const fields = record({
  data: record({ previous_justified: checkpoint, current_justified: checkpoint, finalized: checkpoint }),
})

const decode: Decoder<FinalityCheckpoints> = (value, path) => {
  const { data } = fields(value, path)
  return {
    previousJustified: data.previous_justified,
    currentJustified: data.current_justified,
    finalized: data.finalized,
  }
}

/**
 * The checkpoints of a state (`states/{id}/finality_checkpoints`); undefined when the node does not offer them, as
 * nodes with single-slot finality may not. Throws a `ClientError`.
 */
export function getFinalityCheckpoints(
  client: NodeClient,
  args: { state: StateId },
): Promise<FinalityCheckpoints | undefined> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'finality_checkpoints']
  return ifOffered(client.ask({ path, limits: OPTIONAL, decode }))
}
