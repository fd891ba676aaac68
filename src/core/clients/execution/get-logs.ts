import { ClientError } from '../../base/errors/client.ts'
import {
  bool,
  type Decoder,
  hex,
  list,
  nullable,
  optional,
  quantity64,
  quantityIndex,
  record,
  refuse,
} from '../../base/format/decode.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { LIST } from '../json-rpc.ts'
import { encodeQuantity } from './blocks.ts'
import type { ExecutionClient } from './client.ts'

/** An event of a contract in a mined block. */
export type Log = {
  address: Hex
  topics: Hex[]
  data: Hex
  blockNumber: bigint | undefined
  blockHash: Hex | undefined
  transactionHash: Hex | undefined
  logIndex: number | undefined
  /** True when the endpoint takes it back. */
  removed: boolean | undefined
}

export const decodeLog: Decoder<Log> = record({
  address: hex(20),
  topics: list(hex(32)),
  data: hex(),
  blockNumber: nullable(quantity64),
  blockHash: nullable(hex(32)),
  transactionHash: nullable(hex(32)),
  logIndex: nullable(quantityIndex),
  removed: optional(bool),
})

export type LogFilter = {
  address: Hex
  /** Left out: the events that have none (LOG0). */
  topic?: Hex
  /** The first indexed field, where one is asked for. */
  indexed?: Hex
  fromBlock: bigint
  toBlock: bigint
}

/** Makes something of the events of one reply, which stand at `path`. */
type Reading<T> = (logs: readonly Log[], path: string) => T[]

/** So many blocks are asked for at once at most. */
export const LARGEST_RANGE = 10_000n
/** After so many answers in a row a piece is twice as large again: what was refused may have been crowded, or busy. */
const ANSWERS_TO_GROW = 8
const SPLIT_ON = new Set(['rejected', 'bad-request', 'too-large', 'timeout', 'failed'])

/** More than any honest endpoint needs: ten years of blocks, asked in pieces of 4,000. */
const MOST_BLOCKS = 400_000_000n
const MOST_QUESTIONS = 50_000
/** The deposits of a chain are thousands, of less than a kilobyte each. */
const MOST_LOGS = 200_000
const MOST_BYTES = 128 * 1024 * 1024

/**
 * Returns all events of one contract with one first topic, or with none, in a range of blocks, both ends included, in order
 * (`eth_getLogs`). Asks in pieces of 10,000 blocks, halves a piece that the endpoint does not want to answer, and lets the
 * pieces grow again after some answers.
 * The end of the range is often what the endpoint itself says is its head, so blocks, questions, events and bytes are
 * all capped. Throws a `ClientError` when even a single block is refused, when an event is not what was asked for, or
 * (`too-large`) when a cap is met.
 */
export function getLogs(client: ExecutionClient, filter: LogFilter): Promise<Log[]> {
  return readLogs(client, filter, (logs) => logs.map((log) => ({ log }))).then((found) =>
    found.map(({ log }) => log),
  )
}

/** Returns the same, with each reply read further by `read`, which throws a `FieldFault` for what cannot be read. */
export async function readLogs<T extends { log: Log }>(
  client: ExecutionClient,
  filter: LogFilter,
  read: Reading<T>,
): Promise<T[]> {
  const found: T[] = []
  let range = LARGEST_RANGE
  let answers = 0
  let from = filter.fromBlock
  let bytes = 0
  if (filter.toBlock - from >= MOST_BLOCKS) throw tooMuch(client, `the blocks ${from} to ${filter.toBlock}`)
  for (let questions = 0; from <= filter.toBlock; questions += 1) {
    if (questions === MOST_QUESTIONS) throw tooMuch(client, `more than ${MOST_QUESTIONS} pieces`)
    const last = from + range - 1n
    const to = last < filter.toBlock ? last : filter.toBlock
    const piece = await askOrHalve(client, { ...filter, fromBlock: from, toBlock: to }, read)
    if (piece === undefined) {
      range = (to - from + 1n) / 2n
      answers = 0
      continue
    }
    answers += 1
    if (answers % ANSWERS_TO_GROW === 0) range = 2n * range < LARGEST_RANGE ? 2n * range : LARGEST_RANGE
    for (const one of piece) {
      bytes += bytesOf(one.log)
      found.push(one)
    }
    if (found.length > MOST_LOGS) throw tooMuch(client, `more than ${MOST_LOGS} events`)
    if (bytes > MOST_BYTES) throw tooMuch(client, `more than ${MOST_BYTES} bytes of events`)
    from = to + 1n
  }
  return found
}

/** The events of one piece; undefined where the endpoint may answer for a smaller one. */
async function askOrHalve<T>(
  client: ExecutionClient,
  filter: LogFilter,
  read: Reading<T>,
): Promise<T[] | undefined> {
  try {
    return await askPiece(client, filter, read)
  } catch (thrown) {
    if (filter.fromBlock === filter.toBlock) throw thrown
    if (!(thrown instanceof ClientError) || !SPLIT_ON.has(thrown.fault)) throw thrown
    return undefined
  }
}

function tooMuch({ label }: ExecutionClient, found: string): ClientError {
  const details = [`found: ${found}`, 'expected: what a chain of this kind can have']
  return new ClientError('too-large', {
    service: 'execution RPC',
    endpoint: label,
    what: 'eth_getLogs',
    details,
  })
}

function bytesOf({ data, topics }: Log): number {
  return data.length + topics.length * 66
}

function askPiece<T>(client: ExecutionClient, filter: LogFilter, read: Reading<T>): Promise<T[]> {
  const one: Decoder<Log> = (value, path) => checkLog(decodeLog(value, path), filter, path)
  const decode: Decoder<T[]> = (value, path) => read(list(one)(value, path), path)
  const { topic, indexed } = filter
  const request = {
    address: filter.address,
    ...(topic === undefined ? {} : { topics: indexed === undefined ? [topic] : [topic, indexed] }),
    fromBlock: encodeQuantity(filter.fromBlock),
    toBlock: encodeQuantity(filter.toBlock),
  }
  return client.rpc({ method: 'eth_getLogs', params: [request], decode, limits: LIST })
}

function checkLog(log: Log, filter: LogFilter, path: string): Log {
  const { blockNumber } = log
  if (!sameHex(log.address, filter.address)) refuse(`${path}.address`, filter.address, log.address)
  const [topic] = log.topics
  if (!sameHex(topic ?? '', filter.topic ?? '')) refuse(`${path}.topics`, filter.topic ?? 'none', topic)
  if (filter.indexed !== undefined && !sameHex(log.topics[1] ?? '', filter.indexed)) {
    refuse(`${path}.topics`, filter.indexed, log.topics[1])
  }
  if (log.removed === true) refuse(`${path}.removed`, 'an event that stands', true)
  if (blockNumber === undefined || blockNumber < filter.fromBlock || blockNumber > filter.toBlock) {
    refuse(`${path}.blockNumber`, `${filter.fromBlock} to ${filter.toBlock}`, blockNumber)
  }
  return log
}
