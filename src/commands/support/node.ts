import { isLoopbackUrl, isSameServer, parseEndpointUrl } from '../../core/base/format/endpoint-url.ts'
import type { NodeSetup } from '../../core/chain/facts.ts'
import type { Endpoints } from '../../core/chain/network/network.ts'
import { PRESETS } from '../../core/chain/network/presets.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import { getClientVersion } from '../../core/clients/execution/chain.ts'
import { getNodeVersion } from '../../core/clients/node/node.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { GENESIS_FACTS } from '../../core/steps/genesis/facts.ts'
import { HEALTH_FACTS } from '../../core/steps/identity/facts.ts'
import { errorFacts } from '../../core/view/observation.ts'
import { type Mark, STEP_IDS } from '../../core/view/view.ts'
import type { Call } from '../command.ts'
import { SETTING_ROW_IDS } from '../doctor/settings.ts'
import { doctorRows } from '../doctor.ts'
import { HOME_ROW_IDS } from '../home-rows.ts'
import { inOrder } from '../report-lines.ts'
import { setupOf } from '../setup.ts'
import { NONE, type ReportFacts, version, wordOf } from './closed.ts'
import { ERROR_CODES } from './codes.ts'

const OTHER_ROWS = [
  [
    'preset',
    'chain',
    'home',
    'key',
    'engine',
    'standby',
    'toolKeys',
    'toolStatus',
    'tool-version',
    'backup',
    'few-peers',
  ],
  ['execution-contract', 'execution-forks', 'execution-client', 'execution-peers', 'precompiles', 'signed'],
  ['head', 'sync', 'age', 'advance', 'same-block', 'interval', 'clock'],
  ['proofs', 'anchor', 'second-anchor'],
  ['verdict', 'homeVerdict', 'index', 'operator', 'record', 'withdrawal', 'uncounted'],
].flat()

/** Every row that doctor can have. */
const check = wordOf([
  ...Object.keys(GENESIS_FACTS),
  ...Object.keys(HEALTH_FACTS),
  ...HOME_ROW_IDS,
  ...SETTING_ROW_IDS,
  ...OTHER_ROWS,
])
const step = wordOf(STEP_IDS)
const mark = wordOf<Mark>(['proven', 'given', 'refused', 'unknown', 'asking', 'unasked'])
const code = wordOf(ERROR_CODES)
const codeOf = (thrown: unknown): ReportFacts => code(errorFacts(thrown).code)

const OWN_FILE = 'own-file'
const NETWORKS = [...PRESETS.map(({ id }) => id), 'rehearsal']
const network = wordOf([...NETWORKS, OWN_FILE])

/**
 * Returns what `bearings doctor` finds on the network that was named, and what answers at each endpoint; `none` where no
 * network was named. A fault that comes before the checks is told by its code.
 */
export async function nodeFacts(call: Call): Promise<ReportFacts> {
  const { options } = call
  const named = [options.network, options.devnet, options.spec, options.genesis]
  if (named.every((each) => each === undefined)) return NONE
  try {
    const setup = await setupOf(call)
    const [rows, endpoints] = await Promise.all([doctorRows(call, setup), endpointFacts(call, setup)])
    return {
      fault: NONE,
      network: network(NETWORKS.includes(setup.network.id) ? setup.network.id : OWN_FILE),
      endpoints,
      checks: inOrder(rows).map((row) => ({
        step: step(row.step),
        check: check(row.id),
        level: mark(row.mark),
      })),
    }
  } catch (thrown) {
    call.io.signal.throwIfAborted()
    return { fault: codeOf(thrown), network: NONE, endpoints: [], checks: [] }
  }
}

const ROLES = [
  'execution',
  'secondExecution',
  'node',
  'engine',
] as const satisfies readonly (keyof Endpoints)[]
const role = wordOf(ROLES)
const scheme = wordOf(['http', 'https'])
const place = wordOf(['this-computer', 'private-network', 'elsewhere'])

/** Names of clients as they give them; the node API of the real node gives a placeholder. */
const CLIENTS = ['geth', 'bera-geth', 'reth', 'bera-reth', 'nethermind', 'besu', 'erigon', 'anvil'] as const
const OTHERS = ['hardhatnetwork', 'bearings-rehearsal', 'beacond', 'beacon-kit', 'cometbft'] as const
const client = wordOf([...CLIENTS, ...OTHERS, '<appd>'])

/** Returns the role of each endpoint, the kind of its address without the address, and which client answers there. */
function endpointFacts({ effects }: Call, setup: NodeSetup): Promise<ReportFacts[]> {
  const { endpoints } = setup
  const { execution, second, node, engine } = clientsOf({ effects, setup })
  const ask = {
    execution: () => getClientVersion(execution),
    secondExecution: second && (() => getClientVersion(second)),
    node: () => getNodeVersion(node),
    engine: async () => `cometbft/${(await getEngineStatus(engine)).version}`,
  }
  const found = ROLES.flatMap((each) => {
    const text = endpoints[each] ?? ''
    const [url, software] = [parseEndpointUrl(text), ask[each]]
    return url === undefined || software === undefined ? [] : [{ each, text, url, software }]
  })
  return Promise.all(
    found.map(async ({ each, text, url, software }) => ({
      role: role(each),
      scheme: scheme(url.protocol.slice(0, -1)),
      place: place(placeOf(text, url)),
      hasPath: url.pathname !== '/' || url.search !== '',
      sameServerAsExecution: each !== 'execution' && isSameServer(text, endpoints.execution),
      ...(await softwareFacts(software)),
    })),
  )
}

/** Returns the name and the version that a client gives, such as `Geth/v1.17.4-stable/linux`, or why it gave none. */
async function softwareFacts(ask: () => Promise<string>) {
  try {
    const [name = '', number = ''] = (await ask()).split('/')
    return { client: client(name.toLowerCase()), version: version(number), fault: NONE }
  } catch (thrown) {
    return { client: NONE, version: NONE, fault: codeOf(thrown) }
  }
}

const PRIVATE =
  /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^\[f[cde]/

function placeOf(text: string, { hostname }: URL): string {
  if (isLoopbackUrl(text)) return 'this-computer'
  const isName = !/[.:]/.test(hostname) || /\.(?:local|lan|internal|home\.arpa)$/.test(hostname)
  return isName || PRIVATE.test(hostname) ? 'private-network' : 'elsewhere'
}
