import { isoTime } from '../core/base/format/document.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import type { Next } from '../core/base/format/next.ts'
import type { Setup } from '../core/chain/facts.ts'
import { readGenesisFile } from '../core/chain/identity/read-genesis.ts'
import type { Network } from '../core/chain/network/network.ts'
import { MAINNET, PRESETS } from '../core/chain/network/presets.ts'
import { runGenesis } from '../core/steps/genesis/commands.ts'
import { type GenesisState, genesisTransition, initialGenesis } from '../core/steps/genesis/machine.ts'
import { genesisView } from '../core/steps/genesis/view.ts'
import { answerOf, known } from '../core/view/observation.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { GenesisFields } from './documents/genesis.ts'
import { askFile } from './genesis-file.ts'
import { GENESIS_REPORT_TEXT as TEXT } from './genesis-text.ts'
import { asRefused, problemNotes, type Report, reportRows, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { networkOfOptions, readOnlyContext, setupOf } from './setup.ts'

const ASKING = ['devnet', 'home', 'execution', 'second-execution', 'node', 'engine']

/** The command `genesis`. */
export const genesis = commandOf('genesis', run)

async function run(call: Call): Promise<ExitCode> {
  const [file] = call.positionals
  const asks = ASKING.some((name) => call.options[name] !== undefined) || call.options.network === 'rehearsal'
  const report =
    file !== undefined && !asks
      ? await ofFile(call, pathOf(file, call.environment))
      : await ofChain(file === undefined ? call : withGenesis(call, file))
  return tellReport(report, call)
}

/** Everything that can be known of a genesis file without a connection. */
async function ofFile(call: Call, path: string): Promise<Report<GenesisFields>> {
  const { spec, network: name } = call.options
  const given =
    name === undefined && spec === undefined ? undefined : await networkOfOptions(withGenesis(call, path))
  // All built-in networks have the same limits.
  const genesis = await readGenesisFile(call.effects, { path, limits: (given ?? MAINNET).spec })
  const named = given ?? presetOf(genesis.engineChainId)
  const { root, engineChainId, genesisForkVersion, genesisTimeSeconds, validators } = genesis
  return {
    document: 'genesis',
    ...(named === undefined ? {} : { network: named.id }),
    rows: await askFile(call, { path, genesis, network: named }),
    sentence: ({ is, which }) => TEXT.file(is, which, named),
    data: {
      expectedRoot: named?.genesisValidatorsRoot,
      root,
      forkVersion: genesisForkVersion,
      validators,
      engineChainId,
      genesisAt: isoTime(Number(genesisTimeSeconds) * 1000),
      node: null,
      execution: null,
      tool: null,
    },
    notes: named === undefined ? [TEXT.limitsOf(MAINNET)] : [],
  }
}

/** The whole step, asked once. */
async function ofChain(call: Call): Promise<Report<GenesisFields>> {
  const setup = withoutHome(call, await setupOf(call))
  let state: GenesisState = initialGenesis
  const apply = (event: Parameters<typeof genesisTransition>[1]) => {
    const [next] = genesisTransition(state, event)
    state = next
  }
  await runGenesis(readOnlyContext(call, setup, apply))
  const { rows, notes } = genesisReport(state, setup)
  return {
    document: 'genesis',
    network: setup.network.id,
    rows,
    notes,
    sentence: (outcome) => TEXT.chain(outcome, setup.network),
    data: {
      expectedRoot: setup.network.genesisValidatorsRoot,
      ...fileFields(state),
      genesisAt: null,
      node: answerOf(state.observed.node),
      execution: answerOf(state.observed.execution),
      tool: answerOf(state.observed.tool),
    },
  }
}

/** What the genesis file of the home says: each field as far as it was read. */
function fileFields({ observed }: GenesisState) {
  const file = answerOf(observed.file)
  if (file === null || file === 'unknown')
    return { root: file, forkVersion: file, validators: file, engineChainId: file }
  const { root, forkVersion, validators, engineChainId } = file
  return { root, forkVersion, validators, engineChainId }
}

/** Who names a genesis file and no home means that file. */
function withoutHome({ options, environment }: Call, setup: Setup): Setup {
  if (options.genesis === undefined || options.home !== undefined) return setup
  return { ...setup, genesisPath: pathOf(options.genesis, environment) }
}

/** Returns the rows of a genesis step that was asked: a file that is read and is no genesis file counts as a "no". */
export function genesisReport(state: GenesisState, setup: Setup): { rows: ReportRow[]; notes: Next[] } {
  const view = genesisView(state, setup)
  const rows = reportRows('genesis', view.facts).map((row) => asReported(row, state))
  // Its next steps are keys of the wizard; here each row that refuses says what to change.
  const problem = view.problem && { ...view.problem, next: [] }
  return { rows, notes: [...view.notes, ...problemNotes(problem)] }
}

function presetOf(engineChainId: string): Network | undefined {
  return PRESETS.find((preset) => sameHex(preset.engineChainId, engineChainId))
}

/** With --spec alone the file is the other half of the pair. */
function withGenesis(call: Call, file: string): Call {
  const { spec, genesis } = call.options
  return spec === undefined || genesis !== undefined
    ? call
    : { ...call, options: { ...call.options, genesis: file } }
}

/**
 * A row of the first step. A file that was read and is no genesis file is refused here, and of a source that names another
 * chain the value that was found stands below its row.
 */
function asReported(row: ReportRow, { observed }: GenesisState): ReportRow {
  const observation = Object.entries(observed).find(([key]) => key === row.id)?.[1]
  const shown = observation === undefined ? row : asRefused(row, observation)
  const long = shown.mark === 'refused' ? foundBy(row.id, observed) : undefined
  return long === undefined ? shown : { ...shown, long }
}

function foundBy(id: string, observed: GenesisState['observed']): Hex | undefined {
  switch (id) {
    case 'file':
    case 'node':
    case 'tool':
      return known<{ root: Hex }>(observed[id])?.root
    case 'contract':
      return known(observed.contract)?.codeHash
    default:
      return undefined
  }
}
