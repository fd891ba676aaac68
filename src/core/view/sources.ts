import { endpointName } from '../base/format/endpoint-url.ts'
import type { Setup } from '../chain/facts.ts'

type Source = (setup: Pick<Setup, 'endpoints'>) => string

/** Who answers for a fact, as its row names them. */
export const SOURCES = {
  execution: ({ endpoints }) => endpointName(endpoints.execution),
  secondExecution: ({ endpoints }) => endpointName(endpoints.secondExecution ?? ''),
  node: ({ endpoints }) => endpointName(endpoints.node),
  engine: ({ endpoints }) => endpointName(endpoints.engine ?? ''),
  /** What the engine knows better, and a node says where there is none. */
  engineOrNode: ({ endpoints }) => endpointName(endpoints.engine ?? endpoints.node),
} satisfies Record<string, Source>
