import { sameHex } from '../core/base/format/hex.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { GenesisFile } from '../core/chain/identity/read-genesis.ts'
import { findNodeTool, toolGenesisRoot } from '../core/chain/identity/run-tool.ts'
import type { Network } from '../core/chain/network/network.ts'
import { MAINNET } from '../core/chain/network/presets.ts'
import { observe } from '../core/observe/context.ts'
import { GENESIS_FACTS, type GenesisAnswers } from '../core/steps/genesis/facts.ts'
import { GENESIS_TEXT } from '../core/steps/genesis/text.ts'
import { genesisPresetRow } from '../core/steps/genesis/view.ts'
import type { Observation } from '../core/view/observation.ts'
import { nothingAsked, tableRows } from '../core/view/rows.ts'
import type { Call } from './command.ts'
import { GENESIS_REPORT_TEXT as TEXT } from './genesis-text.ts'
import { reportRows } from './report.ts'
import type { ReportRow } from './report-lines.ts'

type LoadedGenesis = { path: string; genesis: GenesisFile; network: Network | undefined }

/**
 * What this computer alone can say of a genesis file: the rows of the step for the file and the node tool, and one for each
 * part of it that can be another network's. Where no network is named the root is told, and compared with the tool's alone.
 */
export async function askFile(call: Call, found: LoadedGenesis): Promise<ReportRow[]> {
  const { path, genesis, network } = found
  const setup = setupOfFile(path, network ?? ownNetwork(genesis))
  const observed = await observeFile(call, found, setup.network)
  const { file, tool } = GENESIS_TEXT.facts
  const rows = tableRows(GENESIS_FACTS, { file, tool }, observed, { observed, setup })
  const own: Partial<ReportRow> = network === undefined ? { value: TEXT.validators(genesis.validators) } : {}
  return [
    ...reportRows('genesis', [...(network === undefined ? [] : [genesisPresetRow(setup)]), ...rows]).map(
      (row) => (row.id === 'file' ? { ...row, ...own, long: genesis.root } : row),
    ),
    partRow('fork', found, { found: genesis.genesisForkVersion, expected: network?.genesisForkVersion }),
    partRow('chain', found, { found: genesis.engineChainId, expected: network?.engineChainId }),
  ]
}

/** The file as it was read, and the root that the node tool computes from it, where the tool is installed. */
async function observeFile({ effects, io }: Call, { path, genesis }: LoadedGenesis, { names }: Network) {
  const { root, genesisForkVersion: forkVersion, validators, engineChainId } = genesis
  const atMs = effects.clock.monotonicMs()
  const here = { status: 'known', source: TEXT.thisComputer, atMs } as const
  let theirs: Observation<GenesisAnswers['tool']> = { status: 'unasked' }
  const tool = await findNodeTool(effects, names.nodeTool)
  if (tool !== undefined) {
    const ask = async () => ({ root: await toolGenesisRoot(tool, { genesisPath: path }) })
    await observe({ effects, signal: io.signal }, tool.path, ask, async (observation) => {
      theirs = observation
    })
  }
  return {
    ...nothingAsked(GENESIS_FACTS),
    place: { ...here, value: { path } },
    file: { ...here, value: { root, forkVersion, validators, engineChainId } },
    tool: theirs,
  }
}

/** The network that a file is of by its own words, whichever that is. */
function ownNetwork({ root, genesisForkVersion, engineChainId }: GenesisFile): Network {
  return { ...MAINNET, genesisValidatorsRoot: root, genesisForkVersion, engineChainId }
}

/** A setup of a genesis file and nobody to ask. */
function setupOfFile(genesisPath: string, network: Network): Setup {
  const nobody = { execution: '', node: '' }
  return {
    network,
    genesisPath,
    endpoints: nobody,
    journalDirectory: '',
    lockDirectories: [],
    outputDirectory: '',
  }
}

/** A part of a genesis file beside what the network has; where none is named it is told. */
function partRow(
  id: keyof typeof TEXT.parts,
  { path, network }: LoadedGenesis,
  { found, expected }: { found: string; expected: string | undefined },
): ReportRow {
  const { label } = TEXT.parts[id]
  const row = { step: 'genesis', id, label, source: path } as const
  if (network === undefined || expected === undefined || sameHex(found, expected))
    return { ...row, mark: 'proven', value: found }
  const next = GENESIS_TEXT.change.file(network, path)
  return { ...row, mark: 'refused', value: TEXT.other(found, expected), next }
}
