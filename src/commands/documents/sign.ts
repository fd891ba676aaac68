import type { Static } from 'typebox'
import { Bytes, Count, Fields, Maybe, Name } from '../../core/base/format/shapes.ts'
import { REPORT, SignedDepositShape } from './parts.ts'

const SIGN = {
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
}

export const SignShape = Fields(SIGN)
export type SignFields = Static<typeof SignShape>
