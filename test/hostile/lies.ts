import type { Lie } from './lie.ts'
import { LIES_AFTER_SENDING, LIES_OF_ANY_SERVICE, LIES_ON_SENDING } from './lies/of-any-service.ts'
import {
  LIES_ABOUT_FINALITY,
  LIES_ABOUT_NONCES,
  LIES_ABOUT_RECEIPTS,
  LIES_ON_HAND_OVER,
} from './lies/of-sending.ts'
import {
  LIES_ABOUT_CODE,
  LIES_ABOUT_DEPOSITS,
  LIES_ABOUT_MONEY,
  LIES_ABOUT_ROOTS,
  LIES_ABOUT_THE_CHAIN,
  LIES_IN_ODD_NUMBERS,
  LIES_IN_THE_ENVELOPE,
} from './lies/of-the-chain.ts'
import { LIES_OF_THE_ENGINE } from './lies/of-the-engine.ts'
import { LIES_OF_THE_NODE } from './lies/of-the-node.ts'

/** Every lie that is tried, by what it is about. */
export const KINDS_OF_LIES: readonly (readonly Lie[])[] = [
  LIES_ABOUT_NONCES,
  LIES_ON_HAND_OVER,
  LIES_ABOUT_RECEIPTS,
  LIES_ABOUT_FINALITY,
  LIES_ABOUT_THE_CHAIN,
  LIES_ABOUT_MONEY,
  LIES_ABOUT_CODE,
  LIES_ABOUT_DEPOSITS,
  LIES_ABOUT_ROOTS,
  LIES_IN_ODD_NUMBERS,
  LIES_IN_THE_ENVELOPE,
  LIES_OF_THE_NODE,
  LIES_OF_THE_ENGINE,
  LIES_OF_ANY_SERVICE,
  LIES_ON_SENDING,
  LIES_AFTER_SENDING,
]
