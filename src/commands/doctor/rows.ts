import { BaseError } from '../../core/base/errors/base.ts'
import { type ClientError, isSilence } from '../../core/base/errors/client.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { NamedForks } from '../../core/chain/consensus/fork-outlook.ts'
import type { SignedDeposit } from '../../core/chain/deposit/credentials.ts'
import { verifyByPrecompile } from '../../core/chain/deposit/precompile.ts'
import { realDeposit } from '../../core/chain/deposit/self-test.ts'
import type { NodeSetup, Setup } from '../../core/chain/facts.ts'
import { findNodeTool, toolVersion } from '../../core/chain/identity/run-tool.ts'
import { percentOf } from '../../core/chain/light/light-client.ts'
import { offeredValue } from '../../core/chain/network/offered.ts'
import { PRESETS } from '../../core/chain/network/presets.ts'
import { askFinality, askHealth, askPeers } from '../../core/clients/ask-as-service.ts'
import { call as ethCall } from '../../core/clients/execution/call.ts'
import { getClientVersion, getEthConfig, getPeerCount } from '../../core/clients/execution/chain.ts'
import { clientsOf } from '../../core/observe/context.ts'
import { judgeNode, mayBeOneNode } from '../../core/observe/findings.ts'
import { claimFits, claimText, type DepositClaim } from '../../core/steps/genesis/facts.ts'
import { HEALTH_FACTS } from '../../core/steps/identity/facts.ts'
import { known } from '../../core/view/observation.ts'
import { drawRows } from '../../core/view/rows.ts'
import { EVIDENCE_TEXT } from '../../core/view/text.ts'
import { type Call, toolFault } from '../command.ts'
import { reportRows } from '../report.ts'
import type { ReportRow } from '../report-lines.ts'
import { answerTo } from '../setup.ts'
import { askedRow, type DoctorPart, doctorRow, forkRow } from './doctor-row.ts'

/**
 * What the execution client is configured for, where it says so: which deposit contract, on which chain, it takes deposits from
 * (`safety.md` #48), and whether it lacks a fork. What the node says is a row of the first step.
 */
export async function configRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const { execution } = clientsOf({ effects: call.effects, setup })
  const { endpoints, network } = setup
  const { label, executionChainId, spec } = network
  let forks: NamedForks | undefined
  const ask = async (): Promise<DoctorPart> => {
    const found = await getEthConfig(execution)
    forks = found.forks
    const contracts = found.depositContract === undefined ? [] : [found.depositContract]
    const claim: DepositClaim = { chainIds: [found.chainId], contracts }
    return {
      mark: claimFits(claim, network) ? 'proven' : 'refused',
      value: claimText(claim, network),
      next: `start it for ${label}: chain ${executionChainId}, contract ${spec.depositContract}`,
    }
  }
  const source = endpointName(endpoints.execution)
  const contract = await askedRow('genesis', 'execution-contract', { source, isOptional: true, ask })
  return forks === undefined ? [contract] : [contract, await forkRow('genesis', forks, { call, setup })]
}

/** What a client of the kind that the built-in networks have given up calls itself. */
const RETIRED = /^(?:bera-?)?geth\b/i

/**
 * Returns the name and version of the execution client, by its own public answer: the script of the network's support asks for the
 * same with the JWT secret. On a built-in network one that follows the chain no more is refused.
 */
export function clientRow({ effects }: Call, setup: Setup): Promise<ReportRow> {
  const { endpoints, network } = setup
  const { execution } = clientsOf({ effects, setup })
  const ask = async (): Promise<DoctorPart> => {
    const found = await getClientVersion(execution)
    const version = safeText(found, 60)
    if (!PRESETS.some(({ id }) => id === network.id) || !RETIRED.test(found))
      return { mark: 'given', value: version }
    return {
      mark: 'refused',
      value: `${version}: operators of this network run bera-reth now; a client of this kind stopped following at its last fork, without a word`,
      next: 'install bera-reth, and let it sync',
    }
  }
  const source = endpointName(endpoints.execution)
  return askedRow('status', 'execution-client', { source, isOptional: true, ask })
}

/**
 * Returns the version that the node tool prints, for which the script of the network's support asks first; no row where there is no
 * tool.
 */
export async function toolVersionRows({ effects }: Call, { network }: Setup): Promise<ReportRow[]> {
  const tool = await findNodeTool(effects, network.names.nodeTool)
  if (tool === undefined) return []
  const row = (part: DoctorPart) => doctorRow('identity', 'tool-version', { ...part, source: tool.path })
  try {
    const version = await toolVersion(tool)
    if (version !== '') return [row({ mark: 'given', value: version })]
    return [
      row({
        mark: 'unasked',
        value: 'it prints none: look at the name of the release that you installed',
      }),
    ]
  } catch (thrown) {
    if (thrown instanceof BaseError) return [row(toolFault(thrown))]
    throw thrown
  }
}

/** Returns how many peers the execution client has. A network of one node has none, and needs none. */
export function peerRow({ effects }: Call, setup: Setup): Promise<ReportRow> {
  const { execution } = clientsOf({ effects, setup })
  const ask = async (): Promise<DoctorPart> => {
    const count = await getPeerCount(execution)
    const isFew = judgeNode('peers', { engine: undefined, node: count }, setup.network) === false
    return {
      mark: isFew ? 'refused' : 'proven',
      value: count === 0 && !isFew ? '0, as in a network of one node' : String(count),
      next: "give the execution client the network's bootnodes; open port 30303",
      numbers: { count },
    }
  }
  const source = endpointName(setup.endpoints.execution)
  return askedRow('status', 'execution-peers', { source, isOptional: true, ask })
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
  const rows = drawRows(HEALTH_FACTS, { health, finality, peers }, { setup })
  return [...reportRows('identity', rows), ...fewPeersRows(offeredValue(known(peers))?.engine, setup)]
}

/** So many peers the network's support asks for at least. */
const LEAST_PEERS = 3

/** Told where the engine has some peers, and fewer than the network's support asks for; that it has none is refused elsewhere. */
function fewPeersRows(count: number | undefined, { network, endpoints }: NodeSetup): ReportRow[] {
  if (count === undefined || count === 0 || count >= LEAST_PEERS || mayBeOneNode(network)) return []
  return [
    doctorRow('identity', 'few-peers', {
      mark: 'given',
      value: `engine ${count}; should be at least ${LEAST_PEERS}: one that goes away leaves the node alone`,
      source: endpointName(endpoints.engine),
      next: 'look at seeds, pex and external_address in config/config.toml, and at port 26656',
      numbers: { count },
    }),
  ]
}

/** Whether the execution client's curve precompiles accept a real deposit and refuse the same over another amount. */
export function precompileRow({ effects }: Call, setup: Setup): Promise<ReportRow> {
  const { execution } = clientsOf({ effects, setup })
  const next = 'use an execution client with the rules of Prague or later (EIP-2537)'
  const ask = async (): Promise<DoctorPart> => {
    const deposit = realDeposit()
    let silent: ClientError | undefined
    const callOf: typeof ethCall = (client, question) =>
      ethCall(client, question).catch((thrown: unknown) => {
        if (isSilence(thrown)) silent = thrown
        throw thrown
      })
    const verify = (each: SignedDeposit) =>
      verifyByPrecompile(each, (to, data) => callOf(execution, { to, data }))
    const [good, altered] = await Promise.all([
      verify(deposit),
      verify({ ...deposit, amountGwei: deposit.amountGwei + 1n }),
    ])
    // One that gives no answer says nothing of its rules.
    if (silent !== undefined) throw silent
    if (good.verdict === 'unknown') return { mark: 'unknown', value: good.words, next }
    return good.verdict === 'accepted' && altered.verdict === 'refused'
      ? { mark: 'proven', value: 'accept a real deposit, refuse an altered one', next }
      : { mark: 'refused', value: 'judge a real deposit wrongly', next }
  }
  return askedRow('sign', 'precompiles', { source: endpointName(setup.endpoints.execution), ask })
}

/** Whether the newest block is signed by the validator set, as far as an engine serves it; that none does is no fault. */
export async function signedRow(call: Call, setup: NodeSetup): Promise<ReportRow> {
  const { signed } = clientsOf({ effects: call.effects, setup })
  const row = (part: DoctorPart, source = endpointName(setup.endpoints.engine)) =>
    doctorRow('confirm', 'signed', { ...part, source })
  const height = await signed.claimedHeight()
  const found = height === undefined ? undefined : await signed.blockAt(height)
  const { trust, why = 'no engine answered', fault, isFileDamaged } = signed.standing()
  const damaged = isFileDamaged ? '; the file of the trusted header was damaged, so trust began anew' : ''
  if (found?.is === 'contradicted')
    return row({
      mark: 'refused',
      value: found.why,
      next: 'the engine shows blocks that the validator set didn’t sign: give another --engine',
    })
  if (found?.is !== 'signed' || trust === undefined)
    return row({
      mark: fault === undefined || fault === 'not-offered' ? 'unasked' : 'unknown',
      value: `no signed blocks to check: ${why}${damaged}`,
      next: 'a guard then needs both execution endpoints; to act while your node hangs, two that your node doesn’t feed',
    })
  const { share, by, height: signedHeight } = found.block
  const words = EVIDENCE_TEXT.signed({ percent: percentOf(share), height: signedHeight, by, leftOut: [] })
  const since =
    trust.from === 'genesis'
      ? 'followed from the genesis set'
      : `followed from a state that ${trust.from} proved`
  return row({ mark: 'proven', value: `${words}, ${since}${damaged}` }, by)
}
