import type { Static } from 'typebox'
import { Bytes, Count, Fields, Maybe, Name } from '../../core/base/format/shapes.ts'
import { REPORT, SignedDepositShape } from './parts.ts'

export const SignShape = Fields({
  ...REPORT,
  path: Maybe(Name),
  deposit: Maybe(
    Fields({
      ...SignedDepositShape.properties,
      network: Name,
      executionChainId: Count,
      operator: Bytes(20),
    }),
  ),
})

export type SignFields = Static<typeof SignShape>
