import type { Setup } from '../core/facts.ts'
import { type Hex, sameHex } from '../core/format/hex.ts'
import type { Next } from '../core/format/next.ts'
import { type GenesisFile, readGenesisFile } from '../core/identity/read-genesis.ts'
import { findNodeTool, toolGenesisRoot } from '../core/identity/run-tool.ts'
import type { Network } from '../core/network/network.ts'
import { BERACHAIN_NAMES, MAINNET, PRESETS } from '../core/network/presets.ts'
import { runGenesis } from '../core/steps/genesis/commands.ts'
import { type GenesisState, genesisTransition, initialGenesis } from '../core/steps/genesis/machine.ts'
import { genesisView } from '../core/steps/genesis/view.ts'
import { known } from '../core/steps/observation.ts'
import type { Mark } from '../core/steps/view.ts'
import { type Call, commandOf, pathOf, toolFault } from './command.ts'
import type { ExitCode } from './io.ts'
import { asRefused, counted, type Outcome, problemNotes, type Report, rowsOf, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { lookingWorld, networkOf, setupOf } from './setup.ts'

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
    next: "fetch the network's own genesis.json and put it in config/ of the node home",
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
  return tellReport(report, call.io, { json: call.json })
}

/** Everything that can be known of a genesis file without a connection. */
async function ofFile(call: Call, path: string): Promise<Report> {
  const { spec, network: name } = call.options
  const given =
    name === undefined && spec === undefined ? undefined : await networkOf(withGenesis(call, path))
  // All built-in networks have the same limits.
  const genesis = await readGenesisFile(call.effects, { path, limits: (given ?? MAINNET).spec })
  const named = given ?? presetOf(genesis.engineChainId)
  const { root, engineChainId, genesisForkVersion, genesisTime, validators } = genesis
  return {
    command: 'genesis',
    ...(named === undefined ? {} : { network: named.id }),
    rows: await askFile(call, { path, genesis, network: named }),
    sentence: ({ is, which }) => fileSentence(is, which, named),
    data: { root, forkVersion: genesisForkVersion, validators, engineChainId, genesisTime },
    notes: named === undefined ? [`Computed with the limits of ${MAINNET.label}: no network was named.`] : [],
  }
}

/** The whole step, asked once. */
async function ofChain(call: Call): Promise<Report> {
  const setup = withoutHome(call, await setupOf(call))
  let state: GenesisState = initialGenesis
  const apply = (event: Parameters<typeof genesisTransition>[1]) => {
    const [next] = genesisTransition(state, event)
    state = next
  }
  await runGenesis(lookingWorld(call, setup, apply))
  const { rows, notes } = genesisReport(state, setup)
  const file = known(state.seen.file)
  return {
    command: 'genesis',
    network: setup.network.id,
    rows,
    notes,
    sentence: (outcome) => chainSentence(outcome, setup.network),
    data: {
      expectedRoot: setup.network.genesisValidatorsRoot,
      ...file,
      node: known(state.seen.node),
      execution: known(state.seen.execution),
      tool: known(state.seen.tool),
    },
  }
}

function fileSentence(is: Outcome['is'], which: string, named: Network | undefined): string {
  if (is === 'unknown') return `Not certain: see "${which}".`
  if (named === undefined) return 'The root is computed. Nothing here says of which network it is.'
  return is === 'yes'
    ? `This is the genesis file of ${named.label}.`
    : `This is not the genesis file of ${named.label}: deposit nothing for its root.`
}

function chainSentence({ is, checks, bad, which }: Outcome, { label }: Network): string {
  switch (is) {
    case 'yes':
      return `All ${checks} answers name one chain: ${label}.`
    case 'no':
      return `${counted(bad, 'answer does', 'answers do')} not fit ${label} (${which}): send nothing.`
    case 'unknown':
      return `${counted(bad, 'answer is', 'answers are')} missing (${which}): the chain is not certain.`
  }
}

/** Who names a genesis file and no home means that file. */
function withoutHome({ options, environment }: Call, setup: Setup): Setup {
  if (options.genesis === undefined || options.home !== undefined) return setup
  return { ...setup, genesisPath: pathOf(options.genesis, environment) }
}

/** The rows of a genesis step that was asked: a file that is read and is no genesis file counts as a "no". */
export function genesisReport(state: GenesisState, setup: Setup): { rows: ReportRow[]; notes: Next[] } {
  const view = genesisView(state, setup)
  const rows = rowsOf('genesis', view.facts).map((row) => withChainFix(row, state, setup))
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

type Fixed = Pick<ReportRow, 'next' | 'long'>

/**
 * A row of the first step with what to change: where the chain of a source is not the network's, what was found and
 * what is expected; where a source did not answer, what the failure itself advises.
 */
export function withChainFix(row: ReportRow, { seen }: GenesisState, setup: Setup): ReportRow {
  const observation = Object.entries(seen).find(([key]) => key === row.id)?.[1]
  const told = observation === undefined ? row : asRefused(row, observation)
  if (told.mark !== 'refused' || told.next !== undefined) return told
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
      return {
        ...longOf(found?.root),
        next: `put the genesis.json of ${label} (${also}) in place of ${path}`,
      }
    }
    case 'node':
      return {
        ...longOf(known(seen.node)?.root),
        next: `start the node with the files of ${label} (root ${root}, fork ${genesisForkVersion}), or give its --node`,
      }
    case 'tool':
      return { next: `use the ${names.nodeTool} of the version that the node runs` }
    case 'execution':
      return {
        next: `give --execution of ${label}: chain ${executionChainId}, and the first block known before`,
      }
    case 'second':
      return {
        next: `give --second-execution of ${label}: chain ${executionChainId}, with the same first block`,
      }
    case 'engine':
      return {
        next: `start the engine with the genesis.json of ${label} (chain_id ${engineChainId}), or give its --engine`,
      }
    case 'contract':
      return {
        ...longOf(known(seen.contract)?.codeHash),
        next: `send nothing there as long as nobody says why: ${network.depositContractCodeHash} is the hash expected at ${spec.depositContract}; a network FILE.json can name another`,
      }
    case 'config':
    case 'fork':
    case 'deposits':
    case 'schedule':
      return { next: `start the node with the files of ${label} (${chain}): chain-spec in config/app.toml` }
    default:
      return {}
  }
}

function longOf(found: string | undefined): Pick<ReportRow, 'long'> {
  return found === undefined ? {} : { long: found }
}
