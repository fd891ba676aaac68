import { ClientError, isSilence } from '../../core/base/errors/client.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import type { SignedDeposit } from '../../core/chain/deposit/credentials.ts'
import { verifyByPrecompile } from '../../core/chain/deposit/precompile.ts'
import { realDeposit } from '../../core/chain/deposit/self-test.ts'
import type { NodeSetup, Setup } from '../../core/chain/facts.ts'
import { percentOf } from '../../core/chain/light/light-client.ts'
import { offeredValue } from '../../core/chain/network/offered.ts'
import { askFinality, askHealth, askPeers } from '../../core/clients/ask-as-service.ts'
import { call as ethCall } from '../../core/clients/execution/call.ts'
import { getPeerCount } from '../../core/clients/execution/chain.ts'
import { clientsOf, observe } from '../../core/observe/context.ts'
import { judgeNode, mayBeOneNode } from '../../core/observe/findings.ts'
import { HEALTH_FACTS } from '../../core/steps/identity/facts.ts'
import { IDENTITY_TEXT } from '../../core/steps/identity/text.ts'
import { EVIDENCE_TEXT } from '../../core/view/evidence-text.ts'
import { known, type Observation } from '../../core/view/observation.ts'
import { tableRows } from '../../core/view/rows.ts'
import type { Call } from '../command.ts'
import { reportRows } from '../report.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './doctor-row.ts'
import { DOCTOR_TEXT as TEXT } from './text.ts'

/** Returns how many peers the execution client has. A network of one node has none, and needs none. */
export async function peerRow(call: Call, setup: Setup): Promise<ReportRow> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const shape = ['status', 'execution-peers'] as const
  const source = endpointName(setup.endpoints.execution)
  const next = TEXT.peers.change
  try {
    const count = await getPeerCount(execution)
    const counts = { engine: undefined, node: count }
    const mark = judgeNode('peers', counts, setup.network) === false ? 'refused' : 'proven'
    const value = count === 0 && mark === 'proven' ? TEXT.peers.alone : String(count)
    return doctorRow(...shape, { mark, value, source, next, numbers: { count } })
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-offered')
      return unknownRow(...shape, { thrown, source })
    return doctorRow(...shape, { mark: 'unasked', value: TEXT.notSaid, source })
  }
}

/** Returns what node and engine say of their own state, in the rows of the second step. */
export async function vitalityRows(call: Call, setup: NodeSetup): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const node = endpointName(endpoints.node)
  const [health, finality, peers] = await Promise.all([
    answerTo(call, node, () => askHealth(clients)),
    answerTo(call, node, () => askFinality(clients, network.spec.slotsPerEpoch)),
    answerTo(call, endpointName(endpoints.engine), () => askPeers(clients)),
  ])
  const rows = tableRows(HEALTH_FACTS, IDENTITY_TEXT.health, { health, finality, peers }, { setup })
  return [...reportRows('identity', rows), ...fewPeersRows(offeredValue(known(peers))?.engine, setup)]
}

/** So many peers the network's support asks for at least. */
const LEAST_PEERS = 3

/** Told where the engine has some peers, and fewer than the network's support asks for; that it has none is refused elsewhere. */
function fewPeersRows(count: number | undefined, { network, endpoints }: NodeSetup): ReportRow[] {
  if (count === undefined || count === 0 || count >= LEAST_PEERS || mayBeOneNode(network)) return []
  const source = endpointName(endpoints.engine)
  const value = TEXT.peers.few(count, LEAST_PEERS)
  return [
    doctorRow('identity', 'few-peers', {
      mark: 'given',
      value,
      source,
      next: TEXT.peers.more,
      numbers: { count },
    }),
  ]
}

async function answerTo<T>(call: Call, source: string, ask: () => Promise<T>): Promise<Observation<T>> {
  let last: Observation<T> = { status: 'unasked' }
  const context = { effects: call.effects, signal: call.io.signal }
  await observe(context, source, ask, async (observation) => {
    last = observation
  })
  return last
}

/** Whether the execution client's curve precompiles accept a real deposit and refuse the same over another amount. */
export async function precompileRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const source = endpointName(setup.endpoints.execution)
  const shape = ['sign', 'precompiles'] as const
  const next = TEXT.precompiles.change
  try {
    const deposit = realDeposit()
    let silent: unknown
    const callOf: typeof ethCall = (client, question) =>
      ethCall(client, question).catch((thrown: unknown) => {
        if (isSilence(thrown)) silent = thrown
        throw thrown
      })
    const ask = (each: SignedDeposit) =>
      verifyByPrecompile(each, (to, data) => callOf(execution, { to, data }))
    const [good, altered] = await Promise.all([
      ask(deposit),
      ask({ ...deposit, amountGwei: deposit.amountGwei + 1n }),
    ])
    // One that gives no answer says nothing of its rules.
    if (silent !== undefined) return [unknownRow(...shape, { thrown: silent, source })]
    if (good.verdict === 'unknown')
      return [doctorRow(...shape, { mark: 'unknown', value: good.words, source, next })]
    const right = good.verdict === 'accepted' && altered.verdict === 'refused'
    const value = TEXT.precompiles[right ? 'right' : 'wrong']
    return [doctorRow(...shape, { mark: right ? 'proven' : 'refused', value, source, next })]
  } catch (thrown) {
    return [unknownRow(...shape, { thrown, source })]
  }
}

/** Whether the newest block is signed by the validator set, as far as an engine serves it; that none does is no fault. */
export async function signedRow(call: Call, setup: NodeSetup): Promise<ReportRow> {
  const { signed } = clientsOf({ effects: call.effects, setup })
  const shape = ['confirm', 'signed'] as const
  const source = endpointName(setup.endpoints.engine)
  const height = await signed.claimedHeight()
  const found = height === undefined ? undefined : await signed.blockAt(height)
  const { trust, why = TEXT.signed.silent, fault, isFileDamaged } = signed.standing()
  const damaged = isFileDamaged ? TEXT.signed.damaged : ''
  if (found?.is === 'contradicted')
    return doctorRow(...shape, { mark: 'refused', value: found.why, source, next: TEXT.signed.change })
  if (found?.is !== 'signed' || trust === undefined)
    return doctorRow(...shape, {
      mark: fault === undefined || fault === 'not-offered' ? 'unasked' : 'unknown',
      value: `${TEXT.signed.none(why)}${damaged}`,
      source,
    })
  const { share, by, height: signedHeight } = found.block
  const words = EVIDENCE_TEXT.signed({ percent: percentOf(share), height: signedHeight, by, leftOut: [] })
  const value = `${words}, ${TEXT.signed.since(trust)}${damaged}`
  return doctorRow(...shape, { mark: 'proven', value, source: by })
}
