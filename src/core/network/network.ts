import type { Gwei } from '../format/amount.ts'
import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from './chain-spec.ts'

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
  /** An execution endpoint of another operator. */
  secondExecution?: string
}

/** The endpoints of a whole node. */
export type NodeEndpoints = Endpoints & { engine: string }

export type NetworkKind = 'real' | 'test' | 'rehearsal'

/** Everything that must be known of a chain before a deposit for it may be signed. */
export type Network = {
  /** Stable name: mainnet, bepolia, rehearsal or the name in a network file. */
  id: string
  /** Name for people, e.g. Berachain. */
  label: string
  kind: NetworkKind
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
  /** Time between two heads on our own clock. */
  slotMs: number
  spec: ChainSpec
  names: NetworkNames
  /** Offered to the user, never used unasked. */
  defaultEndpoints: NodeEndpoints
  /** A public execution endpoint, if the network has one: only ever a default the user confirms. */
  publicExecution?: string
}
