import type { Static } from 'typebox'
import { Asked, Bytes, Count, Fields, Maybe, Name, Time } from '../../core/base/format/shapes.ts'
import { REPORT } from './parts.ts'

export const GenesisShape = Fields({
  ...REPORT,
  expectedRoot: Maybe(Bytes(32)),
  root: Asked(Bytes(32)),
  forkVersion: Asked(Bytes(4)),
  validators: Asked(Count),
  engineChainId: Asked(Name),
  genesisAt: Maybe(Time),
  node: Asked(Fields({ root: Bytes(32), forkVersion: Bytes(4) })),
  execution: Asked(Fields({ chainId: Count, genesisHash: Bytes(32) })),
  tool: Asked(Fields({ root: Bytes(32) })),
})

export type GenesisFields = Static<typeof GenesisShape>
