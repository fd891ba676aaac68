import { ClientError } from '../../base/errors/client.ts'
import {
  type Decoder,
  decimal,
  decimalIndex,
  hex,
  list,
  optional,
  quantity64,
  record,
} from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import { OPTIONAL } from '../json-rpc.ts'
import type { NodeClient } from './client.ts'
import { ifOffered } from './node.ts'

/** Which state: a name, or a slot. `finalized` and `justified` are the head on this chain. */
export type StateId = 'head' | 'genesis' | 'finalized' | 'justified' | bigint

/** Returns the state id as a part of a path. */
export function encodeStateId(state: StateId): string {
  return String(state)
}

export type NodeGenesis = {
  /** Unix seconds. */
  genesisTimeSeconds: bigint
  genesisValidatorsRoot: Hex
  genesisForkVersion: Hex
}

const genesisFields = record({
  data: record({ genesis_time: decimal, genesis_validators_root: hex(32), genesis_fork_version: hex(4) }),
})

const decodedGenesis: Decoder<NodeGenesis> = (value, path) => {
  const { data } = genesisFields(value, path)
  return {
    genesisTimeSeconds: data.genesis_time,
    genesisValidatorsRoot: data.genesis_validators_root,
    genesisForkVersion: data.genesis_fork_version,
  }
}

/**
 * What the node says of its chain's genesis (`/eth/v1/beacon/genesis`). A node that waits for its first block answers 404
 * there, which nothing else can mean: `not-ready`. Throws a `ClientError`.
 */
export async function getGenesis(client: NodeClient): Promise<NodeGenesis> {
  const what = '/eth/v1/beacon/genesis'
  try {
    return await client.ask({ path: what.slice(1).split('/'), decode: decodedGenesis })
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-found') throw thrown
    const { endpoint, status } = thrown
    const parts = { service: 'node API', endpoint, what, cause: thrown } as const
    throw new ClientError('not-ready', status === undefined ? parts : { ...parts, status })
  }
}

export type NodeFork = { previousVersion: Hex; currentVersion: Hex; epoch: bigint }

/** A fork whose epoch is written as `epoch` reads it. */
function fork(epoch: Decoder<bigint>): Decoder<NodeFork> {
  const fields = record({ previous_version: hex(4), current_version: hex(4), epoch })
  return (value, path) => {
    const read = fields(value, path)
    return { previousVersion: read.previous_version, currentVersion: read.current_version, epoch: read.epoch }
  }
}

// The one number of /eth/v1 that this node writes in hex.
const forkFields = record({ data: fork(quantity64) })

/** Returns the fork of a state (`states/{id}/fork`). Throws a `ClientError`. */
export function getFork(client: NodeClient, args: { state: StateId }): Promise<NodeFork> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'fork']
  return client.ask({ path, decode: (value, at) => forkFields(value, at).data })
}

/** Decimal by the standard; hex in the forks of this node. */
const epoch: Decoder<bigint> = (value, path) =>
  typeof value === 'string' && value.startsWith('0x') ? quantity64(value, path) : decimal(value, path)

const forkScheduleFields = record({ data: list(fork(epoch)) })

/**
 * All forks of the chain, past and to come (`config/fork_schedule`); undefined when the node does not offer them.
 * Throws a `ClientError`.
 */
export function getForkSchedule(client: NodeClient): Promise<NodeFork[] | undefined> {
  const path = ['eth', 'v1', 'config', 'fork_schedule']
  return ifOffered(
    client.ask({ path, limits: OPTIONAL, decode: (value, at) => forkScheduleFields(value, at).data }),
  )
}

/** The facts of `config/spec` that matter; this node gives five keys, no limits, and the chain as network id only. */
export type NodeConfigSpec = {
  depositContract: Hex | undefined
  depositChainId: number | undefined
  depositNetworkId: number | undefined
}

const configSpecFields = record({
  data: record({
    DEPOSIT_CONTRACT_ADDRESS: optional(hex(20)),
    DEPOSIT_CHAIN_ID: optional(decimalIndex),
    DEPOSIT_NETWORK_ID: optional(decimalIndex),
  }),
})

const decodedConfigSpec: Decoder<NodeConfigSpec> = (value, path) => {
  const { data } = configSpecFields(value, path)
  return {
    depositContract: data.DEPOSIT_CONTRACT_ADDRESS,
    depositChainId: data.DEPOSIT_CHAIN_ID,
    depositNetworkId: data.DEPOSIT_NETWORK_ID,
  }
}

/** Deposit contract and execution chain id that the node is configured for (`config/spec`). Throws a `ClientError`. */
export function getConfigSpec(client: NodeClient): Promise<NodeConfigSpec> {
  return client.ask({ path: ['eth', 'v1', 'config', 'spec'], decode: decodedConfigSpec })
}

export type NodeDepositContract = { chainId: number; address: Hex }

const depositContractFields = record({ data: record({ chain_id: decimalIndex, address: hex(20) }) })

const decodedDepositContract: Decoder<NodeDepositContract> = (value, path) => {
  const { data } = depositContractFields(value, path)
  return { chainId: data.chain_id, address: data.address }
}

/**
 * The deposit contract that the node watches (`config/deposit_contract`); undefined when it does not say. Where it
 * does, it must be the network's. Throws a `ClientError`.
 */
export function getDepositContract(client: NodeClient): Promise<NodeDepositContract | undefined> {
  return ifOffered(
    client.ask({
      path: ['eth', 'v1', 'config', 'deposit_contract'],
      limits: OPTIONAL,
      decode: decodedDepositContract,
    }),
  )
}

const stateRootFields = record({ data: record({ root: hex(32) }) })

/** Returns the root of a state (`states/{id}/root`). A slot in the future is `failed`. Throws a `ClientError`. */
export function getStateRoot(client: NodeClient, args: { state: StateId }): Promise<Hex> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'root']
  return client.ask({ path, decode: (value, at) => stateRootFields(value, at).data.root })
}

/** This node gives the mix itself; the standard wraps it in a record. */
const mix: Decoder<Hex> = (value, path) =>
  typeof value === 'string' ? hex(32)(value, path) : record({ randao: hex(32) })(value, path).randao

const randaoFields = record({ data: mix })

/** The randomness of a state, of its own epoch unless one is given (`states/{id}/randao`). Throws a `ClientError`. */
export function getRandao(client: NodeClient, args: { state: StateId; epoch?: bigint }): Promise<Hex> {
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(args.state), 'randao']
  const query = args.epoch === undefined ? [] : ([['epoch', String(args.epoch)]] as const)
  return client.ask({ path, query, decode: (value, at) => randaoFields(value, at).data })
}
