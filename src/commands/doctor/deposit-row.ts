import { getEthConfig } from '../../core/clients/execution/get-eth-config.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { clientsOf } from '../../core/steps/clients-of.ts'
import { claimFits, type DepositClaim } from '../../core/steps/genesis/facts.ts'
import { claimWords } from '../../core/steps/genesis/text.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './row.ts'

/**
 * Which deposit contract, on which chain, the execution client takes deposits from, where it says so (`safety.md`
 * #48). What the node says is a row of the first step.
 */
export async function depositRow(call: Call, setup: Setup): Promise<ReportRow> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const shape = ['genesis', 'execution-contract', 'contract by execution'] as const
  const source = endpointName(endpoints.execution)
  const notSaid = doctorRow(...shape, { mark: 'unasked', value: 'it does not say', source })
  try {
    const { chainId, depositContract } = await getEthConfig(execution)
    const claim: DepositClaim = {
      chainIds: [chainId],
      contracts: depositContract === undefined ? [] : [depositContract],
    }
    const mark = claimFits(claim, network) ? 'proven' : 'refused'
    const fix = `start it for ${network.label}: chain ${network.executionChainId}, contract ${network.spec.depositContract}`
    return doctorRow(...shape, { mark, value: claimWords(claim, network), source, fix })
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-offered') return notSaid
    return unknownRow(...shape, { thrown, source })
  }
}
