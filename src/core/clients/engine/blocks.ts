import { ClientError } from '../../base/errors/client.ts'
import {
  type Decoder,
  decimal,
  list,
  nullable,
  optional,
  record,
  refuse,
  text,
  uint,
  uintIndex,
} from '../../base/format/decode.ts'
import type { BlockId, EngineHeader, EngineTime } from '../../chain/light/encode.ts'
import type { SignedHeader } from '../../chain/light/light-client.ts'
import { type AskLimits, LIST } from '../json-rpc.ts'
import type { EngineClient } from './client.ts'

/** A public key as the engine writes it: its type, and base64 (96 uncompressed bytes for BLS12-381). */
export type EngineKey = { type: string; value: string }

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

const base64: Decoder<string> = (value, path) =>
  typeof value === 'string' && value.length <= 400 && BASE64.test(value)
    ? value
    : refuse(path, 'base64', value)

export const engineKeyField: Decoder<EngineKey> = record({ type: text, value: base64 })

/** 20 bytes in upper-case hex without 0x. */
export const engineAddress: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^[0-9A-F]{40}$/.test(value)
    ? value
    : refuse(path, '20 bytes of upper-case hex', value)

/** 32 bytes in upper-case hex without 0x. */
const engineHash: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^[0-9A-F]{64}$/.test(value)
    ? value
    : refuse(path, '32 bytes of upper-case hex', value)

/** A time in RFC 3339 with up to nanoseconds, as Unix milliseconds. */
export const engineTimeMs: Decoder<number> = (value, path) => {
  const ms = typeof value === 'string' && TIME.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? refuse(path, 'a time such as 2026-01-02T03:04:05.678Z', value) : ms
}

/** A height: a decimal text, as a bigint. */
export const height = decimal

/** A header of the engine with its time in Unix milliseconds as well. Texts are not yet safe to draw. */
export type BlockHeader = EngineHeader & { timeMs: number }

/** A height or another number: a bare number through the node API, a decimal text in the engine's own RPC. */
const engineNumber: Decoder<bigint> = (value, path) =>
  typeof value === 'string' ? decimal(value, path) : uint(value, path)

/** The very first block has no block before it, and the genesis app hash may be empty. */
const perhapsHash: Decoder<string> = (value, path) =>
  typeof value === 'string' && /^(?:[0-9A-F]{2}){0,64}$/.test(value)
    ? value
    : refuse(path, 'upper-case hexadecimal', value)

const exactTime: Decoder<EngineTime> = (value, path) => {
  const ms = engineTimeMs(value, path)
  const [, digits = ''] = /\.(\d+)/.exec(String(value)) ?? []
  return { seconds: BigInt(Math.floor(ms / 1000)), nanos: Number(digits.padEnd(9, '0')) }
}

const blockIdField: Decoder<BlockId> = record({
  hash: perhapsHash,
  parts: record({ total: uintIndex, hash: perhapsHash }),
})

const blockHeaderFields = record({
  version: record({ block: engineNumber, app: optional(engineNumber) }),
  chain_id: text,
  height: engineNumber,
  time: exactTime,
  last_block_id: blockIdField,
  last_commit_hash: perhapsHash,
  data_hash: perhapsHash,
  validators_hash: engineHash,
  next_validators_hash: engineHash,
  consensus_hash: perhapsHash,
  app_hash: perhapsHash,
  last_results_hash: perhapsHash,
  evidence_hash: perhapsHash,
  proposer_address: engineAddress,
})

/** Reads a header as the engine's `/commit` and the node API's `/cometbft/v1` write it. */
export const decodeBlockHeader: Decoder<BlockHeader> = (value, path) => {
  const read = blockHeaderFields(value, path)
  return {
    version: { block: read.version.block, app: read.version.app ?? 0n },
    chainId: read.chain_id,
    height: read.height,
    time: read.time,
    timeMs: Number(read.time.seconds) * 1000 + Math.floor(read.time.nanos / 1_000_000),
    lastBlockId: read.last_block_id,
    lastCommitHash: read.last_commit_hash,
    dataHash: read.data_hash,
    validatorsHash: read.validators_hash,
    nextValidatorsHash: read.next_validators_hash,
    consensusHash: read.consensus_hash,
    appHash: read.app_hash,
    lastResultsHash: read.last_results_hash,
    evidenceHash: read.evidence_hash,
    proposerAddress: read.proposer_address,
  }
}

/** A header with its commit, as an endpoint claims it: nothing is verified here. */
export type ClaimedHeader = SignedHeader & { header: BlockHeader }

/** The address of a member; the engine leaves it empty where the member did not vote. */
const voter: Decoder<string> = (value, path) => (value === '' ? '' : engineAddress(value, path))

const signerFields = record({
  block_id_flag: uintIndex,
  validator_address: voter,
  signature: nullable(base64),
})

const signedHeaderFields = record({
  header: decodeBlockHeader,
  commit: record({
    height: engineNumber,
    round: optional(uintIndex),
    block_id: blockIdField,
    signatures: list(signerFields),
  }),
})

/** Reads a signed header; the commit must be of the header's own height. */
export const decodeSignedHeader: Decoder<ClaimedHeader> = (value, path) => {
  const { header, commit } = signedHeaderFields(value, path)
  if (commit.height !== header.height)
    refuse(`${path}.commit.height`, String(header.height), String(commit.height))
  const signatures = commit.signatures.map((one) => ({
    flag: one.block_id_flag,
    address: one.validator_address,
    signature: one.signature === '' ? undefined : one.signature,
  }))
  return {
    header,
    commit: { height: commit.height, round: commit.round ?? 0, blockId: commit.block_id, signatures },
  }
}

const commitFields = record({ signed_header: decodeSignedHeader })

/** A block's header with its commit, the latest unless a height is given (`/commit`). Throws a `ClientError`. */
export function getCommit(
  client: EngineClient,
  args: { height?: bigint; limits?: AskLimits } = {},
): Promise<ClaimedHeader> {
  const query = args.height === undefined ? [] : ([['height', String(args.height)]] as const)
  const decode = (value: unknown, at: string) => commitFields(value, at).signed_header
  return client.ask({ method: 'commit', query, decode, limits: args.limits ?? LIST })
}

/** The time between two blocks, on the average of the last ones, and of how many. */
export type BlockInterval = { intervalMs: number; blocks: bigint }

/**
 * How long the last `most` blocks up to `head` took, fewer near the first one; undefined where there are none before it.
 * Throws a `ClientError`, also where the times of the blocks run backwards.
 */
export async function measureBlockInterval(
  client: EngineClient,
  { head, most }: { head: { height: bigint; timeMs: number }; most: bigint },
): Promise<BlockInterval | undefined> {
  const blocks = head.height <= most ? head.height - 1n : most
  if (blocks <= 0n) return undefined
  const { timeMs } = (await getCommit(client, { height: head.height - blocks })).header
  if (timeMs > head.timeMs)
    throw new ClientError('malformed', {
      service: 'engine RPC',
      endpoint: client.label,
      what: 'the times of its blocks, which run backwards',
    })
  return { intervalMs: (head.timeMs - timeMs) / Number(blocks), blocks }
}

export type EngineBlock = {
  height: bigint
  chainId: string
  /** Unix milliseconds. */
  timeMs: number
  proposerAddress: string
  /** Upper-case hex without 0x. */
  hash: string
}

const engineBlockFields = record({
  block_id: record({ hash: engineHash }),
  block: record({
    header: record({ chain_id: text, height, time: engineTimeMs, proposer_address: engineAddress }),
  }),
})

const decode: Decoder<EngineBlock> = (value, path) => {
  const { block_id, block } = engineBlockFields(value, path)
  const { header } = block
  return {
    height: header.height,
    chainId: header.chain_id,
    timeMs: header.time,
    proposerAddress: header.proposer_address,
    hash: block_id.hash,
  }
}

/** A block's header, the latest unless a height is given: who proposed it, and when (`/block`). Throws a `ClientError`. */
export function getEngineBlock(client: EngineClient, args: { height?: bigint } = {}): Promise<EngineBlock> {
  const query = args.height === undefined ? [] : ([['height', String(args.height)]] as const)
  return client.ask({ method: 'block', query, decode, limits: LIST })
}
