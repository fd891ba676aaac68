import { type Hex, sameHex } from '../../base/format/hex.ts'
import {
  type ForkNow,
  forkIsKnown,
  type ScheduledFork,
  scheduleFits,
} from '../../chain/consensus/fork-outlook.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Network } from '../../chain/network/network.ts'
import { type Offered, offeredValue } from '../../chain/network/offered.ts'
import { PRESETS } from '../../chain/network/presets.ts'
import { known, type Observations } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import { SOURCES } from '../../view/sources.ts'

/** Answers about the chain, by who gives them. */
export type GenesisAnswers = {
  /** Where the genesis file of the home is. */
  place: { path: string }
  file: { root: Hex; forkVersion: Hex; validators: number; engineChainId: string }
  node: { root: Hex; forkVersion: Hex }
  tool: { root: Hex }
  execution: { chainId: number; genesisHash: Hex }
  second: { chainId: number; genesisHash: Hex }
  engine: { network: string }
  contract: { codeHash: Hex }
  /** What the node says in `config/spec`. */
  config: DepositClaim
  fork: ForkNow
  /** What the node says in `config/deposit_contract`, which it need not have. */
  deposits: Offered<DepositClaim>
  /** What the node says in `config/fork_schedule`, which it need not have. */
  schedule: Offered<readonly ScheduledFork[]>
}

/** What the answers are judged by: one another, and what was chosen before the first step. */
export type AboutGenesis = { observed: Observations<GenesisAnswers>; setup: Setup }

/**
 * The facts of this step, in the order of their rows. The node tool is a further opinion: it may be absent, but never
 * disagree; so is what a node need not offer.
 */
export const GENESIS_FACTS: FactTable<GenesisAnswers, AboutGenesis> = {
  place: { gate: 'told', source: ({ homePath }) => homePath ?? '', judge: () => true },
  file: {
    gate: 'needed',
    source: () => 'this computer',
    isAsked: ({ setup }) => hasGenesisFile(setup),
    numbers: ({ validators }) => ({ validatorCount: validators }),
    judge: (value, { setup: { network } }) =>
      sameHex(value.root, network.genesisValidatorsRoot) &&
      sameHex(value.forkVersion, network.genesisForkVersion) &&
      value.engineChainId === network.engineChainId,
  },
  node: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, { setup: { network } }) =>
      sameHex(value.root, network.genesisValidatorsRoot) &&
      sameHex(value.forkVersion, network.genesisForkVersion),
  },
  tool: {
    gate: 'where asked',
    judge: ({ root }, { setup }) => sameHex(root, setup.network.genesisValidatorsRoot),
  },
  execution: {
    gate: 'needed',
    source: SOURCES.execution,
    numbers: ({ chainId }) => ({ chainId }),
    judge: (value, { setup: { network, executionGenesisHash: first } }) =>
      value.chainId === network.executionChainId &&
      (first === undefined || sameHex(value.genesisHash, first)),
  },
  second: {
    gate: 'needed',
    source: SOURCES.secondExecution,
    numbers: ({ chainId }) => ({ chainId }),
    isAsked: ({ setup }) => setup.endpoints.secondExecution !== undefined,
    hasRow: ({ setup }) => setup.endpoints.secondExecution !== undefined,
    // Without the first one there is nothing to compare with: what can be judged alone is its chain id.
    judge: ({ chainId }, { observed, setup: { network } }) => {
      if (chainId !== network.executionChainId) return false
      if (observed.execution.status === 'asking') return 'asking'
      return known(observed.execution) === undefined ? undefined : sameFirstBlock(observed)
    },
  },
  engine: {
    gate: 'needed',
    source: SOURCES.engine,
    isAsked: ({ setup }) => setup.endpoints.engine !== undefined,
    judge: (value, { setup }) => value.network === setup.network.engineChainId,
  },
  contract: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ codeHash }, { setup }) => sameHex(codeHash, setup.network.depositContractCodeHash),
  },
  config: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, { observed, setup }) => {
      if (!claimFits(value, setup.network)) return false
      if (namesDeposits(value, observed)) return true
      // A node that names no contract has refused nothing, but nothing is known either.
      return observed.deposits.status === 'asking' ? 'asking' : undefined
    },
  },
  fork: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, { setup }) => forkIsKnown(value, setup.network.spec),
  },
  deposits: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    judge: (value, { setup }) => claimFits(value, setup.network),
  },
  schedule: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    // Without the fork of the head there is nothing to compare a schedule with.
    judge: (value, { observed, setup }) => {
      const fork = known(observed.fork)
      return fork === undefined ? undefined : scheduleFits(value, fork, setup.network.spec)
    },
  },
}

/** Whether a genesis file can be compared: one in the node home, or one named instead. */
export function hasGenesisFile({ homePath, genesisPath }: Setup): boolean {
  return homePath !== undefined || genesisPath !== undefined
}

/** Whether the second execution endpoint has the same genesis block as the first one. */
export function sameFirstBlock(observed: Observations<GenesisAnswers>): boolean {
  const first = known(observed.execution)
  const second = known(observed.second)
  return first !== undefined && second !== undefined && sameHex(first.genesisHash, second.genesisHash)
}

/** Which deposit contract on which chain a node says that it is configured for; empty where it does not say. */
export type DepositClaim = { chainIds: readonly number[]; contracts: readonly Hex[] }

/** Whether every claimed chain id and contract is the network's. */
export function claimFits({ chainIds, contracts }: DepositClaim, network: Network): boolean {
  return (
    chainIds.every((chainId) => chainId === network.executionChainId) &&
    contracts.every((contract) => sameHex(contract, network.spec.depositContract))
  )
}

/** Joins the claims that one node makes in two places. */
export function joinClaims(a: DepositClaim, b: DepositClaim | undefined): DepositClaim {
  if (b === undefined) return a
  return { chainIds: [...a.chainIds, ...b.chainIds], contracts: [...a.contracts, ...b.contracts] }
}

/** Whether the node names chain and contract at all, in the one place or the other. */
function namesDeposits(config: DepositClaim, { deposits }: Observations<GenesisAnswers>): boolean {
  const { chainIds, contracts } = joinClaims(config, offeredValue(known(deposits)))
  return chainIds.length > 0 && contracts.length > 0
}

/** Returns where the network, and with it the root to compare with, comes from. */
export function networkSource(network: Network): 'descriptor' | 'built-in' | 'your-files' {
  if (network.kind === 'rehearsal') return 'descriptor'
  return PRESETS.includes(network) ? 'built-in' : 'your-files'
}
