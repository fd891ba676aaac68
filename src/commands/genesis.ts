import { isoTime } from '../core/base/format/document.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import type { Next } from '../core/base/format/next.ts'
import type { Setup } from '../core/chain/facts.ts'
import { type GenesisFile, readGenesisFile } from '../core/chain/identity/read-genesis.ts'
import { findNodeTool, toolGenesisRoot } from '../core/chain/identity/run-tool.ts'
import type { Network } from '../core/chain/network/network.ts'
import { MAINNET, PRESETS } from '../core/chain/network/presets.ts'
import { runGenesis } from '../core/steps/genesis/commands.ts'
import {
  changeFile,
  GENESIS_FACTS,
  type GenesisAnswers,
  genesisPresetRow,
} from '../core/steps/genesis/facts.ts'
import { type GenesisState, genesisTransition, initialGenesis } from '../core/steps/genesis/machine.ts'
import { genesisView } from '../core/steps/genesis/view.ts'
import { answerOf, known, type Observation } from '../core/view/observation.ts'
import { drawRows, nothingAsked } from '../core/view/rows.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { GenesisFields } from './documents/genesis.ts'
import {
  asRefused,
  countWords,
  problemNotes,
  type Report,
  type ReportEnding,
  reportRows,
  tellReport,
} from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { answerTo, networkOfOptions, readOnlyContext, setupOf } from './setup.ts'

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
    sentence: ({ is, which }) => GENESIS_REPORT_TEXT.file(is, which, named),
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
    notes: named === undefined ? [GENESIS_REPORT_TEXT.limitsOf(MAINNET)] : [],
  }
}

/** The whole step, asked once. */
async function ofChain(call: Call): Promise<Report<GenesisFields>> {
  const setup = withoutHome(call, await setupOf(call))
  const state = await askGenesis(call, setup)
  const { rows, notes } = genesisReport(state, setup)
  return {
    document: 'genesis',
    network: setup.network.id,
    rows,
    notes,
    sentence: (outcome) => GENESIS_REPORT_TEXT.chain(outcome, setup.network),
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

/** Asks all that the first step asks, but for what was heard. */
export async function askGenesis(
  call: Call,
  setup: Setup,
  picture: Parameters<typeof runGenesis>[1] = {},
): Promise<GenesisState> {
  let state: GenesisState = initialGenesis
  const apply = (event: Parameters<typeof genesisTransition>[1]) => {
    const [next] = genesisTransition(state, event)
    state = next
  }
  await runGenesis(readOnlyContext(call, setup, apply), picture)
  return state
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

type LoadedGenesis = { path: string; genesis: GenesisFile; network: Network | undefined }

/**
 * What this computer alone can say of a genesis file: the rows of the step for the file and the node tool, and one for each
 * part of it that can be another network's. Where no network is named the root is told, and compared with the tool's alone.
 */
async function askFile(call: Call, found: LoadedGenesis): Promise<ReportRow[]> {
  const { path, genesis, network } = found
  const setup = setupOfFile(path, network ?? ownNetwork(genesis))
  const observed = await observeFile(call, found, setup.network)
  const rows = drawRows(GENESIS_FACTS, observed, { observed, setup }).filter(
    ({ id }) => id === 'file' || id === 'tool',
  )
  const own: Partial<ReportRow> =
    network === undefined ? { value: GENESIS_REPORT_TEXT.validators(genesis.validators) } : {}
  return [
    ...reportRows('genesis', [...(network === undefined ? [] : [genesisPresetRow(setup)]), ...rows]).map(
      (row) => (row.id === 'file' ? { ...row, ...own, long: genesis.root } : row),
    ),
    partRow('fork', found, { found: genesis.genesisForkVersion, expected: network?.genesisForkVersion }),
    partRow('chain', found, { found: genesis.engineChainId, expected: network?.engineChainId }),
  ]
}

/** The file as it was read, and the root that the node tool computes from it, where the tool is installed. */
async function observeFile(call: Call, { path, genesis }: LoadedGenesis, { names }: Network) {
  const { root, genesisForkVersion: forkVersion, validators, engineChainId } = genesis
  const { effects } = call
  const atMs = effects.clock.monotonicMs()
  const here = { status: 'known', source: GENESIS_REPORT_TEXT.thisComputer, atMs } as const
  const tool = await findNodeTool(effects, names.nodeTool)
  const theirs: Observation<GenesisAnswers['tool']> =
    tool === undefined
      ? { status: 'unasked' }
      : await answerTo(call, tool.path, async () => ({
          root: await toolGenesisRoot(tool, { genesisPath: path }),
        }))
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
  id: keyof typeof GENESIS_REPORT_TEXT.parts,
  { path, network }: LoadedGenesis,
  { found, expected }: { found: string; expected: string | undefined },
): ReportRow {
  const { label } = GENESIS_REPORT_TEXT.parts[id]
  const row = { step: 'genesis', id, label, source: path } as const
  if (network === undefined || expected === undefined || sameHex(found, expected))
    return { ...row, mark: 'proven', value: found }
  const next = changeFile(network, path)
  return { ...row, mark: 'refused', value: GENESIS_REPORT_TEXT.other(found, expected), next }
}

/** Every sentence of the command `genesis` that the step does not say. */
export const GENESIS_REPORT_TEXT = {
  /** Parts of a genesis file that have a row of their own. */
  parts: {
    fork: { label: 'fork version' },
    chain: { label: 'engine chain id' },
  },
  other: (found: string, expected: string) => `${found}, expected ${expected}`,
  validators: (count: number) => `${count} validators`,
  thisComputer: 'this computer',
  /** Of a file for which nobody named a network. */
  limitsOf: ({ label }: Network) => `Computed with the limits of ${label}: no network was named.`,
  file: (is: ReportEnding['is'], which: string, named: Network | undefined): string => {
    if (is === 'unknown') return `Not certain: see "${which}".`
    if (named === undefined) return 'The root is computed. Nothing here says of which network it is.'
    return is === 'yes'
      ? `This is the genesis file of ${named.label}.`
      : `This is not the genesis file of ${named.label}: deposit nothing for its root.`
  },
  chain: ({ is, checks, bad, which }: ReportEnding, { label }: Network): string => {
    switch (is) {
      case 'yes':
        return `All ${checks} answers name one chain: ${label}.`
      case 'no':
        return `${countWords(bad, 'answer does', 'answers do')} not fit ${label} (${which}): send nothing.`
      case 'unknown':
        return `${countWords(bad, 'answer is', 'answers are')} missing (${which}): the chain is not certain.`
    }
  },
}
