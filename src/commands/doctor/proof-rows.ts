import { getBlock } from '../../core/clients/execution/blocks.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import { getValidator } from '../../core/clients/node/validators.ts'
import { isAnchored, proveValidator, type ValidatorProof } from '../../core/clients/prove-validator.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { type Clients, clientsOf } from '../../core/steps/world.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './row.ts'

/** Whether the proof endpoints work and end in roots that the execution chain holds, tried on the first validator. */
export async function proofRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const source = endpointName(endpoints.node)
  try {
    const { proof, timestampSeconds } = await prove(clients)
    const fix = 'a proof that does not hold is a lie or a fault of the node: use another node API'
    const holds = doctorRow('confirm', 'proofs', 'proof endpoints', {
      mark: proof.verdict.ok ? 'proven' : 'refused',
      value: proof.verdict.ok
        ? `key, credentials and balance hold, slot ${proof.slot}`
        : `do not hold: ${proof.verdict.reason}`,
      source,
      fix,
    })
    const asked = { timestampSeconds, blockRoot: proof.blockRoot }
    const anchor = await anchorRow(['anchor', 'anchor'], clients.execution, asked)
    if (clients.second !== undefined)
      return [holds, anchor, await anchorRow(['second-anchor', 'second anchor'], clients.second, asked)]
    const missing = doctorRow('confirm', 'second-anchor', 'second anchor', {
      mark: network.kind === 'real' ? 'unknown' : 'unasked',
      value: 'no second execution endpoint was given',
      source: '',
      fix: `give --second-execution of another operator${network.publicExecution === undefined ? '' : `, e.g. ${network.publicExecution}`}: a top-up needs it`,
    })
    return [holds, anchor, missing]
  } catch (thrown) {
    return [unknownRow('confirm', 'proofs', 'proof endpoints', { thrown, source })]
  }
}

async function prove(clients: Clients): Promise<{ proof: ValidatorProof; timestampSeconds: bigint }> {
  const [first, latest] = await Promise.all([
    getValidator(clients.node, { state: 'head', id: 0 }),
    getBlock(clients.execution, { block: 'latest' }),
  ])
  if (first === undefined || latest === undefined) {
    const endpoint = clients.node.label
    throw new ClientError('not-found', { service: 'node API', endpoint, what: 'validator 0 at the head' })
  }
  const timestampSeconds = latest.timestamp
  const at = { index: 0, pubkey: first.validator.pubkey, nextBlockTimestampSeconds: timestampSeconds }
  return { proof: await proveValidator(clients.node, at), timestampSeconds }
}

type Asked = Parameters<typeof isAnchored>[1]

async function anchorRow(
  [id, label]: readonly [string, string],
  client: ExecutionClient,
  asked: Asked,
): Promise<ReportRow> {
  const source = client.label
  try {
    const holds = await isAnchored(client, asked)
    if (holds === undefined)
      return doctorRow('confirm', id, label, {
        mark: 'unknown',
        value: 'holds no root for that block',
        source,
      })
    const value = holds ? 'holds the same root' : 'holds another root'
    const fix = 'both clients must be of one chain: check rpc-dial-url in config/app.toml'
    return doctorRow('confirm', id, label, { mark: holds ? 'proven' : 'refused', value, source, fix })
  } catch (thrown) {
    return unknownRow('confirm', id, label, { thrown, source })
  }
}
