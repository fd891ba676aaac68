import type { Clock } from '../effects/effects.ts'
import type { Hex } from '../format/hex.ts'
import type { Network } from '../network/network.ts'
import type { ExecutionClient } from './execution/client.ts'
import type { NodeClient } from './node/client.ts'

/** Who is asked for a survey: the node for its state, the execution endpoints for the root they hold. */
export type SurveyClients = {
  node: NodeClient
  execution: ExecutionClient
  second?: ExecutionClient | undefined
}

/** How long anything may be waited for: `slotsToWait` where it is not the usual time. */
export type Pace = { clock: Pick<Clock, 'monotonicMs' | 'sleep'>; slotMs: number; slotsToWait?: number }

export type SurveyOptions = {
  /** Of a very large registry only those who may get a place in the active set are kept. */
  network: Network
  /** A validator that must not be left out, however large the registry is. */
  keep: Hex | undefined
  /** Waits for a second endpoint that is behind, and lets the screen draw between the parts of long work. */
  clock: Pace['clock']
}
