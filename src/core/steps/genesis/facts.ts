import { type Hex, sameHex } from '../../base/format/hex.ts'
import { again, KEY, type Next, parts } from '../../base/format/next.ts'
import {
  type ForkNow,
  forkIsKnown,
  forkLabel,
  forkWords,
  type ScheduledFork,
  scheduleFits,
} from '../../chain/consensus/fork-outlook.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Network } from '../../chain/network/network.ts'
import { type Offered, offeredValue } from '../../chain/network/offered.ts'
import { PRESETS } from '../../chain/network/presets.ts'
import { known, type Observations, SOURCES } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import type { FactRow } from '../../view/view.ts'

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

const ROOT = {
  what: 'The genesis root: a fingerprint (hash) of the validators that the chain started with. A deposit is signed for exactly one root. Signed for another one it is burnt: the chain keeps the money.',
  later: 'Never: it is fixed for the life of the chain.',
}
const CHAIN = {
  what: 'The number or name by which this client knows its chain. All of them must belong to one network.',
  later: 'Only by pointing the endpoint at another network.',
}
const CONTRACT = {
  what: 'The deposit contract that the node reads, and its chain. The node never counts a deposit into another contract.',
  later: 'Only by starting the node for another network.',
}
const FORK = {
  what: 'The rules that the chain follows at present. They decide how stake is counted. With unknown rules nothing can be forecast, so nothing is sent.',
  later: 'At the next upgrade of the network.',
}

/** Something to change in the wizard, after which the key that asks again helps. */
const change =
  (words: (network: Network, about: AboutGenesis) => string) =>
  (about: AboutGenesis): Next =>
    parts`${words(about.setup.network, about)}${again`, press ${KEY}`}`

/** Returns what to change where a genesis file is of another network. */
export const changeFile = ({ label }: Network, path = 'config/genesis.json') =>
  `put the genesis.json of ${label} in place of ${path}`

const changeSettings = change(
  ({ label }) => `start the node with the files of ${label}: chain-spec in config/app.toml`,
)

const sameRoot = (root: string, { setup }: AboutGenesis) =>
  sameHex(root, setup.network.genesisValidatorsRoot) ? 'same root' : 'another root'

/**
 * The facts of this step, in the order of their rows. The node tool is a further opinion: it may be absent, but never
 * disagree; so is what a node need not offer.
 */
export const GENESIS_FACTS: FactTable<GenesisAnswers, AboutGenesis> = {
  place: {
    gate: 'told',
    source: ({ homePath }) => homePath ?? '',
    judge: () => true,
  },
  file: {
    gate: 'needed',
    source: () => 'this computer',
    isAsked: ({ setup }) => hasGenesisFile(setup),
    numbers: ({ validators }) => ({ validatorCount: validators }),
    judge: (value, { setup: { network } }) =>
      sameHex(value.root, network.genesisValidatorsRoot) &&
      sameHex(value.forkVersion, network.genesisForkVersion) &&
      value.engineChainId === network.engineChainId,
    label: 'your genesis.json',
    say: (value, about) => `${sameRoot(value.root, about)}, ${value.validators} validators`,
    unasked: ({ setup }) => (hasGenesisFile(setup) ? undefined : 'not asked: no node home was given'),
    change: change((network, { observed }) => changeFile(network, known(observed.place)?.path)),
    explain: { ...ROOT, who: 'Computed here from the file in your node home.' },
  },
  node: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, { setup: { network } }) =>
      sameHex(value.root, network.genesisValidatorsRoot) &&
      sameHex(value.forkVersion, network.genesisForkVersion),
    label: 'running node',
    say: (value, about) => `${sameRoot(value.root, about)}, fork ${value.forkVersion}`,
    change: change(
      ({ label }) => `start the node with the files of ${label}, or use the API of a node of it`,
    ),
    explain: { ...ROOT, who: 'The node API, asked for its genesis.' },
  },
  tool: {
    gate: 'where asked',
    judge: ({ root }, { setup }) => sameHex(root, setup.network.genesisValidatorsRoot),
    label: 'node tool',
    say: (value, about) => sameRoot(value.root, about),
    unasked: () => 'not installed, not needed',
    change: change(({ names }) => `use the ${names.nodeTool} of the version that the node runs`),
    explain: { ...ROOT, who: 'The node tool, which computes it from the same file.' },
  },
  execution: {
    gate: 'needed',
    source: SOURCES.execution,
    numbers: ({ chainId }) => ({ chainId }),
    judge: (value, { setup: { network, executionGenesisHash: first } }) =>
      value.chainId === network.executionChainId &&
      (first === undefined || sameHex(value.genesisHash, first)),
    label: 'execution chain',
    say: ({ chainId }, { setup }) => `chain ${chainId}, expected ${setup.network.executionChainId}`,
    change: change(
      ({ label, executionChainId }) =>
        `use an execution endpoint of ${label}: chain ${executionChainId}, and the first block known before`,
    ),
    explain: { ...CHAIN, who: 'The execution endpoint.' },
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
    label: 'second execution',
    say: ({ chainId }, { observed }) => {
      if (known(observed.execution) === undefined)
        return `chain ${chainId}; nothing to compare its first block with`
      return `chain ${chainId}, first block ${sameFirstBlock(observed) ? 'the same' : 'not the same'}`
    },
    change: change(
      ({ label, executionChainId }) =>
        `use a second execution endpoint of ${label}: chain ${executionChainId}, with the same first block`,
    ),
    explain: { ...CHAIN, who: 'The second execution endpoint, on another server.' },
  },
  engine: {
    gate: 'needed',
    source: SOURCES.engine,
    isAsked: ({ setup }) => setup.endpoints.engine !== undefined,
    judge: (value, { setup }) => value.network === setup.network.engineChainId,
    label: 'consensus engine',
    say: ({ network }) => network,
    unasked: ({ setup }) =>
      setup.endpoints.engine === undefined ? 'not asked: no engine was given' : undefined,
    change: change(
      ({ label, engineChainId }) =>
        `start the engine with the genesis.json of ${label} (chain_id ${engineChainId}), or use that of a node of it`,
    ),
    explain: { ...CHAIN, who: 'The consensus engine (CometBFT), in its status.' },
  },
  contract: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: ({ codeHash }, { setup }) => sameHex(codeHash, setup.network.depositContractCodeHash),
    label: 'deposit contract',
    say: ({ codeHash }, { setup }) =>
      sameHex(codeHash, setup.network.depositContractCodeHash)
        ? 'the known code'
        : 'other code than expected',
    change: () => 'send nothing there as long as nobody says why its code is another one',
    explain: {
      what: 'The code at the address the stake is sent to, compared with the published one by its hash.',
      who: 'The execution endpoint; the hash is computed here.',
      later: 'Not by you. A network upgrade could change it; then this program refuses to send.',
    },
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
    label: 'node’s settings',
    say: (value, { setup }) => claimText(value, setup.network),
    change: changeSettings,
    explain: { ...CONTRACT, who: 'The node API, from the settings the node was started with.' },
  },
  fork: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, { setup }) => forkIsKnown(value, setup.network.spec),
    label: 'present fork',
    say: (value, { setup }) => forkWords(value, setup.network.spec),
    change: changeSettings,
    explain: { ...FORK, who: 'The node API, for its head; the time of that fork is the network’s.' },
  },
  deposits: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    judge: (value, { setup }) => claimFits(value, setup.network),
    label: 'node’s contract',
    say: (value, { setup }) => claimText(value, setup.network),
    change: changeSettings,
    explain: { ...CONTRACT, who: 'The node API, if it has this answer; many nodes do not.' },
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
    label: 'node’s forks',
    say: scheduleText,
    change: changeSettings,
    explain: { ...FORK, who: 'The node API, if it gives its whole schedule; many nodes do not.' },
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

/** A claim in words; the contract is spelt out only where it is not the network's. */
export function claimText(claim: DepositClaim, network: Network): string {
  const { chainIds, contracts } = claim
  const chain = chainIds.length === 0 ? 'no chain named' : `chain ${[...new Set(chainIds)].join(' and ')}`
  const other = contracts.find((contract) => !claimFits({ chainIds: [], contracts: [contract] }, network))
  if (other !== undefined) return `${chain}, another contract: ${other}`
  return `${chain}, ${contracts.length === 0 ? 'no contract named' : 'same contract'}`
}

function scheduleText(schedule: readonly ScheduledFork[], about: AboutGenesis): string {
  const fork = known(about.observed.fork)
  if (fork === undefined) return 'cannot be compared yet'
  const { spec } = about.setup.network
  if (!scheduleFits(schedule, fork, spec)) return 'another history than the network’s'
  const epoch = fork.slot / spec.slotsPerEpoch
  const ahead = schedule.filter((each) => each.epoch > epoch).map(({ version }) => forkLabel(version))
  return `agrees, ahead: ${ahead.length === 0 ? 'none' : ahead.join(', ')}`
}

/** Returns where the network, and with it the root to compare with, comes from: in a column, and in a sentence. */
export function sourceOf(network: Network): { short: string; whole: string } {
  if (network.kind === 'rehearsal') return { short: 'descriptor', whole: 'the descriptor of the rehearsal' }
  return PRESETS.includes(network)
    ? { short: 'built in', whole: 'the published network files' }
    : { short: 'your files', whole: 'the network files that you gave' }
}

/** Returns the row of the root that every reply is compared with; the chosen network supplies it. */
export function genesisPresetRow({ network }: Pick<Setup, 'network'>): FactRow {
  const { short: source, whole } = sourceOf(network)
  return {
    id: 'preset',
    mark: 'given',
    label: 'expected root',
    value: 'signed into every deposit',
    long: network.genesisValidatorsRoot,
    source,
    explain: { ...ROOT, who: `This program, from ${whole}.` },
  }
}
