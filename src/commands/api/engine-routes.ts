import type { EngineClient } from '../../core/clients/engine/client.ts'
import { getCommit } from '../../core/clients/engine/get-commit.ts'
import { getEngineBlock } from '../../core/clients/engine/get-engine-block.ts'
import { getNetInfo } from '../../core/clients/engine/get-net-info.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import { getEngineValidators } from '../../core/clients/engine/get-validators.ts'
import { type Answer, found } from './answer.ts'
import { queryNumber } from './path-parts.ts'

type Route = (client: EngineClient, args: { height?: bigint }) => Promise<unknown>

const ROUTES: Readonly<Record<string, Route>> = {
  '/status': (client) => getEngineStatus(client),
  '/validators': (client, args) => getEngineValidators(client, args),
  '/block': (client, args) => getEngineBlock(client, args),
  '/commit': (client, args) => getCommit(client, args),
  '/net_info': (client) => getNetInfo(client),
}

/** The typed question for a path of the engine RPC; undefined when the program has none for it. */
export function engineRoute(
  path: string,
  query: URLSearchParams,
): ((client: EngineClient) => Promise<Answer>) | undefined {
  const route = ROUTES[path]
  if (route === undefined) return undefined
  return (client) => {
    const height = queryNumber(query, 'height')
    return found(route(client, height === undefined ? {} : { height }))
  }
}
