import { isSameServer } from '../../base/format/endpoint-url.ts'
import { asksAsRealMoney, type Endpoints, type Network } from './network.ts'

/** Execution endpoints on different servers that must give the same block root: two for real money, else all that are set. */
export function anchorsNeeded({ network, endpoints }: { network: Network; endpoints: Endpoints }): number {
  const { execution: first, secondExecution = first } = endpoints
  return asksAsRealMoney(network) || !isSameServer(first, secondExecution) ? 2 : 1
}
