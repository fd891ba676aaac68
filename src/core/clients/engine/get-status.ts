import { ClientError } from '../../base/errors/client.ts'
import type { Gwei } from '../../base/format/amount.ts'
import {
  bool,
  type Decoder,
  decimal,
  decimalIndex,
  list,
  optional,
  record,
  refuse,
  text,
} from '../../base/format/decode.ts'
import { type EngineKey, engineAddress, engineKeyField, engineTimeMs, height } from './blocks.ts'
import type { EngineClient } from './client.ts'

/** What the engine says of itself. Texts are not yet safe to draw. */
export type EngineStatus = {
  /** Engine chain id. */
  network: string
  moniker: string
  version: string
  latestHeight: bigint
  /** Unix milliseconds of the chain's clock. */
  latestBlockTimeMs: number
  catchingUp: boolean
  /** The key this node signs with, whether it is in the set or not. */
  address: string
  publicKey: EngineKey
  /** Effective balance in gwei; 0 when not in the set. */
  votingPowerGwei: Gwei
}

const statusFields = record({
  node_info: record({ network: text, moniker: text, version: text }),
  sync_info: record({ latest_block_height: height, latest_block_time: engineTimeMs, catching_up: bool }),
  validator_info: record({ address: engineAddress, pub_key: engineKeyField, voting_power: decimal }),
})

/** Reads the `/status` result; the node tool's `status` prints the same. */
export const decodeEngineStatus: Decoder<EngineStatus> = (value, path) => {
  const { node_info: node, sync_info: sync, validator_info: own } = statusFields(value, path)
  return {
    network: node.network,
    moniker: node.moniker,
    version: node.version,
    latestHeight: sync.latest_block_height,
    latestBlockTimeMs: sync.latest_block_time,
    catchingUp: sync.catching_up,
    address: own.address,
    publicKey: own.pub_key,
    votingPowerGwei: own.voting_power,
  }
}

/** The engine's `/status`. `catchingUp` stays false on a stopped chain: look at the time. Throws a `ClientError`. */
export function getEngineStatus(client: EngineClient): Promise<EngineStatus> {
  return client.ask({ method: 'status', decode: decodeEngineStatus })
}

export type NetInfo = { listening: boolean; peerCount: number }

const netInfoFields = record({ listening: bool, n_peers: decimalIndex })

const decode: Decoder<NetInfo> = (value, path) => {
  const read = netInfoFields(value, path)
  return { listening: read.listening, peerCount: read.n_peers }
}

/** Returns how many peers the engine has (`/net_info`). Throws a `ClientError`. */
export function getNetInfo(client: EngineClient): Promise<NetInfo> {
  return client.ask({ method: 'net_info', decode })
}

type EngineValidator = {
  address: string
  publicKey: EngineKey
  votingPowerGwei: Gwei
  /** Who proposes next is the one with the most; absent where the engine does not say. */
  proposerPriority?: bigint
}
/** `count`: those that are given here; `total`: those that there are. */
export type EngineValidatorSet = {
  height: bigint
  count: number
  total: number
  validators: EngineValidator[]
}
type Page = Omit<EngineValidatorSet, 'count'>

const PAGE_SIZE = 100
const SMALL_PAGE_SIZE = 10
const MOST_VALIDATORS = 10_000

const signedDecimal: Decoder<bigint> = (value, path) =>
  typeof value === 'string' && /^-?(?:0|[1-9]\d{0,18})$/.test(value)
    ? BigInt(value)
    : refuse(path, 'a decimal number, perhaps below zero', value)

const entryFields = record({
  address: engineAddress,
  pub_key: engineKeyField,
  voting_power: decimal,
  proposer_priority: optional(signedDecimal),
})

const entry: Decoder<EngineValidator> = (value, path) => {
  const read = entryFields(value, path)
  const { proposer_priority: priority } = read
  return {
    address: read.address,
    publicKey: read.pub_key,
    votingPowerGwei: read.voting_power,
    ...(priority === undefined ? {} : { proposerPriority: priority }),
  }
}
const fields = record({ block_height: height, validators: list(entry), total: decimalIndex })

const decodePage: Decoder<Page> = (value, path) => {
  const { block_height, validators, total } = fields(value, path)
  if (total > MOST_VALIDATORS) refuse(`${path}.total`, `at most ${MOST_VALIDATORS}`, total)
  return { height: block_height, validators, total }
}

/**
 * Returns the engine's whole validator set at one height, the latest unless given: page by page until the engine's own
 * total is reached, every page at the height of the first. Voting power is the effective balance in gwei. When a
 * page is too large for the cap, smaller pages are asked for. With `page` or `per_page` that one page as the engine numbers
 * it, from 1 on. Throws a `ClientError`.
 */
export async function getEngineValidators(
  client: EngineClient,
  args: { height?: bigint; page?: bigint; per_page?: bigint } = {},
): Promise<EngineValidatorSet> {
  if (args.page !== undefined || args.per_page !== undefined) return onePage(client, args)
  try {
    return await readPages(client, args.height, PAGE_SIZE)
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'too-large') throw thrown
    return readPages(client, args.height, SMALL_PAGE_SIZE)
  }
}

async function readPages(
  client: EngineClient,
  at: bigint | undefined,
  pageSize: number,
): Promise<EngineValidatorSet> {
  const first = await readPage(client, { at, page: 1, pageSize })
  const validators = [...first.validators]
  for (let page = 2; validators.length < first.total; page += 1) {
    const next = await readPage(client, { at: first.height, page, pageSize, expect: first })
    validators.push(...next.validators)
  }
  return { height: first.height, count: validators.length, total: first.total, validators }
}

async function onePage(client: EngineClient, args: Record<string, bigint>): Promise<EngineValidatorSet> {
  const query = Object.entries(args).map(([name, value]) => [name, String(value)] as const)
  const page = await client.ask({ method: 'validators', query, decode: decodePage })
  return { ...page, count: page.validators.length }
}

function readPage(
  client: EngineClient,
  args: { at: bigint | undefined; page: number; pageSize: number; expect?: Page },
): Promise<Page> {
  const heightQuery = args.at === undefined ? [] : [['height', String(args.at)] as const]
  const query = [['page', String(args.page)], ['per_page', String(args.pageSize)], ...heightQuery] as const
  const decode: Decoder<Page> = (value, path) => {
    const page = decodePage(value, path)
    if (page.validators.length === 0 && page.total > 0)
      refuse(`${path}.validators`, 'at least one', page.validators)
    const { expect } = args
    if (expect === undefined) return page
    if (page.height !== expect.height) refuse(`${path}.block_height`, String(expect.height), page.height)
    return page.total === expect.total ? page : refuse(`${path}.total`, String(expect.total), page.total)
  }
  return client.ask({ method: 'validators', query, decode })
}
