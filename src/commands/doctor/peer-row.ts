import { getPeerCount } from '../../core/clients/execution/get-peer-count.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { isAlone } from '../../core/network/vitals.ts'
import { clientsOf } from '../../core/steps/clients-of.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './row.ts'

/** How many peers the execution client has. A network of one node has none, and needs none. */
export async function peerRow(call: Call, setup: Setup): Promise<ReportRow> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const shape = ['status', 'execution-peers', 'execution peers'] as const
  const source = endpointName(setup.endpoints.execution)
  const fix = "give the execution client the network's bootnodes; open port 30303"
  try {
    const count = await getPeerCount(execution)
    const counts = { engine: undefined, node: count }
    const mark = isAlone(counts, setup.network) ? 'refused' : 'proven'
    const value = count === 0 && mark === 'proven' ? '0; none in a network of one node' : String(count)
    return doctorRow(...shape, { mark, value, source, fix })
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-offered')
      return unknownRow(...shape, { thrown, source })
    return doctorRow(...shape, { mark: 'unasked', value: 'it does not say', source })
  }
}
