import { ClientError } from '../core/base/errors/client.ts'
import { homeError } from '../core/base/errors/home.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { asksAsRealMoney } from '../core/chain/network/network.ts'
import type { EngineAndHead } from '../core/clients/engine-and-head.ts'
import type { ExecutionClient } from '../core/clients/execution/client.ts'
import { isAnchored, proveAtHead } from '../core/clients/prove-validator.ts'
import { type Clients, clientsOf, observe } from '../core/observe/context.ts'
import { type Picture, replyIn } from '../core/observe/observer.ts'
import { runGenesis } from '../core/steps/genesis/commands.ts'
import { genesisTransition, initialGenesis } from '../core/steps/genesis/machine.ts'
import { identityKey } from '../core/steps/identity/state.ts'
import { identityView } from '../core/steps/identity/view.ts'
import { backupRows } from '../core/steps/status/checklist.ts'
import { readBackup } from '../core/steps/status/commands.ts'
import { known } from '../core/view/observation.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import { clientRow, configRows, toolVersionRows } from './doctor/config-rows.ts'
import { doctorRow, unknownRow } from './doctor/doctor-row.ts'
import { headRows, hearFirst } from './doctor/head-rows.ts'
import { peerRow, precompileRows, signedRow, vitalityRows } from './doctor/row.ts'
import { settingRows } from './doctor/settings.ts'
import { keyOfHome, standbyRows } from './doctor/standby.ts'
import { DOCTOR_TEXT as TEXT } from './doctor/text.ts'
import { genesisReport } from './genesis.ts'
import { askKeys, findingRows } from './home-rows.ts'
import { keyReport, notAskedRow, VERDICT } from './key-chain-rows.ts'
import { type NamedValidator, namedValidator } from './outlook-rows.ts'
import { asRefused, reportRows, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { readOnlyContext, setupOf } from './setup.ts'

/** The command `doctor`. */
export const doctor = commandOf('doctor', run)

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const isStandby = call.flags.has('standby')
  const rows = await (isStandby ? standbyRows : doctorRows)(call, setup)
  const sentence = isStandby ? TEXT.standby.sentence : TEXT.sentence
  const { id: network } = setup.network
  return tellReport({ document: 'doctor', network, rows, sentence, data: {} }, call)
}

/** All that is looked at, row by row. Throws as `namedValidator`. */
export async function doctorRows(call: Call, setup: NodeSetup): Promise<ReportRow[]> {
  const named = await namedValidator(call, setup)
  const picture = hearFirst(call, setup)
  const groups = await Promise.all([
    picture.then((picture) => chain(call, setup, picture)),
    picture.then((picture) => home(call, setup, picture)),
    configRows(call, setup),
    picture.then((picture) => headRows(call, setup, picture)),
    peerRow(call, setup),
    clientRow(call, setup),
    toolVersionRows(call, setup),
    vitalityRows(call, setup),
    signedRow(call, setup),
    precompileRows(call, setup),
    picture.then((picture) => proofRows(call, setup, picture)),
    named === undefined ? [] : keyReport(call, setup, named).then(({ rows }) => rows),
    homeKeyRows(call, setup, named),
    settingRows(call, setup),
  ])
  return groups.flat()
}

async function chain(call: Call, setup: NodeSetup, picture: Picture<EngineAndHead>): Promise<ReportRow[]> {
  let state = initialGenesis
  await runGenesis(
    readOnlyContext(call, setup, (event: Parameters<typeof genesisTransition>[1]) => {
      const [next] = genesisTransition(state, event)
      state = next
    }),
    picture,
  )
  return genesisReport(state, setup).rows
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
  const { effects, io, options } = call
  const { backup: path } = options
  if (path === undefined) return []
  let observed: Parameters<typeof backupRows>[0] = { status: 'unasked' }
  const ask = async () => {
    if (pubkey === undefined) throw homeError('doctor.no-key')
    return readBackup({ effects, setup }, { path, pubkey })
  }
  await observe({ effects, signal: io.signal }, 'this computer', ask, async (observation) => {
    observed = observation
  })
  return backupRows(observed).map((each) => {
    const { explain: _, learntAtMs: __, ...row } = each
    return { ...row, step: 'identity' }
  })
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
  if (own === undefined) return named === undefined ? [notAskedRow(TEXT.noKey)] : []
  const { rows } = await keyReport(call, setup, { pubkey: own, by: undefined })
  if (named === undefined) return rows
  return rows
    .filter(({ id }) => id === VERDICT.id)
    .map((row) => ({ ...row, id: 'homeVerdict', label: TEXT.labels.homeVerdict, long: own }))
}

const KEY_ROWS = ['key', 'engine', 'standby', 'toolKeys', 'toolStatus'] as const
/** By whom the root of a proof is confirmed: a row each. */
const ANCHORS = ['anchor', 'second-anchor'] as const

/** Whether the proof endpoints work and end in roots that the execution chain holds, tried on the first validator. */
export async function proofRows(
  call: Call,
  setup: Setup,
  picture: Picture<EngineAndHead>,
): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const source = endpointName(endpoints.node)
  try {
    const { proof, timestampSeconds } = await prove(clients, picture)
    const next = TEXT.proofs.change
    const holds = doctorRow('confirm', 'proofs', {
      mark: proof.verdict.ok ? 'proven' : 'refused',
      value: proof.verdict.ok ? TEXT.proofs.hold(proof.slot) : TEXT.proofs.fail(proof.verdict.reason),
      source,
      next,
    })
    const { execution, second } = clients
    // The root of a proof that does not hold is none of the chain's: no endpoint is to blame that it has another one.
    if (!proof.verdict.ok) return [holds, ...unanchoredRows([execution, second])]
    const asked = { timestampSeconds, blockRoot: proof.blockRoot }
    const [anchor, secondAnchor] = await Promise.all([
      anchorRow(ANCHORS[0], execution, asked),
      second && anchorRow(ANCHORS[1], second, asked),
    ])
    if (secondAnchor !== undefined) return [holds, anchor, secondAnchor]
    const missing = doctorRow('confirm', 'second-anchor', {
      mark: asksAsRealMoney(network) ? 'unknown' : 'unasked',
      value: TEXT.anchor.noSecond,
      source: '',
      next: TEXT.anchor.give(network.publicExecution),
    })
    return [holds, anchor, missing]
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
  throw new ClientError('not-found', { service: 'node API', endpoint, what: TEXT.validatorAtHead })
}

/** The anchors of a proof that does not hold, in their order. */
function unanchoredRows(clients: readonly (ExecutionClient | undefined)[]): ReportRow[] {
  return clients.flatMap((client, at) => {
    const id = ANCHORS[at]
    if (client === undefined || id === undefined) return []
    const value = TEXT.anchor.noRoot
    return [doctorRow('confirm', id, { mark: 'unknown', value, source: endpointName(client.label) })]
  })
}

type AnchorInput = Parameters<typeof isAnchored>[1]

async function anchorRow(
  id: (typeof ANCHORS)[number],
  client: ExecutionClient,
  asked: AnchorInput,
): Promise<ReportRow> {
  const source = endpointName(client.label)
  try {
    const holds = await isAnchored(client, asked)
    if (holds === undefined)
      return doctorRow('confirm', id, {
        mark: 'unknown',
        value: TEXT.anchor.none,
        source,
      })
    const value = holds ? TEXT.anchor.same : TEXT.anchor.other
    const next = TEXT.anchor.change
    return doctorRow('confirm', id, { mark: holds ? 'proven' : 'refused', value, source, next })
  } catch (thrown) {
    return unknownRow('confirm', id, { thrown, source })
  }
}
