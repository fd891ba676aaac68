import { BaseError } from '../../core/base/errors/base.ts'
import { ClientError } from '../../core/base/errors/client.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { Setup } from '../../core/chain/facts.ts'
import { findNodeTool, toolVersion } from '../../core/chain/identity/run-tool.ts'
import { PRESETS } from '../../core/chain/network/presets.ts'
import { getClientVersion, getEthConfig } from '../../core/clients/execution/chain.ts'
import { createExecutionClient } from '../../core/clients/execution/client.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { claimFits, type DepositClaim } from '../../core/steps/genesis/facts.ts'
import { GENESIS_TEXT } from '../../core/steps/genesis/text.ts'
import { type Call, toolFault } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, forkRow, unknownRow } from './doctor-row.ts'
import { DOCTOR_TEXT } from './text.ts'

const { contract: CONTRACT, notSaid: NOT_SAID, client: CLIENT } = DOCTOR_TEXT

/**
 * What the execution client is configured for, where it says so: which deposit contract, on which chain, it takes deposits from
 * (`safety.md` #48), and whether it lacks a fork. What the node says is a row of the first step.
 */
export async function configRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const shape = ['genesis', 'execution-contract'] as const
  const source = endpointName(endpoints.execution)
  const notSaid = doctorRow(...shape, { mark: 'unasked', value: NOT_SAID, source })
  try {
    const { chainId, depositContract, forks } = await getEthConfig(execution)
    const claim: DepositClaim = {
      chainIds: [chainId],
      contracts: depositContract === undefined ? [] : [depositContract],
    }
    const mark = claimFits(claim, network) ? 'proven' : 'refused'
    const next = CONTRACT.change(network)
    const value = GENESIS_TEXT.claim(claim, network)
    return [
      doctorRow(...shape, { mark, value, source, next }),
      await forkRow('genesis', forks, { call, setup }),
    ]
  } catch (thrown) {
    if (thrown instanceof ClientError && thrown.fault === 'not-offered') return [notSaid]
    return [unknownRow(...shape, { thrown, source })]
  }
}

/** What a client of the kind that the built-in networks have given up calls itself. */
const RETIRED = /^(?:bera-?)?geth\b/i

/**
 * Returns the name and version of the execution client, by its own public answer: the script of the network's support asks for the
 * same with the JWT secret. On a built-in network one that follows the chain no more is refused.
 */
export async function clientRow(call: Call, { endpoints, network }: Setup): Promise<ReportRow> {
  const shape = ['status', 'execution-client'] as const
  const source = endpointName(endpoints.execution)
  try {
    const version = await getClientVersion(createExecutionClient(call.effects, endpoints.execution))
    const isRetired = PRESETS.some(({ id }) => id === network.id) && RETIRED.test(version)
    const value = isRetired ? CLIENT.retired(safeText(version, 60)) : safeText(version, 60)
    return doctorRow(...shape, { mark: isRetired ? 'refused' : 'given', value, source, next: CLIENT.change })
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-offered')
      return unknownRow(...shape, { thrown, source })
    return doctorRow(...shape, { mark: 'unasked', value: NOT_SAID, source })
  }
}

/**
 * Returns the version that the node tool prints, for which the script of the network's support asks first; no row where there is no
 * tool.
 */
export async function toolVersionRows({ effects }: Call, { network }: Setup): Promise<ReportRow[]> {
  const tool = await findNodeTool(effects, network.names.nodeTool)
  if (tool === undefined) return []
  const row = (part: Pick<ReportRow, 'mark' | 'value'>) =>
    doctorRow('identity', 'tool-version', { ...part, source: tool.path })
  try {
    const version = await toolVersion(tool)
    return [
      row(version === '' ? { mark: 'unasked', value: CLIENT.noVersion } : { mark: 'given', value: version }),
    ]
  } catch (thrown) {
    if (thrown instanceof BaseError) return [row(toolFault(thrown))]
    throw thrown
  }
}
