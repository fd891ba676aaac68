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

/** Every code that an error of this program can have: what `docs/errors.md` explains. */
export const ERROR_CODES: readonly string[] = `
usage.option usage.no-such-command usage.no-network usage.no-such-network usage.no-home usage.no-rehearsal
install.forbidden install.temporary install.library
validator.unknown-index
client.unreachable client.timeout client.says-nothing client.malformed client.too-large client.unusable
client.wrong-service client.unauthorized client.rate-limited client.not-offered client.not-found
client.not-ready client.bad-request client.reverted client.rejected client.failed
http.bad-url http.unreachable http.local http.timeout http.closed http.redirect http.too-large http.tls
http.no-tls http.not-http
network.field network.unreadable network.clash
genesis-file.bad-field genesis-file.not-json genesis-file.no-deposits genesis-file.other-root
home.missing home.unreadable home.field
key-file.bad-field key-file.not-json key-file.wrong-type key-file.out-of-range
doctor.no-key
deposit.bad-field deposit.bad-address deposit.bad-credentials deposit.bad-calldata deposit.bad-log
deposit.bad-file deposit.other-deposit deposit.not-taken deposit.self-test-failed
sign.no-precompile
wallet.unreadable wallet.not-as-prepared wallet.gate-closed wallet.in-use wallet.no-account
keystore.bad-field keystore.not-json keystore.too-heavy keystore.wrong-password keystore.other-account
signer.cancelled signer.bad-request signer.unsafe-file signer.file-changed signer.other-key signer.no-terminal
signer.descriptor-refused signer.other-purpose signer.failed
consensus.slot_order consensus.unknown_validator consensus.amount
proofs.no-such-validator proofs.state-mismatch proofs.state-unproven proofs.receipts-differ
verify.not-found
journal.damaged journal.newer journal.older journal.another journal.held journal.unwritable journal.closed
guard.bytes guard.refused guard.there
lock.unavailable lock.older-version lock.no-place
session.looks-only session.left session.repeated
settings.damaged settings.later-version
file.missing file.denied file.not-a-file file.too-large file.exists file.not-ours file.open-to-others
file.no-space file.poisoned file.failed
exec.missing exec.not-executable exec.unsafe exec.timeout exec.too-much-output exec.killed exec.no-room
tool.failed tool.unreadable tool.other-answer tool.home-incomplete tool.not-asked
watch.port watch.held watch.not-kept watch.damaged
watch-config.fields watch-config.unreadable
outbox.damaged
rehearsal.ended rehearsal.gone rehearsal.not-typed rehearsal.other-scenario rehearsal.not-started
rehearsal.wish
devnet.signature-undecided devnet.refused devnet.port devnet.node-refusal devnet.engine-fault
anvil.missing anvil.loader anvil.library anvil.forbidden anvil.machine anvil.unusable anvil.notReady
anvil.foreignChain anvil.died anvil.unreachable anvil.slotRefused anvil.rpc
internal.fault
`
  .trim()
  .split(/\s+/)

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
