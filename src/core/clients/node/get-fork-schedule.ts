import { type Decoder, decimal, hex, list, quantity64, record } from '../../format/decode.ts'
import { OPTIONAL } from '../limits.ts'
import type { NodeClient } from './client.ts'
import type { NodeFork } from './get-fork.ts'
import { ifOffered } from './if-offered.ts'

/** Decimal by the standard; hex in the forks of this node. */
const epoch: Decoder<bigint> = (value, path) =>
  typeof value === 'string' && value.startsWith('0x') ? quantity64(value, path) : decimal(value, path)

const entry: Decoder<NodeFork> = (value, path) => {
  const read = record({ previous_version: hex(4), current_version: hex(4), epoch })(value, path)
  return { previousVersion: read.previous_version, currentVersion: read.current_version, epoch: read.epoch }
}
const fields = record({ data: list(entry) })

/**
 * All forks of the chain, past and to come (`config/fork_schedule`); undefined when the node does not offer them.
 * Throws a `ClientError`.
 */
export function getForkSchedule(client: NodeClient): Promise<NodeFork[] | undefined> {
  const path = ['eth', 'v1', 'config', 'fork_schedule']
  return ifOffered(client.ask({ path, limits: OPTIONAL, decode: (value, at) => fields(value, at).data }))
}
