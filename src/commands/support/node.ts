import type { NodeSetup } from '../../core/chain/facts.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import { getClientVersion } from '../../core/clients/execution/chain.ts'
import { getNodeVersion } from '../../core/clients/node/node.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { GENESIS_FACTS } from '../../core/steps/genesis/facts.ts'
import { HEALTH_FACTS } from '../../core/steps/identity/facts.ts'
import { type Mark, STEP_IDS } from '../../core/view/view.ts'
import type { Call } from '../command.ts'
import { SETTING_ROW_IDS } from '../doctor/settings.ts'
import { doctorRows } from '../doctor.ts'
import { HOME_ROW_IDS } from '../home-rows.ts'
import { inOrder } from '../report-lines.ts'
import { setupOf } from '../setup.ts'
import { NONE, type ReportFacts, version, wordOf } from './closed.ts'
import { endpointFacts, type ROLES, role } from './setups.ts'
import { codeOf, networkWord } from './words.ts'

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
  ['execution-contract', 'execution-forks', 'execution-client', 'execution-peers', 'precompiles'],
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

/** What the nodes of a network that was named are found to be, as `bearings doctor` finds it; `none` where none was named. */
export async function nodeFacts(call: Call): Promise<ReportFacts> {
  const { network, devnet, spec, genesis } = call.options
  if ([network, devnet, spec, genesis].every((named) => named === undefined)) return NONE
  try {
    const setup = await setupOf(call)
    const [rows, software] = await Promise.all([doctorRows(call, setup), softwareFacts(call, setup)])
    return {
      fault: NONE,
      network: networkWord(setup.network.id),
      endpoints: endpointFacts(setup.endpoints),
      software,
      checks: inOrder(rows).map((row) => ({
        step: step(row.step),
        check: check(row.id),
        level: mark(row.mark),
      })),
    }
  } catch (thrown) {
    call.io.signal.throwIfAborted()
    return { fault: codeOf(thrown), network: NONE, endpoints: [], software: [], checks: [] }
  }
}

/** Names of clients as they give them; the node API of the real node gives a placeholder. */
const CLIENTS = ['geth', 'bera-geth', 'reth', 'bera-reth', 'nethermind', 'besu', 'erigon', 'anvil'] as const
const OTHERS = ['hardhatnetwork', 'bearings-rehearsal', 'beacond', 'beacon-kit', 'cometbft'] as const
const client = wordOf([...CLIENTS, ...OTHERS, '<appd>'])

/** Which client answers at each endpoint, by the name and the version that it gives: `Geth/v1.17.4-stable/linux`. */
function softwareFacts({ effects }: Call, setup: NodeSetup): Promise<ReportFacts[]> {
  const { execution, second, node, engine } = clientsOf({ effects, setup })
  return Promise.all([
    software('execution', () => getClientVersion(execution)),
    ...(second === undefined ? [] : [software('secondExecution', () => getClientVersion(second))]),
    software('node', () => getNodeVersion(node)),
    software('engine', async () => `cometbft/${(await getEngineStatus(engine)).version}`),
  ])
}

async function software(which: (typeof ROLES)[number], ask: () => Promise<string>): Promise<ReportFacts> {
  const known = { role: role(which) }
  try {
    const [name = '', number = ''] = (await ask()).split('/')
    return { ...known, client: client(name.toLowerCase()), version: version(number), fault: NONE }
  } catch (thrown) {
    return { ...known, client: NONE, version: NONE, fault: codeOf(thrown) }
  }
}
