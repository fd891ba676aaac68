import { ClientError, type ClientFault, type Service } from '../errors/client.ts'
import { endpointLabel } from '../format/endpoint-url.ts'
import { createEngineClient } from './engine/client.ts'
import { getEngineStatus } from './engine/get-status.ts'
import { createExecutionClient } from './execution/client.ts'
import { getChainId } from './execution/get-chain-id.ts'
import type { ClientEffects } from './http-client.ts'
import { createNodeClient } from './node/client.ts'
import { getGenesis } from './node/get-genesis.ts'

/** What is heard where another service listens at the address. */
const LOOKS_WRONG: readonly ClientFault[] = ['not-offered', 'malformed', 'bad-request']

type Asked = { effects: ClientEffects; service: Service; url: string }

/**
 * Asks what every service of this kind answers. Where it does not, the address is tried as the other two kinds, so that
 * a mixed-up address is told as one: throws a `ClientError` with `wrong-service` where another kind answers there, and
 * where the question is not even offered. Any other failure is thrown on.
 */
export async function askAsService<T>({ effects, service, url }: Asked, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || !LOOKS_WRONG.includes(thrown.fault)) throw thrown
    const answersLike = await serviceAt({ effects, service, url })
    if (answersLike === undefined && thrown.fault === 'malformed') throw thrown
    throw new ClientError('wrong-service', {
      service,
      endpoint: endpointLabel(url),
      what: 'what every service of this kind answers',
      details: thrown.details,
      cause: thrown,
      ...(answersLike === undefined ? {} : { answersLike }),
    })
  }
}

/** The kind of service that answers at an address where one of another kind was looked for. */
async function serviceAt({ effects, service, url }: Asked): Promise<Service | undefined> {
  const questions: Readonly<Record<Service, () => Promise<unknown>>> = {
    'execution RPC': () => getChainId(createExecutionClient(effects, url)),
    'node API': () => getGenesis(createNodeClient(effects, url, { proofNamespace: '' })),
    'engine RPC': () => getEngineStatus(createEngineClient(effects, url)),
  }
  for (const kind of Object.keys(questions) as Service[]) {
    if (kind !== service && (await answers(questions[kind]))) return kind
  }
  return undefined
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (thrown) {
    if (thrown instanceof ClientError) return false
    throw thrown
  }
}
