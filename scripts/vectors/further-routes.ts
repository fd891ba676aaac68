import type { Hex } from '../../src/core/base/format/hex.ts'
import {
  getBlobSidecars,
  getBlockRewards,
  getCometBlock,
  getCometSignedHeader,
} from '../../src/core/clients/node/blocks.ts'
import { getRandao, type StateId } from '../../src/core/clients/node/chain.ts'
import type { NodeClient } from '../../src/core/clients/node/client.ts'
import { getValidatorBalances } from '../../src/core/clients/node/validators.ts'
import { type Route, stateId } from './route-of.ts'

type Question = { parts: readonly string[]; query: URLSearchParams }
type Call = (client: NodeClient, args: { state: StateId; query: URLSearchParams }) => Promise<unknown>
type Further = { path: RegExp; name: string; query?: { name: string; value: RegExp }; ask: Call }

const DECIMAL = /^\d{1,19}$/

/** Endpoints that only `api` asks. The captured part of the path is a state, a block or a height. */
const FURTHER: readonly Further[] = [
  {
    path: /^eth\/v1\/beacon\/states\/([^/]+)\/validator_balances$/,
    name: 'balances',
    query: { name: 'id', value: /^/ },
    ask: (client, { state, query }) =>
      getValidatorBalances(client, { state, ids: query.getAll('id') as Hex[] }),
  },
  {
    path: /^eth\/v1\/beacon\/states\/([^/]+)\/randao$/,
    name: 'randao',
    query: { name: 'epoch', value: DECIMAL },
    ask: (client, { state, query }) => {
      const epoch = query.get('epoch')
      return getRandao(client, { state, ...(epoch === null ? {} : { epoch: BigInt(epoch) }) })
    },
  },
  {
    path: /^eth\/v1\/beacon\/blob_sidecars\/([^/]+)$/,
    name: 'blobs',
    query: { name: 'indices', value: /^\d{1,15}$/ },
    ask: (client, { state, query }) =>
      getBlobSidecars(client, { block: state, indices: query.getAll('indices').map(Number) }),
  },
  {
    path: /^eth\/v1\/beacon\/rewards\/blocks\/([^/]+)$/,
    name: 'rewards',
    ask: (client, { state }) => getBlockRewards(client, { block: state }),
  },
  {
    path: /^cometbft\/v1\/block\/(\d+)$/,
    name: 'engine-block',
    ask: (client, { state }) => getCometBlock(client, { height: BigInt(state) }),
  },
  {
    path: /^cometbft\/v1\/signed_header\/(\d+)$/,
    name: 'signed-header',
    ask: (client, { state }) => getCometSignedHeader(client, { height: BigInt(state) }),
  },
]

/** The call for a path whose query the call can ask; undefined for any other. */
export function furtherRoute(client: NodeClient, { parts, query }: Question): Route {
  const path = parts.join('/')
  for (const { path: pattern, name, query: allowed, ask } of FURTHER) {
    const state = stateId(pattern.exec(path)?.[1])
    const fits = [...query].every(([key, value]) => key === allowed?.name && allowed.value.test(value))
    if (state !== undefined && fits) return { name, ask: () => ask(client, { state, query }) }
  }
  return undefined
}
