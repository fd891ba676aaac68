import { ClientError } from '../../errors/client.ts'
import { type Decoder, list, refuse } from '../../format/decode.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { type CallOptions, LIST } from '../limits.ts'
import { encodeQuantity } from './block-ref.ts'
import type { ExecutionClient } from './client.ts'
import { decodeLog, type Log } from './log.ts'

export type LogFilter = {
  address: Hex
  topic: Hex
  /** The first indexed field, where one is asked for. */
  indexed?: Hex
  fromBlock: bigint
  toBlock: bigint
}

const FIRST_RANGE = 10_000n
const SPLIT_ON = new Set(['rejected', 'bad-request', 'too-large', 'timeout', 'failed'])

/**
 * All events of one contract with one first topic in a range of blocks, both ends included, in order
 * (`eth_getLogs`). Asks in pieces of 10,000 blocks and halves a piece that the endpoint does not want to answer.
 * Throws a `ClientError` when even a single block is refused, or when an event is not what was asked for.
 */
export async function getLogs(
  client: ExecutionClient,
  filter: LogFilter,
  options?: CallOptions,
): Promise<Log[]> {
  const found: Log[] = []
  let range = FIRST_RANGE
  let from = filter.fromBlock
  while (from <= filter.toBlock) {
    const last = from + range - 1n
    const to = last < filter.toBlock ? last : filter.toBlock
    try {
      found.push(...(await askPiece(client, { ...filter, fromBlock: from, toBlock: to }, options)))
      from = to + 1n
    } catch (thrown) {
      const size = to - from + 1n
      if (!(thrown instanceof ClientError) || !SPLIT_ON.has(thrown.fault) || size === 1n) throw thrown
      range = size / 2n
    }
  }
  return found
}

function askPiece(client: ExecutionClient, filter: LogFilter, options?: CallOptions): Promise<Log[]> {
  const one: Decoder<Log> = (value, path) => checkLog(decodeLog(value, path), filter, path)
  const request = {
    address: filter.address,
    topics: filter.indexed === undefined ? [filter.topic] : [filter.topic, filter.indexed],
    fromBlock: encodeQuantity(filter.fromBlock),
    toBlock: encodeQuantity(filter.toBlock),
  }
  return client.rpc({ method: 'eth_getLogs', params: [request], decode: list(one), limits: LIST }, options)
}

function checkLog(log: Log, filter: LogFilter, path: string): Log {
  const { blockNumber } = log
  if (!sameHex(log.address, filter.address)) refuse(`${path}.address`, filter.address, log.address)
  if (!sameHex(log.topics[0] ?? '', filter.topic)) refuse(`${path}.topics`, filter.topic, log.topics[0])
  if (filter.indexed !== undefined && !sameHex(log.topics[1] ?? '', filter.indexed)) {
    refuse(`${path}.topics`, filter.indexed, log.topics[1])
  }
  if (log.removed === true) refuse(`${path}.removed`, 'an event that stands', true)
  if (blockNumber === undefined || blockNumber < filter.fromBlock || blockNumber > filter.toBlock) {
    refuse(`${path}.blockNumber`, `${filter.fromBlock} to ${filter.toBlock}`, blockNumber)
  }
  return log
}
