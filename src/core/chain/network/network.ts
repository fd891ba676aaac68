import { networkError } from '../../base/errors/http.ts'
import { formatGwei, type Gwei, readTokens } from '../../base/format/amount.ts'
import { type Decoder, decodeWhole, FieldFault, refuse, uint } from '../../base/format/decode.ts'
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
