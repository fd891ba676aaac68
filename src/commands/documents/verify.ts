import type { Static } from 'typebox'
import { Asked, Fields, Maybe, Name, OneOf, Place, WordOf, Words } from '../../core/base/format/shapes.ts'
import type { RefusalOrigin } from '../../core/chain/deposit/explain-refusal.ts'
import {
  AccountCallShape,
  DEPOSIT_FATES,
  DepositEventShape,
  KeyStateShape,
  KeyWord,
  REPORT,
  SignedDepositShape,
  TransactionShape,
} from './parts.ts'

const Origin = WordOf<RefusalOrigin>({
  'ethereum-tag': true,
  'ethereum-tool': true,
  'genesis-tooling': true,
  'other-fork-version': true,
  'other-network': true,
})

export const VerifyShape = Fields({
  ...REPORT,
  deposit: SignedDepositShape,
  chosenBy: OneOf(['you', 'file', 'transaction']),
  fate: OneOf(DEPOSIT_FATES),
  reason: Maybe(Name),
  explanation: Maybe(Fields({ origin: Origin, words: Fields({ sentence: Words }) })),
  transaction: Maybe(TransactionShape),
  carriedOut: Maybe(AccountCallShape),
  event: Maybe(DepositEventShape),
  block: Maybe(Place),
  onChain: Maybe(KeyWord),
  keyState: Asked(KeyStateShape),
})

export type VerifyFields = Static<typeof VerifyShape>
