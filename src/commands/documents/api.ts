import type { Static } from 'typebox'
import { Anything, Bytes, Count, Fields, Flag, Maybe, Name, OneOf } from '../../core/base/format/shapes.ts'
import { REPORT } from './parts.ts'

export const ApiShape = Fields({
  ...REPORT,
  path: Name,
  service: OneOf(['node API', 'engine RPC', 'execution RPC']),
  endpoint: Name,
  typed: Flag,
  offered: Flag,
  proofLevel: Maybe(Count),
  blockRoot: Maybe(Bytes(32)),
  answer: Anything,
})

export type ApiFields = Static<typeof ApiShape>
