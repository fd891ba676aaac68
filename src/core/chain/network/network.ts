import { networkError } from '../../base/errors/http.ts'
import { formatGwei, type Gwei, readTokens } from '../../base/format/amount.ts'
import { type Decoder, decodeWhole, FieldFault, refuse, uint } from '../../base/format/decode.ts'
import { isSameServer } from '../../base/format/endpoint-url.ts'
import type { Hex } from '../../base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'

/** Limits and times of one chain, as in its `spec.toml`. Amounts in gwei, times in Unix seconds. */
export type ChainSpec = {
  slotsPerEpoch: bigint
  targetSecondsPerSlot: number
  maxEffectiveBalanceGwei: Gwei
  effectiveBalanceIncrementGwei: Gwei
  activationBalanceGwei: Gwei
  /** Before Fulu. */
  hysteresisQuotient: bigint
  hysteresisDownwardMultiplier: bigint
  hysteresisUpwardMultiplier: bigint
  /** From Fulu on. */
  hysteresisQuotientFulu: bigint
  hysteresisUpwardMultiplierFulu: bigint
  validatorSetCap: number
  withdrawabilityDelayEpochs: bigint
  maxWithdrawalsPerPayload: number
  maxValidatorsPerWithdrawalsSweep: number
  maxDepositsPerBlock: number
  depositChainId: number
  depositContract: Hex
  genesisTimeSeconds: bigint
  electraTimeSeconds: bigint
  electraOneTimeSeconds: bigint
  fuluTimeSeconds: bigint
}

/** Words that differ between networks of the same node software. */
export type NetworkNames = {
  /** Native token, e.g. BERA. */
  token: string
  /** Executable of the node, e.g. beacond. */
  nodeTool: string
  /** Path prefix of the proof endpoints, e.g. bkit/v1. */
  proofNamespace: string
  /** Section of app.toml that holds the node API, e.g. beacon-kit.node-api. */
  nodeApiSection: string
  /** Root section of app.toml, e.g. beacon-kit. */
  appSection: string
  /** Prefix of the key types, e.g. cometbft. */
  keyTypePrefix: string
}

export type Endpoints = {
  execution: string
  node: string
  /** The consensus engine of the node; none where only the node API can be reached. */
  engine?: string
  /** Engines of others, which may serve blocks that the validator set signed. */
  otherEngines?: readonly string[]
  /** An execution endpoint of another operator. */
  secondExecution?: string
}

/** The endpoints of a whole node. */
export type NodeEndpoints = Endpoints & { engine: string }

/**
 * Contracts of the staking pools of a network, in lower case. A validator of a pool pays out to the vault, one contract
 * that all pools share; its stake goes through the contract of the pool, and not through a direct deposit.
 */
export type Pools = { vault: Hex; factories: readonly Hex[] }

export type NetworkKind = 'real' | 'test' | 'rehearsal'

/** Everything that must be known of a chain before a deposit for it may be signed. */
export type Network = {
  /** Stable name: mainnet, bepolia, rehearsal or the name in a network file. */
  id: string
  /** Name for people, e.g. Berachain. */
  label: string
  kind: NetworkKind
  /** A rehearsal in which every rule of real money holds. */
  asOnMainnet?: true
  executionChainId: number
  engineChainId: string
  genesisValidatorsRoot: Hex
  genesisForkVersion: Hex
  /** keccak256 of the deposit contract's runtime code. */
  depositContractCodeHash: Hex
  /** False where that hash was never read from a node of this very network. */
  depositContractCodeHashConfirmed: boolean
  /** Least value of one deposit call. */
  minimumDepositGwei: Gwei
  /** False where chain time runs ahead of the wall, as fast rehearsal slots do. */
  clockIsWall: boolean
  /** Time between two heads on our own clock; a rehearsal with a story changes it while it runs. */
  slotMs: number
  spec: ChainSpec
  names: NetworkNames
  /** Offered to the user, never used unasked. */
  defaultEndpoints: NodeEndpoints
  /** Its staking pools, if they are known. */
  pools?: Pools
  /** A public execution endpoint, if the network has one: only ever a default the user confirms. */
  publicExecution?: string
}

/** Whether all that real money needs is asked for: on a real network, and where that is rehearsed. */
export const asksAsRealMoney = ({ kind, asOnMainnet }: Pick<Network, 'kind' | 'asOnMainnet'>): boolean =>
  kind === 'real' || asOnMainnet === true

/** Reads JSON text strictly; a `network.*` error names the file (`source`) and the place when it is none. */
export function parseNetworkJson(source: string, text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (fault) {
    if (fault instanceof JsonFault) throw networkError('network.unreadable', source, 'JSON', fault.message)
    throw fault
  }
}

/**
 * Reads a description of a network and turns the first odd field into a `network.*` error that names it.
 * `source` is the file as people call it, e.g. `spec.toml`.
 */
export function decodeNetwork<T>(source: string, decode: Decoder<T>, value: unknown): T {
  try {
    return decodeWhole(decode, value)
  } catch (fault) {
    if (fault instanceof FieldFault) throw networkError('network.field', source, fault)
    throw fault
  }
}

/** A whole number above zero, bare or as decimal text. */
export const positive: Decoder<bigint> = (value, path) => {
  const read = wholeNumber(value, path)
  return read > 0n ? read : refuse(path, 'a whole number above zero', value)
}

/** A whole number, bare or as decimal text (JSON files may quote numbers beyond 2^53). */
export const wholeNumber: Decoder<bigint> = (value, path) => {
  const quoted = typeof value === 'string' && /^(?:0|[1-9]\d{0,19})$/.test(value)
  return uint(quoted ? BigInt(value) : value, path)
}

/** A whole number above zero and below 2^53, as a number. */
export const positiveIndex: Decoder<number> = (value, path) => {
  const read = positive(value, path)
  return read <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(read) : refuse(path, 'a number below 2^53', value)
}

/** Why the contract or the chain takes no deposit of this amount, or undefined where it does. */
export function amountError(amountGwei: Gwei, network: Network): string | undefined {
  const { names, spec, minimumDepositGwei } = network
  if (amountGwei < minimumDepositGwei)
    return `The least is ${formatGwei(minimumDepositGwei)} ${names.token}: the contract takes no smaller deposit.`
  return amountGwei > spec.maxEffectiveBalanceGwei ? mostError(network) : undefined
}

/** Reads the amount of a deposit in tokens, or tells why no deposit can be made of it. */
export function typedAmount(text: string, network: Network): { amountGwei: Gwei } | { error: string } {
  const read = readTokens(text)
  if ('error' in read) return read
  const error = amountError(read.amountGwei, network)
  return error === undefined ? read : { error }
}

/** Reads an amount of tokens of which a part of the stake is asked for, or tells why none can be made of it. */
export function typedPart(text: string, network: Network): { amountGwei: Gwei } | { error: string } {
  const read = readTokens(text)
  if ('error' in read) return read
  if (read.amountGwei === 0n) return { error: 'A part is more than 0.' }
  return read.amountGwei > network.spec.maxEffectiveBalanceGwei ? { error: mostError(network) } : read
}

const mostError = ({ names, spec }: Network): string =>
  `The most is ${formatGwei(spec.maxEffectiveBalanceGwei)} ${names.token}: a validator can hold no more.`

/** Returns an amount in gwei with the token of its network. */
export function tokensOf(amountGwei: Gwei, { network }: { network: Pick<Network, 'names'> }): string {
  return `${formatGwei(amountGwei)} ${network.names.token}`
}

/** That more than two thirds of the validator set signed the block which a fact was proven from. */
export type SignedBy = {
  height: bigint
  /** How much of the power signed, in whole percent, rounded down. */
  percent: number
  /** The engine that served the block. */
  by: string
  /** Endpoints that contradict the signed block or stand still behind it, safe to draw. */
  leftOut: readonly string[]
}

/** What bears out the root of a proof: how many execution endpoints hold it, and the set's signature where there is one. */
export type Evidence = { anchors: number; signed?: SignedBy }

/** Execution endpoints on different servers that must give the same block root: two for real money, else all that are set. */
export function anchorsNeeded({
  network,
  endpoints,
}: {
  network: Pick<Network, 'kind' | 'asOnMainnet'>
  endpoints: Pick<Endpoints, 'execution' | 'secondExecution'>
}): number {
  const { execution: first, secondExecution = first } = endpoints
  return asksAsRealMoney(network) || !isSameServer(first, secondExecution) ? 2 : 1
}

/**
 * Whether evidence is enough for a decision about money: the signature of the validator set alone is, else as many
 * execution endpoints as are needed.
 */
export const isProof = ({ anchors, signed }: Evidence, needed: number): boolean =>
  signed !== undefined || anchors >= needed

/** Returns the evidence out of something that was proven by it. */
export const evidenceOf = ({ anchors, signed }: Evidence): Evidence =>
  signed === undefined ? { anchors } : { anchors, signed }

/** By which numbers a node is judged, in one place: whoever shows, waits for or alarms of the same thing takes them from here. */

/** Where chain time is the wall's, a head of now is no further from our own clock than this, in milliseconds. */
export const OLDEST_HEAD_MS = 30_000
/** With places whose validators do not run a block may take so long on a network with slots of two seconds, in milliseconds. */
export const LONGEST_BLOCK_MS = 30_000
/** The slots of that network, in milliseconds: on one of other slots it is longer or shorter by as much. */
export const MEASURED_SLOT_MS = 2000
/** Over so many blocks the time between two is taken: fewer tell of one late proposer. */
export const BLOCKS_TO_MEASURE = 20n
/** A block of the future shows a clock that is behind, in milliseconds. */
const MOST_CLOCK_BEHIND_MS = 1000
/** An old block may have been late: so much more shows a clock that is ahead, in milliseconds. */
const MOST_CLOCK_AHEAD_MS = 5000
/** How far the heads of one node may be apart: consensus slot and execution block have one number here. */
export const MOST_SLOTS_APART = 5n
/** Heads that are no further apart are of one time. */
export const NEAR_SLOTS = 2n
/** After so many slots without a new head a node stands still. */
export const SLOTS_TO_STAND = 10
/** So long an answer may take, in milliseconds, and so many slots. */
export const LONGEST_ANSWER_MS = 6_000
export const SLOTS_TO_ANSWER = 3
/** In so many of the last commits a key is looked for: a validator that runs signs nearly every block. */
export const COMMITS_TO_LOOK_AT = 5n
/** In so many before a node is started with a key. */
export const COMMITS_BEFORE_A_START = 20n

/**
 * How far the clock of this computer is ahead of the chain, in milliseconds, below zero where it is behind; by the ages that
 * new blocks had when they were seen. A block is seen up to a slot after its time, never before it: the youngest and the
 * oldest of several tell. 0 where they can be of a clock that is right; without a block it is no clock that can be called right.
 * undefined where nothing can be compared: old blocks that come faster than they are made are caught up with.
 */
export function clockAheadMs(agesMs: readonly number[], slotMs: number): number | undefined {
  const [youngest, oldest] = [Math.min(...agesMs), Math.max(...agesMs)]
  if (oldest < 0) return oldest
  if (youngest <= slotMs) return 0
  return oldest - youngest > slotMs ? undefined : youngest - slotMs
}

/** Returns what follows from it: `near` is well within the limits, and `between` neither fires nor clears anything. */
export function judgeClock(aheadMs: number): 'behind' | 'ahead' | 'near' | 'between' {
  if (aheadMs < -MOST_CLOCK_BEHIND_MS) return 'behind'
  if (aheadMs > MOST_CLOCK_AHEAD_MS) return 'ahead'
  const isNear = aheadMs > -MOST_CLOCK_BEHIND_MS / 2 && aheadMs < MOST_CLOCK_AHEAD_MS / 2
  return isNear ? 'near' : 'between'
}
