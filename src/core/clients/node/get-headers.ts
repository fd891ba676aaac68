import { type Decoder, decimal, hex, list, record } from '../../format/decode.ts'
import type { BeaconBlockHeader } from '../../proofs/header.ts'
import type { NodeClient } from './client.ts'
import type { StateId } from './state-id.ts'

const message = record({
  slot: decimal,
  proposer_index: decimal,
  parent_root: hex(32),
  state_root: hex(32),
  body_root: hex(32),
})
const entry = record({ header: record({ message }) })

/** The `root` beside the header is the body's root on this node, so it is not read: recompute it. */
const decodeHeader: Decoder<BeaconBlockHeader> = (value, path) => {
  const { header } = entry(value, path)
  return {
    slot: header.message.slot,
    proposerIndex: header.message.proposer_index,
    parentRoot: header.message.parent_root,
    stateRoot: header.message.state_root,
    bodyRoot: header.message.body_root,
  }
}

const one = record({ data: decodeHeader })
const several = record({ data: list(decodeHeader) })

/**
 * The header of one block (`headers/{id}`); `not-found` when the node does not have it. Its root has to be
 * recomputed. Throws a `ClientError`.
 */
export function getHeader(client: NodeClient, args: { block: StateId }): Promise<BeaconBlockHeader> {
  const path = ['eth', 'v1', 'beacon', 'headers', String(args.block)]
  return client.ask({ path, decode: (value, at) => one(value, at).data })
}

/** The headers of a slot, or of the head (`headers?slot=`). Throws a `ClientError`. */
export function getHeaders(client: NodeClient, args: { slot?: bigint } = {}): Promise<BeaconBlockHeader[]> {
  const query = args.slot === undefined ? [] : ([['slot', String(args.slot)]] as const)
  const path = ['eth', 'v1', 'beacon', 'headers']
  return client.ask({ path, query, decode: (value, at) => several(value, at).data })
}
