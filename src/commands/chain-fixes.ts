import type { Setup } from '../core/facts.ts'
import { sameHex } from '../core/format/hex.ts'
import type { GenesisState } from '../core/steps/genesis/machine.ts'
import { known } from '../core/steps/observation.ts'
import { asRefused } from './report.ts'
import type { ReportRow } from './report-lines.ts'

type Fixed = Pick<ReportRow, 'fix' | 'long'>

/**
 * A row of the first step with what to change: where the chain of a source is not the network's, what was found and
 * what is expected; where a source did not answer, what the failure itself advises.
 */
export function withChainFix(row: ReportRow, { seen }: GenesisState, setup: Setup): ReportRow {
  const observation = Object.entries(seen).find(([key]) => key === row.id)?.[1]
  const told = observation === undefined ? row : asRefused(row, observation)
  if (told.mark !== 'refused' || told.fix !== undefined) return told
  return { ...told, ...fixOf(row.id, seen, setup) }
}

function fixOf(id: string, seen: GenesisState['seen'], { network }: Setup): Fixed {
  const { executionChainId, engineChainId, genesisForkVersion, label, names, spec } = network
  const root = network.genesisValidatorsRoot
  const chain = `chain ${executionChainId}, contract ${spec.depositContract}`
  switch (id) {
    case 'file': {
      const found = known(seen.file)
      const path = known(seen.place)?.path ?? 'config/genesis.json'
      const also =
        found !== undefined && sameHex(found.root, root)
          ? `fork ${genesisForkVersion}, engine chain ${engineChainId}`
          : `root ${root}`
      return { ...longOf(found?.root), fix: `put the genesis.json of ${label} (${also}) in place of ${path}` }
    }
    case 'node':
      return {
        ...longOf(known(seen.node)?.root),
        fix: `start the node with the files of ${label} (root ${root}, fork ${genesisForkVersion}), or give its --node`,
      }
    case 'tool':
      return { fix: `use the ${names.nodeTool} of the version that the node runs` }
    case 'execution':
      return {
        fix: `give --execution of ${label}: chain ${executionChainId}, and the first block known before`,
      }
    case 'second':
      return {
        fix: `give --second-execution of ${label}: chain ${executionChainId}, with the same first block`,
      }
    case 'engine':
      return {
        fix: `start the engine with the genesis.json of ${label} (chain_id ${engineChainId}), or give its --engine`,
      }
    case 'contract':
      return {
        ...longOf(known(seen.contract)?.codeHash),
        fix: `send nothing there as long as nobody says why: ${network.depositContractCodeHash} is the hash expected at ${spec.depositContract}; a network FILE.json can name another`,
      }
    case 'config':
    case 'fork':
    case 'deposits':
    case 'schedule':
      return { fix: `start the node with the files of ${label} (${chain}): chain-spec in config/app.toml` }
    default:
      return {}
  }
}

function longOf(found: string | undefined): Pick<ReportRow, 'long'> {
  return found === undefined ? {} : { long: found }
}
