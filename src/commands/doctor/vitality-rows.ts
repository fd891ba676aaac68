import { askFinality, askHealth, askPeers } from '../../core/clients/ask-vitals.ts'
import type { NodeSetup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { clientsOf } from '../../core/steps/clients-of.ts'
import { VITAL_FACTS } from '../../core/steps/identity/facts.ts'
import { VITAL_TEXT } from '../../core/steps/identity/text.ts'
import type { Observation } from '../../core/steps/observation.ts'
import { tableRows } from '../../core/steps/rows.ts'
import { observe } from '../../core/steps/world.ts'
import type { Call } from '../command.ts'
import { rowsOf } from '../report.ts'
import type { ReportRow } from '../report-lines.ts'

const FIXES: Readonly<Record<string, string>> = {
  peers: 'set seeds or persistent_peers under [p2p] in config/config.toml; open port 26656',
  health: 'look at the logs of the node: it says itself that it is not ready',
  finality: 'look at the logs of the node, or use the API of another one: on this chain every block is final',
}

/** What node and engine say of their own state, in the rows of the second step. */
export async function vitalityRows(call: Call, setup: NodeSetup): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const node = endpointName(endpoints.node)
  const [health, finality, peers] = await Promise.all([
    answerTo(call, node, () => askHealth(clients)),
    answerTo(call, node, () => askFinality(clients, network.spec.slotsPerEpoch)),
    answerTo(call, endpointName(endpoints.engine), () => askPeers(clients)),
  ])
  const rows = tableRows(VITAL_FACTS, VITAL_TEXT, { health, finality, peers }, { setup })
  return rowsOf('identity', rows).map((row) => withFix(row))
}

async function answerTo<T>(call: Call, source: string, ask: () => Promise<T>): Promise<Observation<T>> {
  let answer: Observation<T> = { status: 'unasked' }
  const world = { effects: call.effects, signal: call.io.signal }
  await observe(world, source, ask, async (seen) => {
    answer = seen
  })
  return answer
}

function withFix(row: ReportRow): ReportRow {
  const fix = FIXES[row.id]
  return row.mark === 'refused' && fix !== undefined ? { ...row, fix } : row
}
