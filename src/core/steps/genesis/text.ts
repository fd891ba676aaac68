import { formatCount } from '../../base/format/amount.ts'
import { sameHex } from '../../base/format/hex.ts'
import { again, back, KEY, type Next, parts } from '../../base/format/next.ts'
import { forkLabel, forkWords, type ScheduledFork } from '../../chain/consensus/fork-outlook.ts'
import type { Setup } from '../../chain/facts.ts'
import type { Network } from '../../chain/network/network.ts'
import { STEP_NAMES_TEXT } from '../../view/names-text.ts'
import { known } from '../../view/observation.ts'
import type { FactTexts } from '../../view/rows.ts'
import type { Explain } from '../../view/view.ts'
import {
  type AboutGenesis,
  claimFits,
  type DepositClaim,
  GENESIS_FACTS,
  type GenesisAnswers,
  hasGenesisFile,
  networkSource,
  sameFirstBlock,
} from './facts.ts'

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
/** Where a network comes from: in a column, and in a sentence. */
const SOURCES = {
  descriptor: { short: 'descriptor', whole: 'the descriptor of the rehearsal' },
  'built-in': { short: 'built in', whole: 'the published network files' },
  'your-files': { short: 'your files', whole: 'the network files that you gave' },
}
const sourceOf = (network: Network) => SOURCES[networkSource(network)]

const PRESS_AGAIN = again`, press ${KEY}`

/** Something to change in the wizard, after which the key that asks again helps. */
const change =
  (words: (network: Network, about: AboutGenesis) => string) =>
  (about: AboutGenesis): Next =>
    parts`${words(about.setup.network, about)}${PRESS_AGAIN}`

/** What to change where a file or a client is of another network than the one that was chosen. */
const CHANGE = {
  file: ({ label }: Network, path = 'config/genesis.json') =>
    `put the genesis.json of ${label} in place of ${path}`,
  node: ({ label }: Network) => `start the node with the files of ${label}, or use the API of a node of it`,
  tool: ({ names }: Network) => `use the ${names.nodeTool} of the version that the node runs`,
  execution: ({ label, executionChainId }: Network) =>
    `use an execution endpoint of ${label}: chain ${executionChainId}, and the first block known before`,
  second: ({ label, executionChainId }: Network) =>
    `use a second execution endpoint of ${label}: chain ${executionChainId}, with the same first block`,
  engine: ({ label, engineChainId }: Network) =>
    `start the engine with the genesis.json of ${label} (chain_id ${engineChainId}), or use that of a node of it`,
  contract: () => 'send nothing there as long as nobody says why its code is another one',
  settings: ({ label }: Network) =>
    `start the node with the files of ${label}: chain-spec in config/app.toml`,
}

const NO_TOOL = 'not installed, not needed'
const sameRoot = (root: string, { setup }: AboutGenesis) =>
  sameHex(root, setup.network.genesisValidatorsRoot) ? 'same root' : 'another root'

/** A claim in words; the contract is spelt out only where it is not the network's. */
function claimText(claim: DepositClaim, network: Network): string {
  const { chainIds, contracts } = claim
  const chain = chainIds.length === 0 ? 'no chain named' : `chain ${[...new Set(chainIds)].join(' and ')}`
  const other = contracts.find((contract) => !claimFits({ chainIds: [], contracts: [contract] }, network))
  if (other !== undefined) return `${chain}, another contract: ${other}`
  return `${chain}, ${contracts.length === 0 ? 'no contract named' : 'same contract'}`
}

function scheduleText(schedule: readonly ScheduledFork[], about: AboutGenesis): string {
  const fork = known(about.observed.fork)
  if (fork === undefined) return 'cannot be compared yet'
  if (!GENESIS_FACTS.schedule.judge(schedule, about)) return 'another history than the network’s'
  const epoch = fork.slot / about.setup.network.spec.slotsPerEpoch
  const ahead = schedule.filter((each) => each.epoch > epoch).map(({ version }) => forkLabel(version))
  return `agrees, ahead: ${ahead.length === 0 ? 'none' : ahead.join(', ')}`
}

const facts: FactTexts<Omit<GenesisAnswers, 'place'>, AboutGenesis> = {
  file: {
    label: 'your genesis.json',
    say: (value, about) => `${sameRoot(value.root, about)}, ${value.validators} validators`,
    unasked: ({ setup }) => (hasGenesisFile(setup) ? undefined : 'not asked: no node home was given'),
    change: change((network, { observed }) => CHANGE.file(network, known(observed.place)?.path)),
    explain: { ...ROOT, who: 'Computed here from the file in your node home.' },
  },
  node: {
    label: 'running node',
    say: (value, about) => `${sameRoot(value.root, about)}, fork ${value.forkVersion}`,
    change: change(CHANGE.node),
    explain: { ...ROOT, who: 'The node API, asked for its genesis.' },
  },
  tool: {
    label: 'node tool',
    say: (value, about) => sameRoot(value.root, about),
    unasked: () => NO_TOOL,
    change: change(CHANGE.tool),
    explain: { ...ROOT, who: 'The node tool, which computes it from the same file.' },
  },
  execution: {
    label: 'execution chain',
    say: ({ chainId }, { setup }) => `chain ${chainId}, expected ${setup.network.executionChainId}`,
    change: change(CHANGE.execution),
    explain: { ...CHAIN, who: 'The execution endpoint.' },
  },
  second: {
    label: 'second execution',
    say: ({ chainId }, { observed }) => {
      if (known(observed.execution) === undefined)
        return `chain ${chainId}; nothing to compare its first block with`
      return `chain ${chainId}, first block ${sameFirstBlock(observed) ? 'the same' : 'not the same'}`
    },
    change: change(CHANGE.second),
    explain: { ...CHAIN, who: 'The second execution endpoint, on another server.' },
  },
  engine: {
    label: 'consensus engine',
    say: ({ network }) => network,
    unasked: ({ setup }) =>
      setup.endpoints.engine === undefined ? 'not asked: no engine was given' : undefined,
    change: change(CHANGE.engine),
    explain: { ...CHAIN, who: 'The consensus engine (CometBFT), in its status.' },
  },
  contract: {
    label: 'deposit contract',
    say: (value, about) =>
      GENESIS_FACTS.contract.judge(value, about) ? 'the known code' : 'other code than expected',
    change: CHANGE.contract,
    explain: {
      what: 'The code at the address the stake is sent to, compared with the published one by its hash.',
      who: 'The execution endpoint; the hash is computed here.',
      later: 'Not by you. A network upgrade could change it; then this program refuses to send.',
    },
  },
  config: {
    label: 'node’s settings',
    say: (value, { setup }) => claimText(value, setup.network),
    change: change(CHANGE.settings),
    explain: { ...CONTRACT, who: 'The node API, from the settings the node was started with.' },
  },
  fork: {
    label: 'present fork',
    say: (value, { setup }) => forkWords(value, setup.network.spec),
    change: change(CHANGE.settings),
    explain: { ...FORK, who: 'The node API, for its head; the time of that fork is the network’s.' },
  },
  deposits: {
    label: 'node’s contract',
    say: (value, { setup }) => claimText(value, setup.network),
    change: change(CHANGE.settings),
    explain: { ...CONTRACT, who: 'The node API, if it has this answer; many nodes do not.' },
  },
  schedule: {
    label: 'node’s forks',
    say: scheduleText,
    change: change(CHANGE.settings),
    explain: { ...FORK, who: 'The node API, if it gives its whole schedule; many nodes do not.' },
  },
}

/** Every sentence of the genesis step. */
export const GENESIS_TEXT = {
  facts,
  /** What to change where a source is of another network. */
  change: CHANGE,
  claim: claimText,
  title: STEP_NAMES_TEXT.of.genesis.title,
  factsTitle: 'Is this the chain it says it is?',
  preset: (network: Network): { label: string; value: string; source: string; explain: Explain } => ({
    label: 'expected root',
    value: 'signed into every deposit',
    source: sourceOf(network).short,
    explain: { ...ROOT, who: `This program, from ${sourceOf(network).whole}.` },
  }),
  good: (answers: number, network: string) =>
    `All ${answers} answers name one chain: ${network}. Enter goes on.`,
  intro: (network: string) => `Everything is signed for one chain. Do all sources name ${network}?`,
  unknown: (steps: readonly string[], { network }: Setup) => {
    const away = network.kind === 'rehearsal' ? '' : 'Esc leads back to the addresses, '
    return `What is not known (?) keeps this step closed. ${steps.join(' ')} ${away}r asks again.`
  },
  codeNotConfirmed:
    'The expected contract code was read from the test network only, never from a node of this one.',
  worst: 'worst case here: none. Nothing is signed and nothing is sent.',
  askAgain: 'ask again',
  thenAskAgain: again`then press ${KEY}`,
  otherRoot: {
    title: 'Stop: these two roots are different.',
    found: { file: 'your genesis.json', node: 'running node' },
    expected: (network: Network) => `${network.label}, ${sourceOf(network).short}`,
    lines: [
      'A deposit signed for another root is burnt: the chain keeps the money. Your file or node belongs to another network, or the file is the empty one that `init` writes.',
    ],
    next: [
      parts`fetch the network's genesis.json, put it there${PRESS_AGAIN}`,
      parts`choose the network that it belongs to${back`: ${KEY} leads back`}`,
    ],
  },
  otherChain: {
    title: 'Stop: not all of these belong to one chain.',
    expected: 'expected',
    found: {
      fileFork: 'fork version in genesis.json',
      fileEngine: 'engine chain in genesis.json',
      nodeFork: 'fork version of the node',
      executionChain: 'execution chain id',
      secondChain: 'chain id, second endpoint',
      firstBlock: 'first block of the execution chain',
      engine: 'engine network',
      contract: 'deposit contract code',
      depositChain: 'deposit chain of the node',
      depositContract: 'deposit contract of the node',
    },
    first: { second: 'first block, second endpoint', own: 'first block, your endpoint' },
    lines: (network: string) => [`Every source must name ${network} before anything is signed.`],
    next: [
      parts`${back`${KEY} leads back to the addresses: `}correct the one that differs`,
      parts`${back`${KEY} leads further back: `}choose the network that they belong to`,
    ],
  },
  otherRules: {
    title: 'Stop: the chain follows other rules than this program expects.',
    version: 'fork of the head',
    words: 'in words',
    lines: [
      'What a stake buys is forecast by the rules of Electra, Electra1 and Fulu, at the times that the network’s file gives. By other rules a top-up could lose its place in the active set.',
    ],
    next: (status: string) => [
      parts`get a version of this program that knows the fork, or the network’s present files${again`, then press ${KEY}`}`,
      `until then a validator can be looked at: ${status}`,
    ],
  },
  otherHistory: {
    title: 'Stop: the node has another history of forks.',
    from: (epoch: bigint) => `from epoch ${formatCount(epoch)}`,
    lines: (network: string) => [
      `By the times of ${network} and by its own head the node should name other forks for the time until now.`,
    ],
    next: [parts`start the node with the network’s own files${PRESS_AGAIN}`, 'use the API of another node'],
  },
}
