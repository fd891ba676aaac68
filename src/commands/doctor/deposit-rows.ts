import { getEthConfig } from '../../core/clients/execution/get-eth-config.ts'
import { getConfigSpec } from '../../core/clients/node/get-config-spec.ts'
import { getDepositContract } from '../../core/clients/node/get-deposit-contract.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../core/format/hex.ts'
import { clientsOf } from '../../core/steps/clients-of.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report.ts'
import { doctorRow, unknownRow } from './row.ts'

/** What a client says of the deposit contract; a part it does not name is undefined. */
type Said = { chainId: number | undefined; address: Hex | undefined }

/** Which deposit contract, on which chain, each client is configured for, where it says so (`safety.md` #47, #48). */
export async function depositRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { node, execution } = clientsOf({ effects: call.effects, setup })
  const { endpoints } = setup
  return Promise.all([
    rowOf(setup, {
      id: 'node-contract',
      label: 'contract by the node',
      source: endpointName(endpoints.node),
      ask: async () => {
        const spec = await getConfigSpec(node)
        if (spec.depositContract !== undefined)
          return { chainId: spec.depositChainId, address: spec.depositContract }
        const said = await getDepositContract(node)
        return { chainId: said?.chainId ?? spec.depositChainId, address: said?.address }
      },
    }),
    rowOf(setup, {
      id: 'execution-contract',
      label: 'contract by execution',
      source: endpointName(endpoints.execution),
      ask: async () => {
        const { chainId, depositContract } = await getEthConfig(execution)
        return { chainId, address: depositContract }
      },
    }),
  ])
}

type Question = { id: string; label: string; source: string; ask: () => Promise<Said> }

async function rowOf({ network }: Setup, { id, label, source, ask }: Question): Promise<ReportRow> {
  const notSaid = doctorRow('genesis', id, label, { mark: 'unasked', value: 'it does not say', source })
  try {
    const { chainId, address } = await ask()
    if (chainId === undefined && address === undefined) return notSaid
    const chainFits = chainId === undefined || chainId === network.executionChainId
    const addressFits = address === undefined || sameHex(address, network.spec.depositContract)
    const value = `${address ?? 'address not said'} on chain ${chainId ?? 'not said'}`
    const fix = `start it for ${network.label}: chain ${network.executionChainId}, contract ${network.spec.depositContract}`
    const mark = chainFits && addressFits ? 'proven' : 'refused'
    return doctorRow('genesis', id, label, { mark, value, source, fix })
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-offered') return notSaid
    return unknownRow('genesis', id, label, { thrown, source })
  }
}
