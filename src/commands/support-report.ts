import { release } from 'node:os'
import { isLoopbackUrl } from '../core/base/format/endpoint-url.ts'
import { LANGUAGE } from '../core/base/format/language.ts'
import type { NodeSetup } from '../core/chain/facts.ts'
import { PRESETS } from '../core/chain/network/presets.ts'
import { getEngineStatus } from '../core/clients/engine/get-status.ts'
import { getClientVersion } from '../core/clients/execution/chain.ts'
import { getNodeVersion } from '../core/clients/node/node.ts'
import { clientsOf } from '../core/observe/context.ts'
import { errorFacts } from '../core/view/observation.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import { doctorRows } from './doctor.ts'
import type { SupportFields } from './documents/support.ts'
import { inOrder } from './report-lines.ts'
import { setupOf } from './setup.ts'
import { tellDocument } from './tell-document.ts'

/** The command `report`: versions and the findings of doctor, in words that can be shown to anybody. */
export const report = commandOf('report', run)

type Found = Pick<SupportFields, 'fault' | 'endpoints' | 'checks'> & { network: string | null }

async function run(call: Call): Promise<ExitCode> {
  const { network, ...found } = await findingsOf(call)
  const fields = { program: programFacts(call), terminal: terminalFacts(call), ...found }
  if (call.json) tellDocument<SupportFields>('report', { network, verdict: 'yes', fields }, call)
  else for (const line of linesOf(fields, network)) call.io.out(line)
  return EXIT.done
}

/** Returns a report as lines, under the names that its fields have with `--json`: the same in every language. */
function linesOf({ program, terminal, fault, endpoints, checks }: SupportFields, network: string | null) {
  const words = (facts: object) =>
    Object.entries(facts)
      .map(([name, value]) => `${name} ${value ?? 'none'}`)
      .join(', ')
  return [
    `program: ${words(program)}`,
    `terminal: ${words(terminal)}`,
    `node: ${words({ network, fault })}`,
    ...endpoints.map(({ role, ...facts }) => `${role}: ${words(facts)}`),
    ...checks.map(({ step, check, level }) => `${step} ${check}: ${level}`),
  ]
}

function programFacts(call: Pick<Call, 'version'>): SupportFields['program'] {
  const { versions, platform, arch } = process
  return {
    version: call.version === undefined ? null : numbersOf(call.version),
    language: LANGUAGE,
    node: numbersOf(versions.node),
    openssl: numbersOf(versions.openssl),
    platform,
    processor: arch,
    system: numbersOf(release()),
  }
}

/** Returns the terminal, and what the environment says about it; without a terminal its size and colors are 0. */
function terminalFacts({ environment }: Call): SupportFields['terminal'] {
  const { stdout } = process
  const { LC_ALL, LC_MESSAGES, LANG = '' } = environment
  const isSet = (name: string) => (environment[name] ?? '') !== ''
  return {
    columns: stdout.isTTY ? stdout.columns : 0,
    rows: stdout.isTTY ? stdout.rows : 0,
    colourBits: stdout.isTTY ? stdout.getColorDepth() : 0,
    utf8: /utf-?8/i.test(LC_ALL || LC_MESSAGES || LANG),
    tmux: isSet('TMUX'),
    ssh: isSet('SSH_CONNECTION'),
    screenReader: isSet('INK_SCREEN_READER'),
  }
}

const NETWORKS: readonly string[] = [...PRESETS.map(({ id }) => id), 'rehearsal']

/**
 * Returns what `bearings doctor` finds on the network that was named, and what answers at each endpoint; nothing where no network
 * was named. A fault that comes before the checks is told by its code.
 */
async function findingsOf(call: Call): Promise<Found> {
  const { network, devnet, spec, genesis } = call.options
  const none = { network: null, fault: null, endpoints: [], checks: [] }
  if ([network, devnet, spec, genesis].every((each) => each === undefined)) return none
  try {
    const setup = await setupOf(call)
    const { id } = setup.network
    const [rows, endpoints] = await Promise.all([doctorRows(call, setup), endpointFacts(call, setup)])
    return {
      network: NETWORKS.includes(id) ? id : 'own-file',
      fault: null,
      endpoints,
      checks: inOrder(rows).map(({ step, id, mark }) => ({ step, check: ownWord(id), level: mark })),
    }
  } catch (thrown) {
    call.io.signal.throwIfAborted()
    return { ...none, fault: codeOf(thrown) }
  }
}

/** Names of clients as they give them; the node API of the real node gives a placeholder. */
const CLIENTS = [
  ['geth', 'bera-geth', 'reth', 'bera-reth', 'nethermind', 'besu', 'erigon', 'anvil', 'hardhatnetwork'],
  ['bearings-rehearsal', 'beacond', 'beacon-kit', 'cometbft', '<appd>'],
].flat()

/** Returns the role of each endpoint, whether it is on this computer, and which client answers there or why none does. */
function endpointFacts({ effects }: Call, setup: NodeSetup): Promise<SupportFields['endpoints'][number][]> {
  const { endpoints } = setup
  const { execution, second, node, engine } = clientsOf({ effects, setup })
  const asked: readonly [role: string, url: string, ask: () => Promise<string>][] = [
    ['execution', endpoints.execution, () => getClientVersion(execution)],
    ['secondExecution', endpoints.secondExecution ?? '', () => getClientVersion(second ?? execution)],
    ['node', endpoints.node, () => getNodeVersion(node)],
    ['engine', endpoints.engine, async () => `cometbft/${(await getEngineStatus(engine)).version}`],
  ]
  return Promise.all(
    asked
      .filter(([, url]) => url !== '')
      .map(async ([role, url, ask]) => ({
        role,
        place: isLoopbackUrl(url) ? 'this-computer' : 'elsewhere',
        ...(await softwareFacts(ask)),
      })),
  )
}

/** Returns the name and the version that a client gives, such as `Geth/v1.17.4-stable/linux`, or why it gave none. */
async function softwareFacts(ask: () => Promise<string>) {
  try {
    const [name = '', number = ''] = (await ask()).split('/')
    const client = CLIENTS.find((each) => each === name.toLowerCase()) ?? 'other'
    return { client, version: numbersOf(number), fault: null }
  } catch (thrown) {
    return { client: null, version: null, fault: codeOf(thrown) }
  }
}

const codeOf = (thrown: unknown) => ownWord(errorFacts(thrown).code)

/** Returns a name that this program gives to a row or an error; `other` for what could be an address, a key or a path. */
function ownWord(text: string): string {
  return /^[a-z_-]{1,40}(?:\.[a-z_-]{1,40})?$/i.test(text) ? text : 'other'
}

/** Three numbers at most, so that no address of the Internet is one. */
const NUMBERS = /^v?(\d{1,4}(?:\.\d{1,4}){1,2}(?![\d.])(?:-(?:alpha|beta|rc)\.\d{1,4}(?!\d))?)/

/** Returns the numbers that a version begins with, such as 1.2.3 of `v1.2.3-stable`; `other` where it begins with none. */
function numbersOf(version: string): string {
  return NUMBERS.exec(version)?.[1] ?? 'other'
}
