import { type Hex, sameHex } from '../core/format/hex.ts'
import { toolGenesisRoot } from '../core/identity/node-tool.ts'
import type { GenesisFile } from '../core/identity/read-genesis-file.ts'
import { findNodeTool } from '../core/identity/run-tool.ts'
import type { Network } from '../core/network/network.ts'
import { BERACHAIN_NAMES, PRESETS } from '../core/network/presets.ts'
import type { Mark } from '../core/steps/view.ts'
import type { Call } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { toolFault } from './tool-fault.ts'

type Found = { path: string; genesis: GenesisFile; network: Network | undefined }

/** What this computer alone can say of a genesis file: our root, the expected one, the node tool's. */
export async function askFile(call: Call, found: Found): Promise<ReportRow[]> {
  const { genesis, network } = found
  const { root } = genesis
  const computed = { id: 'file', label: 'computed root', value: `${genesis.validators} validators` }
  const rows: ReportRow[] = [
    row({ ...computed, mark: 'proven', long: root, source: 'this computer' }),
    row({
      id: 'fork',
      label: 'fork version',
      value: withExpected(genesis.genesisForkVersion, network?.genesisForkVersion),
      mark: markOf(network?.genesisForkVersion, genesis.genesisForkVersion),
      source: found.path,
    }),
    row({
      id: 'chain',
      label: 'engine chain id',
      value: withExpected(genesis.engineChainId, network?.engineChainId),
      mark: markOf(network?.engineChainId, genesis.engineChainId),
      source: found.path,
    }),
  ]
  if (network !== undefined) rows.push(presetRow(root, network))
  return [...rows, ...(await toolRow(call, found))]
}

function presetRow(root: Hex, network: Network): ReportRow {
  const same = sameHex(root, network.genesisValidatorsRoot)
  return row({
    id: 'preset',
    label: 'expected root',
    mark: same ? 'proven' : 'refused',
    value: same ? `the same: ${network.label}` : `another: this is not the file of ${network.label}`,
    long: network.genesisValidatorsRoot,
    source: PRESETS.includes(network) ? 'built in' : 'the files of the network',
    fix: "fetch the network's own genesis.json and put it in config/ of the node home",
  })
}

async function toolRow(call: Call, { path, genesis, network }: Found): Promise<ReportRow[]> {
  const name = (network?.names ?? BERACHAIN_NAMES).nodeTool
  const tool = await findNodeTool(call.effects, name)
  const shape = { id: 'tool', label: name }
  if (tool === undefined)
    return [row({ ...shape, mark: 'unasked', value: 'not installed, not needed', source: '' })]
  try {
    const theirs = await toolGenesisRoot(tool, { genesisPath: path })
    const same = sameHex(theirs, genesis.root)
    const value = same ? 'computes the same root' : 'computes another root'
    return [row({ ...shape, mark: same ? 'proven' : 'refused', value, long: theirs, source: tool.path })]
  } catch (thrown) {
    return [row({ ...shape, ...toolFault(thrown), source: tool.path })]
  }
}

function markOf(expected: string | undefined, found: string): Mark {
  return expected === undefined || sameHex(expected, found) ? 'proven' : 'refused'
}

function withExpected(found: string, expected: string | undefined): string {
  return expected === undefined || sameHex(found, expected) ? found : `${found}, expected ${expected}`
}

function row(parts: Omit<ReportRow, 'step'>): ReportRow {
  return { step: 'genesis', ...parts }
}
