import type { EngineClient } from '../clients/engine/client.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import type { ClientEffects } from '../clients/http-client.ts'
import type { NodeClient } from '../clients/node/client.ts'
import type { Hex } from '../format/hex.ts'
import type { Network } from '../network/network.ts'
import type { Watched } from './sighting.ts'

/** The endpoints of a watch by their roles, the own one of each first. */
export type WatchEndpoints = {
  node: readonly string[]
  execution: readonly string[]
  engine: readonly string[]
}

export type LookInput = {
  effects: ClientEffects
  network: Network
  endpoints: WatchEndpoints
  validators: readonly Watched[]
  /** Whether a payment of this computer's own journals has this transaction. */
  isOwnTransaction: (hash: Hex) => boolean
}

/** The endpoints that answer and are up to date, best first. */
export type Healthy = { node?: NodeClient; execution: readonly ExecutionClient[]; engine?: EngineClient }
