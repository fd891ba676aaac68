import type { Setup } from '../../facts.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { sameHex } from '../../format/hex.ts'
import { safeText } from '../../format/text.ts'
import type { Network } from '../../network/network.ts'
import { PRESETS } from '../../network/presets.ts'
import { known } from '../observation.ts'
import { factRow, moneyUntouched } from '../rows.ts'
import type { FactRow, Problem, StepView } from '../view.ts'
import { type GenesisState, genesisFact, genesisJudges, secondAgrees } from './machine.ts'

const ROOT_EXPLAIN = {
  what: 'A fingerprint of the validators the chain started with. A deposit is signed for exactly one such root; signed for another one it is burnt.',
  later: 'Never: it is fixed for the life of the chain.',
}
const CHAIN_EXPLAIN = {
  what: 'The number or name by which this client knows its chain. All of them must belong to one network.',
  later: 'Only by pointing the endpoint at another network.',
}

/** Where the program has the network from, and therefore the root that everything is compared with. */
const WORDS_OF_SOURCE = {
  descriptor: 'the descriptor of the rehearsal',
  'built in': 'the published network files',
  'your files': 'the network files that you gave',
} as const

/** Everything the genesis screen draws. */
export function genesisView(state: GenesisState, setup: Setup): StepView {
  const { network } = setup
  const done = genesisFact(state, setup) !== undefined
  const problem = genesisProblem(state, setup)
  return {
    step: 'genesis',
    title: 'Check the chain',
    intro: `Everything is signed for one chain. Do all sources name ${network.label}?`,
    factsTitle: 'Is this the chain it says it is?',
    facts: genesisRows(state, setup),
    fields: [],
    checks: [],
    ladder: [],
    timeline: [],
    notes: network.depositContractCodeHashConfirmed
      ? []
      : ['The expected contract code was read from the test network only, never from a node of this one.'],
    money: moneyUntouched(
      'worst case here: none. Nothing is signed and nothing is sent.',
      network.names.token,
    ),
    ...(problem === undefined ? {} : { problem }),
    actions: [
      ...(done ? [{ id: 'next', key: 'return', label: 'continue' }] : []),
      { id: 'retry', key: 'r', label: 'ask again' },
    ],
    commands: [
      `${network.names.nodeTool} genesis validator-root ${quoted(placeOf(state, setup))}`,
      `cast chain-id --rpc-url '${endpointLabel(setup.endpoints.execution)}'`,
      `curl -s '${endpointLabel(setup.endpoints.node)}/eth/v1/beacon/genesis'`,
      `curl -s '${endpointLabel(setup.endpoints.engine)}/status'`,
    ],
    done,
  }
}

/** Where the file is; where it is by default as long as that is not known. */
function placeOf({ seen }: GenesisState, { homePath }: Setup): string {
  return known(seen.place)?.path ?? `${homePath}/config/genesis.json`
}

/** One word for a shell. */
function quoted(path: string): string {
  return `'${safeText(path, 1000).replaceAll("'", `'\\''`)}'`
}

function genesisRows({ seen }: GenesisState, setup: Setup): FactRow[] {
  const { network, endpoints } = setup
  const preset: FactRow = {
    id: 'preset',
    mark: 'proven',
    label: 'expected root',
    value: 'what a deposit is signed for',
    long: network.genesisValidatorsRoot,
    source: sourceOf(network),
    explain: { ...ROOT_EXPLAIN, who: `This program, from ${WORDS_OF_SOURCE[sourceOf(network)]}.` },
  }
  const rows: FactRow[] = [
    preset,
    factRow({
      id: 'file',
      label: 'your genesis.json',
      observation: seen.file,
      judge: (value) => genesisJudges.file(value, setup),
      say: (value) => `${rootWords(value.root, setup)}, ${value.validators} validators`,
      explain: { ...ROOT_EXPLAIN, who: 'Computed here from the file in your node home.' },
    }),
    factRow({
      id: 'node',
      label: 'running node',
      observation: seen.node,
      judge: (value) => genesisJudges.node(value, setup),
      say: (value) => `${rootWords(value.root, setup)}, fork ${value.forkVersion}`,
      explain: { ...ROOT_EXPLAIN, who: 'The node API, asked for its genesis.' },
    }),
    factRow({
      id: 'tool',
      label: network.names.nodeTool,
      observation: seen.tool,
      judge: (value) => genesisJudges.tool(value, setup),
      say: (value) => rootWords(value.root, setup),
      unasked: 'not installed, not needed',
      explain: { ...ROOT_EXPLAIN, who: 'The node tool, which computes it from the same file.' },
    }),
    factRow({
      id: 'execution',
      label: 'execution chain',
      observation: seen.execution,
      judge: (value) => genesisJudges.execution(value, setup),
      say: (value) => `chain ${value.chainId}, expected ${network.executionChainId}`,
      explain: { ...CHAIN_EXPLAIN, who: 'The execution endpoint.' },
    }),
  ]
  if (endpoints.secondExecution !== undefined) {
    rows.push(
      factRow({
        id: 'second',
        label: 'second execution',
        observation: seen.second,
        judge: () => secondAgrees({ seen, asking: false }),
        say: (value) => `chain ${value.chainId}, first block ${secondWords({ seen, asking: false })}`,
        explain: { ...CHAIN_EXPLAIN, who: 'The execution endpoint of another operator.' },
      }),
    )
  }
  rows.push(
    factRow({
      id: 'engine',
      label: 'engine',
      observation: seen.engine,
      judge: (value) => genesisJudges.engine(value, setup),
      say: (value) => value.network,
      explain: { ...CHAIN_EXPLAIN, who: 'The engine, in its status.' },
    }),
    factRow({
      id: 'contract',
      label: 'deposit contract',
      observation: seen.contract,
      judge: (value) => genesisJudges.contract(value, setup),
      say: (value) => (genesisJudges.contract(value, setup) ? 'the known code' : 'other code than expected'),
      explain: {
        what: 'The code at the address the stake is sent to, compared with the published one by its hash.',
        who: 'The execution endpoint; the hash is computed here.',
        later: 'Not by you. A network upgrade could change it; then this program stops.',
      },
    }),
  )
  return rows
}

function sourceOf(network: Network): keyof typeof WORDS_OF_SOURCE {
  if (network.kind === 'rehearsal') return 'descriptor'
  return PRESETS.includes(network) ? 'built in' : 'your files'
}

function rootWords(root: string, { network }: Setup): string {
  return sameHex(root, network.genesisValidatorsRoot) ? 'same root' : 'another root'
}

function secondWords(state: GenesisState): string {
  return secondAgrees(state) ? 'the same' : 'not the same'
}

function genesisProblem(state: GenesisState, setup: Setup): Problem | undefined {
  const { network } = setup
  const file = known(state.seen.file)
  const node = known(state.seen.node)
  const empty = state.seen.file
  if (empty.status === 'failed' && empty.error.code === 'genesis-file.no-deposits') {
    const { shortMessage, details, nextSteps } = empty.error
    return {
      title: shortMessage,
      money: 'untouched',
      values: [],
      lines: details,
      next: [...nextSteps, 'then press r'],
    }
  }
  const wrong = [
    ['your genesis.json', file?.root],
    ['running node', node?.root],
  ].find(([, root]) => root !== undefined && !sameHex(root, network.genesisValidatorsRoot))
  if (wrong !== undefined) {
    return {
      title: 'Stop: these two roots are different.',
      money: 'untouched',
      values: [
        { label: wrong[0] ?? '', value: wrong[1] ?? '' },
        { label: `${network.label}, ${sourceOf(network)}`, value: network.genesisValidatorsRoot },
      ],
      lines: [
        'A deposit signed for another root is burnt by the chain. Yours belongs to another network, or the file is what `init` writes: an empty one.',
      ],
      next: [
        "fetch the network's genesis.json, put it there, press r",
        'or quit and choose the network that it belongs to',
      ],
    }
  }
  const mismatches = chainMismatches(state, setup)
  if (mismatches.length === 0) return undefined
  return {
    title: 'Stop: not all of these belong to one chain.',
    money: 'untouched',
    values: mismatches,
    lines: [`Every source must name ${network.label} before anything is signed.`],
    next: ['correct the endpoint that differs, press r', 'or quit and choose the network that it belongs to'],
  }
}

function chainMismatches(state: GenesisState, setup: Setup): { label: string; value: string }[] {
  const { network } = setup
  const rows: { label: string; value: string }[] = []
  const add = (label: string, found: string, expected: string) => {
    if (found !== expected) rows.push({ label, value: found }, { label: 'expected', value: expected })
  }
  const file = known(state.seen.file)
  const node = known(state.seen.node)
  const execution = known(state.seen.execution)
  const engine = known(state.seen.engine)
  const contract = known(state.seen.contract)
  if (file) add('fork version in genesis.json', file.forkVersion, network.genesisForkVersion)
  if (file) add('engine chain in genesis.json', file.engineChainId, network.engineChainId)
  if (node) add('fork version of the node', node.forkVersion, network.genesisForkVersion)
  if (execution) add('execution chain id', String(execution.chainId), String(network.executionChainId))
  if (execution && setup.executionGenesisHash) {
    add('first block of the execution chain', execution.genesisHash, setup.executionGenesisHash)
  }
  if (engine) add('engine network', engine.network, network.engineChainId)
  if (contract) add('deposit contract code', contract.codeHash, network.depositContractCodeHash)
  if (known(state.seen.second) !== undefined && execution !== undefined && !secondAgrees(state)) {
    rows.push(
      { label: 'first block, second endpoint', value: known(state.seen.second)?.genesisHash ?? '' },
      { label: 'first block, your endpoint', value: execution.genesisHash },
    )
  }
  return rows
}
