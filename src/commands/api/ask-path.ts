import type { NodeClient } from '../../core/clients/node/client.ts'
import { getDebugState } from '../../core/clients/node/get-debug-state.ts'
import { badUsage } from '../../core/errors/usage.ts'
import { safeText } from '../../core/format/text.ts'
import type { Network } from '../../core/network/network.ts'
import type { BeaconState } from '../../core/proofs/beacon-state.ts'
import type { NodeClients } from '../../core/steps/clients-of.ts'
import type { Claim } from './anchor.ts'
import { type Answer, found } from './answer.ts'
import { engineRoute } from './engine-routes.ts'
import { executionRoute } from './execution-routes.ts'
import { nodeRoute } from './node-routes.ts'
import { decodedParts, stateIdOf } from './path-parts.ts'
import { askProof, refuseOddProof } from './proof-routes.ts'
import { stateClaim } from './whole-state.ts'

/** A question that was asked. `claim` is what --verify checks, where there is something to check. */
export type Asked = {
  path: string
  service: 'node API' | 'engine RPC' | 'execution RPC'
  endpoint: string
  typed: boolean
  answer: Answer
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

/** Asks the service that a path belongs to. Throws a `ClientError`, or `usage.option` for a path with no meaning. */
export async function askPath(question: Question): Promise<Asked> {
  const { path, network, argument } = question
  if (!path.startsWith('/')) return askExecution(question)
  if (argument !== undefined) {
    const next = 'Put it into the path, or into its query.'
    throw badUsage({ sentence: 'A path takes no argument.', found: safeText(argument, 80), next })
  }
  const url = readPath(path)
  const namespace = network.names.proofNamespace
  refuseOddProof(url.pathname, network)
  const forNode = ['/eth/', '/cometbft/', `/${namespace}/`].some((start) => url.pathname.startsWith(start))
  return forNode ? askNode(question, url, namespace) : askEngine(question, url)
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

async function askExecution({ clients, network, path, argument }: Question): Promise<Asked> {
  const client = clients.execution
  const { depositContract } = network.spec
  const answer = await executionRoute(path)({ client, depositContract, argument })
  const shape = { service: 'execution RPC', endpoint: client.label, typed: true } as const
  return { path, ...shape, answer, claim: undefined }
}

async function askEngine({ clients, path }: Question, url: URL): Promise<Asked> {
  const client = clients.engine
  const route = engineRoute(url.pathname, url.searchParams)
  const shape = { path, service: 'engine RPC', endpoint: client.label, claim: undefined } as const
  if (route !== undefined) return { ...shape, typed: true, answer: await route(client) }
  const query = [...url.searchParams]
  const raw = client.ask({ method: url.pathname.slice(1), query, decode: (value) => value })
  return { ...shape, typed: false, answer: await found(raw) }
}

async function askNode({ clients, path, body }: Question, url: URL, namespace: string): Promise<Asked> {
  const client = clients.node
  const shape = { path, service: 'node API', endpoint: client.label } as const
  const proof = await askProof(client, url.pathname, namespace)
  if (proof === 'absent') return { ...shape, typed: true, answer: { kind: 'absent' }, claim: undefined }
  if (proof !== undefined) {
    const claim = async () => proof
    return { ...shape, typed: true, answer: { kind: 'found', value: proof.answer }, claim }
  }
  const [, state] = DEBUG_STATE.exec(url.pathname) ?? []
  if (state !== undefined) return askState(client, state, shape)
  const route = nodeRoute(body === undefined ? 'GET' : 'POST', url.pathname)
  const query = url.searchParams
  if (route !== undefined) {
    const answer = await route.ask({ client, parts: route.parts, query, body })
    return { ...shape, typed: true, answer, claim: undefined }
  }
  if (body !== undefined)
    throw badUsage({ sentence: 'This path takes no --body.', next: 'Leave --body out.' })
  const parts = decodedParts(url.pathname.slice(1).split('/'))
  const raw = client.ask({ path: parts, query: [...query], decode: (value) => value })
  return { ...shape, typed: false, answer: await found(raw), claim: undefined }
}

async function askState(
  client: NodeClient,
  id: string,
  shape: Pick<Asked, 'path' | 'service' | 'endpoint'>,
): Promise<Asked> {
  const value: BeaconState = await getDebugState(client, { state: stateIdOf(id) })
  return {
    ...shape,
    typed: true,
    answer: { kind: 'found', value },
    claim: () => stateClaim(client, value),
  }
}
