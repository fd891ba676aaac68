import { ClientError } from '../core/base/errors/client.ts'
import { homeError } from '../core/base/errors/home.ts'
import { notByProxy } from '../core/base/errors/http.ts'
import { formatCount } from '../core/base/format/amount.ts'
import { endpointName, proxyVariable } from '../core/base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { asksAsRealMoney } from '../core/chain/network/network.ts'
import type { EngineAndHead } from '../core/clients/engine-and-head.ts'
import type { ExecutionClient } from '../core/clients/execution/client.ts'
import { isAnchored, proveAtHead } from '../core/clients/prove-validator.ts'
import { type Clients, clientsOf } from '../core/observe/context.ts'
import { type Picture, replyIn } from '../core/observe/observer.ts'
import { identityKey } from '../core/steps/identity/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { backupRows } from '../core/steps/status/checklist.ts'
import { readBackup } from '../core/steps/status/commands.ts'
import { known } from '../core/view/observation.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import { askedRow, type DoctorPart, doctorRow, unknownRow } from './doctor/doctor-row.ts'
import { headRows, hearFirst } from './doctor/head-rows.ts'
import {
  clientRow,
  configRows,
  peerRow,
  precompileRow,
  signedRow,
  toolVersionRows,
  vitalityRows,
} from './doctor/rows.ts'
import { settingRows } from './doctor/settings.ts'
import { keyOfHome, standbyRows, standbySentence } from './doctor/standby.ts'
import { askGenesis, genesisReport } from './genesis.ts'
import { askKeys, findingRows } from './home-rows.ts'
import { keyReport, notAskedRow, VERDICT } from './key-chain-rows.ts'
import { type NamedValidator, namedValidator } from './outlook-rows.ts'
import { asRefused, type ReportEnding, reportRows, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { answerTo, setupOf } from './setup.ts'

/** The command `doctor`. */
export const doctor = commandOf('doctor', run)

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const isStandby = call.flags.has('standby')
  const rows = await (isStandby ? standbyRows : doctorRows)(call, setup)
  const sentence = isStandby ? standbySentence : sentenceOf
  const { id: network } = setup.network
  return tellReport({ document: 'doctor', network, rows, sentence, data: {} }, call)
}

function sentenceOf({ is, checks, bad, which, open }: ReportEnding): string {
  switch (is) {
    case 'yes':
      return `All ${checks} checks hold.`
    case 'no':
      return `${bad} of ${checks} checks ${bad === 1 ? 'refuses' : 'refuse'} (${which})${open === 0 ? '' : `; ${open} have no answer`}.`
    case 'unknown':
      return `${bad} of ${checks} checks ${bad === 1 ? 'has' : 'have'} no answer: ${which}.`
  }
}

/** All that is looked at, row by row. Throws as `namedValidator`. */
export async function doctorRows(call: Call, setup: NodeSetup): Promise<ReportRow[]> {
  const named = await namedValidator(call, setup)
  const picture = hearFirst(call, setup)
  const groups = await Promise.all([
    picture.then(async (picture) => genesisReport(await askGenesis(call, setup, picture), setup).rows),
    Promise.resolve(proxyRow(call)),
    picture.then((picture) => home(call, setup, picture)),
    configRows(call, setup),
    picture.then((picture) => headRows(call, setup, picture)),
    peerRow(call, setup),
    clientRow(call, setup),
    toolVersionRows(call, setup),
    vitalityRows(call, setup),
    signedRow(call, setup),
    precompileRow(call, setup),
    picture.then((picture) => proofRows(call, setup, picture)),
    named === undefined ? [] : keyReport(call, setup, named).then(({ rows }) => rows),
    homeKeyRows(call, setup, named),
    settingRows(call, setup),
  ])
  return groups.flat()
}

/** A proxy that is set and that nobody here is asked by; nothing where none is. */
function proxyRow({ environment }: Call): ReportRow[] {
  const variable = proxyVariable(environment)
  if (variable === undefined) return []
  return [
    doctorRow('genesis', 'proxy', { mark: 'given', value: notByProxy(variable), source: 'this computer' }),
  ]
}

async function home(call: Call, setup: NodeSetup, picture: Picture<EngineAndHead>): Promise<ReportRow[]> {
  const state = await askKeys(call, setup, { asksEngine: true, asksVotes: true, picture })
  const view = identityView(state, { status: 'open' }, setup)
  const { home: observation } = state.observed
  const unread = observation.status === 'failed' ? reportRows('identity', view.facts, ['home']) : []
  const keyRows = KEY_ROWS.flatMap((id) =>
    reportRows('identity', view.facts, [id]).map((row) => asRefused(row, state.observed[id])),
  )
  const backup = await keyBackup(call, setup, identityKey(state)?.pubkey)
  const asked = keyRows.filter((row) => row.mark !== 'unasked' || row.id.startsWith('tool'))
  return [...unread, ...asked, ...backup, ...findingRows(known(observation)?.findings)]
}

/** Of a file that was named: whether it is a copy of the key of the home. */
async function keyBackup(call: Call, setup: NodeSetup, pubkey: Hex | undefined): Promise<ReportRow[]> {
  const { backup: path } = call.options
  if (path === undefined) return []
  const observed = await answerTo(call, 'this computer', async () => {
    if (pubkey === undefined) throw homeError('doctor.no-key')
    return readBackup({ effects: call.effects, setup }, { path, pubkey })
  })
  return reportRows('identity', backupRows(observed))
}

/**
 * What the chain knows of the key of the home. Beside another validator that was named it is a line of its own: a home with
 * a key that must not be used is no good home, whomever else was asked about.
 */
async function homeKeyRows(
  call: Call,
  setup: NodeSetup,
  named: NamedValidator | undefined,
): Promise<readonly ReportRow[]> {
  const own = (await keyOfHome(call, setup))?.pubkey
  if (named !== undefined && own !== undefined && sameHex(named.pubkey, own)) return []
  if (own === undefined) return named === undefined ? [notAskedRow('no key is known')] : []
  const { rows } = await keyReport(call, setup, { pubkey: own, by: undefined })
  if (named === undefined) return rows
  return rows
    .filter(({ id }) => id === VERDICT.id)
    .map((row) => doctorRow('identity', 'homeVerdict', { ...row, long: own }))
}

const KEY_ROWS = ['key', 'engine', 'standby', 'toolKeys', 'toolStatus'] as const

/** Whether the proof endpoints work and end in roots that the execution chain holds, tried on the first validator. */
async function proofRows(call: Call, setup: Setup, picture: Picture<EngineAndHead>): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const source = endpointName(endpoints.node)
  try {
    const { proof, timestampSeconds } = await prove(clients, picture)
    const { verdict, slot, blockRoot } = proof
    const holds = doctorRow('confirm', 'proofs', {
      mark: verdict.ok ? 'proven' : 'refused',
      value: verdict.ok
        ? `key, credentials and balance hold, slot ${formatCount(slot)}`
        : `do not hold: ${verdict.reason}`,
      source,
      next: 'a proof that does not hold is a lie or a fault of the node: use another node API',
    })
    const { execution, second } = clients
    // The root of a proof that does not hold is none of the chain's: no endpoint is to blame that it has another one.
    const asked = verdict.ok ? { timestampSeconds, blockRoot } : undefined
    const anchors = await Promise.all([
      anchorRow('anchor', execution, asked),
      ...(second === undefined ? [] : [anchorRow('second-anchor', second, asked)]),
    ])
    if (second !== undefined || asked === undefined) return [holds, ...anchors]
    const known = network.publicExecution
    const missing = doctorRow('confirm', 'second-anchor', {
      mark: asksAsRealMoney(network) ? 'unknown' : 'unasked',
      value: 'no second execution endpoint was given',
      source: '',
      next: `give --second-execution of another operator${known === undefined ? '' : `, e.g. ${known}`}: a top-up needs it`,
    })
    return [holds, ...anchors, missing]
  } catch (thrown) {
    // The node is asked for what the execution endpoint names: either of them may be why it has no answer.
    const both = `${source}, ${endpointName(endpoints.execution)}`
    return [unknownRow('confirm', 'proofs', { thrown, source: both })]
  }
}

async function prove(
  clients: Clients,
  { latest }: Picture<EngineAndHead>,
): Promise<NonNullable<Awaited<ReturnType<typeof proveAtHead>>>> {
  const found = await proveAtHead(clients, { index: 0, head: replyIn(latest) })
  if (found !== undefined) return found
  const endpoint = clients.node.label
  throw new ClientError('not-found', { service: 'node API', endpoint, what: 'validator 0 at the head' })
}

/** By whom the root of a proof is confirmed; nothing is asked where the proof doesn't hold. */
function anchorRow(
  id: 'anchor' | 'second-anchor',
  client: ExecutionClient,
  asked: Parameters<typeof isAnchored>[1] | undefined,
): Promise<ReportRow> {
  const ask = async (): Promise<DoctorPart> => {
    if (asked === undefined)
      return { mark: 'unknown', value: 'no root to compare with: the proof does not hold' }
    const holds = await isAnchored(client, asked)
    if (holds === undefined) return { mark: 'unknown', value: 'holds no root for that block' }
    return {
      mark: holds ? 'proven' : 'refused',
      value: holds ? 'confirms the root' : 'names another root',
      next: 'both clients must be of one chain: check rpc-dial-url in config/app.toml',
    }
  }
  return askedRow('confirm', id, { source: endpointName(client.label), ask })
}
