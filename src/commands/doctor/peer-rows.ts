import { getNetInfo } from '../../core/clients/engine/get-net-info.ts'
import { getPeerCount } from '../../core/clients/execution/get-peer-count.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { clientsOf } from '../../core/steps/clients-of.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report.ts'
import { doctorRow, unknownRow } from './row.ts'

/** How many peers each client has. A rehearsal network has none, and needs none. */
export async function peerRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { engine, execution } = clientsOf({ effects: call.effects, setup })
  const { endpoints } = setup
  return Promise.all([
    peerRow(setup, {
      id: 'engine-peers',
      label: 'engine peers',
      source: endpointName(endpoints.engine),
      fix: 'set seeds or persistent_peers under [p2p] in config/config.toml; open port 26656',
      ask: async () => (await getNetInfo(engine)).peerCount,
    }),
    peerRow(setup, {
      id: 'execution-peers',
      label: 'execution peers',
      source: endpointName(endpoints.execution),
      fix: "give the execution client the network's bootnodes; open port 30303",
      ask: () => getPeerCount(execution),
    }),
  ])
}

type Peers = { id: string; label: string; source: string; fix: string; ask: () => Promise<number> }

async function peerRow({ network }: Setup, { id, label, source, fix, ask }: Peers): Promise<ReportRow> {
  try {
    const count = await ask()
    const alone = network.kind === 'rehearsal'
    const value = alone ? `${count}; a rehearsal has none` : String(count)
    const mark = count > 0 || alone ? 'proven' : 'refused'
    return doctorRow('status', id, label, { mark, value, source, fix })
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-offered')
      return unknownRow('status', id, label, { thrown, source })
    return doctorRow('status', id, label, { mark: 'unasked', value: 'it does not say', source })
  }
}
