import type { Setup } from '../../facts.ts'
import { sameHex } from '../../format/hex.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { claimRows } from './claim-rows.ts'
import { type GenesisState, genesisJudges, hasGenesisFile, secondAgrees } from './machine.ts'
import { networkSource, WORDS_OF_SOURCE } from './network-source.ts'

const ROOT_EXPLAIN = {
  what: 'The genesis root: a fingerprint (hash) of the validators that the chain started with. A deposit is signed for exactly one root. Signed for another one it is burnt: the chain keeps the money.',
  later: 'Never: it is fixed for the life of the chain.',
}
const CHAIN_EXPLAIN = {
  what: 'The number or name by which this client knows its chain. All of them must belong to one network.',
  later: 'Only by pointing the endpoint at another network.',
}

/** The facts of the genesis step; what a node need not offer comes last. */
export function genesisRows(state: GenesisState, setup: Setup): FactRow[] {
  const { seen } = state
  const { network, endpoints } = setup
  const preset: FactRow = {
    id: 'preset',
    mark: 'proven',
    label: 'expected root',
    value: 'signed into every deposit',
    long: network.genesisValidatorsRoot,
    source: networkSource(network),
    explain: { ...ROOT_EXPLAIN, who: `This program, from ${WORDS_OF_SOURCE[networkSource(network)]}.` },
  }
  const rows: FactRow[] = [
    preset,
    factRow({
      id: 'file',
      label: 'your genesis.json',
      observation: seen.file,
      judge: (value) => genesisJudges.file(value, setup),
      say: (value) => `${rootWords(value.root, setup)}, ${value.validators} validators`,
      ...(hasGenesisFile(setup) ? {} : { unasked: 'not asked: no node home was given' }),
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
      label: 'node tool',
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
        judge: () => secondAgrees(state),
        say: (value) => `chain ${value.chainId}, first block ${secondWords(state)}`,
        explain: { ...CHAIN_EXPLAIN, who: 'The second execution endpoint, on another server.' },
      }),
    )
  }
  rows.push(
    factRow({
      id: 'engine',
      label: 'consensus engine',
      observation: seen.engine,
      judge: (value) => genesisJudges.engine(value, setup),
      say: (value) => value.network,
      ...(endpoints.engine === undefined ? { unasked: 'not asked: no engine was given' } : {}),
      explain: { ...CHAIN_EXPLAIN, who: 'The consensus engine (CometBFT), in its status.' },
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
        later: 'Not by you. A network upgrade could change it; then this program refuses to send.',
      },
    }),
    ...claimRows(state, setup),
  )
  return rows
}

function rootWords(root: string, { network }: Setup): string {
  return sameHex(root, network.genesisValidatorsRoot) ? 'same root' : 'another root'
}

function secondWords(state: GenesisState): string {
  return secondAgrees(state) ? 'the same' : 'not the same'
}
