import { badUsage } from '../../core/base/errors/base.ts'
import { sameHex } from '../../core/base/format/hex.ts'
import { nearWord } from '../../core/base/format/near-word.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { Network } from '../../core/chain/network/network.ts'
import type { BeaconState } from '../../core/chain/proofs/beacon-state.ts'
import type { ProofVerdict } from '../../core/chain/proofs/verify.ts'
import type { NodeClient } from '../../core/clients/node/client.ts'
import { getDebugState } from '../../core/clients/node/debug-state.ts'
import { getBlockProposerProof } from '../../core/clients/node/validator-proofs.ts'
import type { NodeClients } from '../../core/observe/context.ts'
import type { Claim } from './anchor.ts'
import { ENGINE_RPC, EXECUTION_RPC, found, NODE_API, type PathReply } from './endpoints.ts'
import { askProof, namesProof, refuseOddProof } from './proof-routes.ts'
import { decodedParts, requireQuery, stateIdOf } from './read-parts.ts'

/**
 * A whole state as something to be proven: its hash tree root, computed here, must be the state root of the header of
 * its slot. Throws a `ClientError`.
 */
async function stateClaim(client: NodeClient, state: BeaconState): Promise<Claim> {
  const moment = { slot: state.slot }
  const { header, claimedRoot } = await getBlockProposerProof(client, { moment })
  const verdict = async (): Promise<ProofVerdict> => {
    const [{ useFastHasher }, { stateRoot }] = await Promise.all([
      import('../../core/chain/deposit/fast-hasher.ts'),
      import('../../core/chain/proofs/merkle.ts'),
    ])
    await useFastHasher()
    const same = sameHex(await stateRoot(state, rest), header.stateRoot)
    return same ? { ok: true } : { ok: false, reason: 'does-not-reach-the-root' }
  }
  return { header, claimedRoot, moment, verdict }
}

/** Lets a signal through between two parts of the work. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A question that was asked. `claim` is what --verify checks, where there is something to check. */
export type PathResult = {
  path: string
  service: 'node API' | 'engine RPC' | 'execution RPC'
  endpoint: string
  typed: boolean
  reply: PathReply
  claim: (() => Promise<Claim>) | undefined
}

type Question = {
  clients: NodeClients
  network: Network
  path: string
  argument: string | undefined
  body: string | undefined
}

const DEBUG_STATE = /^\/eth\/v2\/debug\/beacon\/states\/([^/]+)$/

/** Returns the service that a path or the name of a call belongs to. */
export function serviceOf(path: string, { names }: Network): PathResult['service'] {
  if (!path.startsWith('/')) return 'execution RPC'
  const starts = ['/eth/', '/cometbft/', `/${names.proofNamespace}/`]
  return starts.some((start) => path.startsWith(start)) ? 'node API' : 'engine RPC'
}

/** Asks the service that a path belongs to. Throws a `ClientError`, or `usage.option` for a path with no meaning. */
export async function askPath(question: Question): Promise<PathResult> {
  const { path, network, argument, body } = question
  const service = serviceOf(path, network)
  if (body !== undefined && service !== 'node API') throw noBody()
  if (service === 'execution RPC') return askExecution(question)
  if (argument !== undefined) {
    const next = 'Put it into the path, or into its query.'
    throw badUsage({ sentence: 'A path takes no argument.', found: safeText(argument, 80), next })
  }
  const url = readPath(path)
  refuseOddProof(url.pathname, network)
  return service === 'node API'
    ? askNode(question, url, network.names.proofNamespace)
    : askEngine(question, url)
}

function noBody(): Error {
  return badUsage({ sentence: 'This path takes no --body.', next: 'Leave --body out.' })
}

function readPath(path: string): URL {
  const base = 'http://node.invalid'
  if (URL.canParse(path, base) && new URL(path, base).origin === base) return new URL(path, base)
  throw badUsage({
    sentence: 'This is no path.',
    found: safeText(path, 120),
    next: 'Write it as /eth/v1/beacon/genesis.',
  })
}

async function askExecution({ clients, network, path, argument }: Question): Promise<PathResult> {
  const client = clients.execution
  const endpoint = EXECUTION_RPC.find(({ name }) => name === path)
  if (endpoint === undefined) throw noSuchCall(path)
  const [takes] = endpoint.takes
  if (takes === undefined && argument !== undefined) {
    const sentence = `${path} takes no argument.`
    throw badUsage({ sentence, found: safeText(argument, 80), next: 'Leave it out.' })
  }
  const { depositContract } = network.spec
  const reply = await endpoint.ask({ client, depositContract, argument })
  const shape = { service: 'execution RPC', endpoint: client.label, typed: true } as const
  return { path, ...shape, reply, claim: undefined }
}

function noSuchCall(path: string): Error {
  const names = EXECUTION_RPC.map(({ name }) => name)
  const near = nearWord(path, names)
  return badUsage({
    sentence: 'There is no such question to the execution client here.',
    found: safeText(path, 60),
    ...(near === undefined ? {} : { near }),
    next: `Ask one of ${names.join(', ')}; a path begins with a slash.`,
  })
}

async function askEngine({ clients, path }: Question, url: URL): Promise<PathResult> {
  const client = clients.engine
  const query = url.searchParams
  const endpoint = ENGINE_RPC.find(({ name }) => name === url.pathname)
  const shape = { path, service: 'engine RPC', endpoint: client.label, claim: undefined } as const
  if (endpoint !== undefined) {
    requireQuery(query, endpoint.takes)
    return { ...shape, typed: true, reply: await endpoint.ask({ client, query }) }
  }
  const raw = client.ask({ method: url.pathname.slice(1), query: [...query], decode: (value) => value })
  return { ...shape, typed: false, reply: await found(raw) }
}

async function askNode({ clients, path, body }: Question, url: URL, namespace: string): Promise<PathResult> {
  const client = clients.node
  const query = url.searchParams
  const shape = { path, service: 'node API', endpoint: client.label } as const
  const [, state] = DEBUG_STATE.exec(url.pathname) ?? []
  if (state !== undefined || namesProof(url.pathname, namespace)) {
    requireQuery(query, [])
    if (body !== undefined) throw noBody()
  }
  const proof = await askProof(client, url.pathname, namespace)
  if (proof === 'absent') return { ...shape, typed: true, reply: { kind: 'absent' }, claim: undefined }
  if (proof !== undefined) {
    const claim = async () => proof
    return { ...shape, typed: true, reply: { kind: 'found', value: proof.reply }, claim }
  }
  if (state !== undefined) return askState(client, state, shape)
  const call = nodeCall(body === undefined ? 'GET' : 'POST', url.pathname)
  if (call !== undefined) {
    requireQuery(query, call.takes)
    const reply = await call.ask({ client, parts: call.parts, query, body })
    return { ...shape, typed: true, reply, claim: undefined }
  }
  if (body !== undefined) throw noBody()
  const parts = decodedParts(url.pathname.slice(1).split('/'))
  const raw = client.ask({ path: parts, query: [...query], decode: (value) => value })
  return { ...shape, typed: false, reply: await found(raw), claim: undefined }
}

/** The call of the table that a path is of, with the parts that stand for a colon. Throws `usage.option`. */
function nodeCall(method: 'GET' | 'POST', path: string) {
  for (const endpoint of NODE_API) {
    const pattern = new RegExp(`^${endpoint.name.replaceAll(':', '([^/]+)')}$`)
    const match = endpoint.method === method ? pattern.exec(path) : null
    if (match !== null) return { ...endpoint, parts: decodedParts(match.slice(1)) }
  }
  return undefined
}

async function askState(
  client: NodeClient,
  id: string,
  shape: Pick<PathResult, 'path' | 'service' | 'endpoint'>,
): Promise<PathResult> {
  const value: BeaconState = await getDebugState(client, { state: stateIdOf(id) })
  return {
    ...shape,
    typed: true,
    reply: { kind: 'found', value },
    claim: () => stateClaim(client, value),
  }
}
