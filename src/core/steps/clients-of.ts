import { createEngineClient, type EngineClient } from '../clients/engine/client.ts'
import { createExecutionClient, type ExecutionClient } from '../clients/execution/client.ts'
import { createNodeClient, type NodeClient } from '../clients/node/client.ts'
import type { Effects } from '../effects/effects.ts'
import type { NodeSetup, Setup } from '../facts.ts'
import { type OfferBook, type Offers, offersOf } from '../network/offered.ts'

/** The endpoints of a setup, ready to be asked. */
export type Clients = {
  execution: ExecutionClient
  second: ExecutionClient | undefined
  node: NodeClient
  /** None where no engine was given. */
  engine: EngineClient | undefined
  /** What node and engine were found to have and to lack of what they need not have. */
  offers: { node: Offers; engine: Offers }
}

/** The endpoints of a whole node. */
export type NodeClients = Clients & { engine: EngineClient }

type ClientsInput = { effects: Effects; setup: Setup; offers?: OfferBook }

/**
 * Makes the clients of a setup's endpoints. They hold nothing open, so they may be made for each question; what they
 * were found to offer is in the session's `offers`.
 */
export function clientsOf(input: ClientsInput & { setup: NodeSetup }): NodeClients
export function clientsOf(input: ClientsInput): Clients
export function clientsOf({ effects, setup, offers = new Map() }: ClientsInput): Clients {
  const { endpoints, network } = setup
  const { secondExecution } = endpoints
  return {
    execution: createExecutionClient(effects, endpoints.execution),
    second: secondExecution === undefined ? undefined : createExecutionClient(effects, secondExecution),
    node: createNodeClient(effects, endpoints.node, { proofNamespace: network.names.proofNamespace }),
    engine: endpoints.engine === undefined ? undefined : createEngineClient(effects, endpoints.engine),
    offers: { node: offersOf(offers, endpoints.node), engine: offersOf(offers, endpoints.engine ?? '') },
  }
}
