import { OUTCOMES } from '../../core/chain/consensus/forecast.ts'

/** What becomes of an amount: the classes of a forecast, and where it does not stay at all. */
export const AMOUNT_OUTCOMES = [...OUTCOMES, 'burnt', 'not-counted-yet', 'comes-back', 'gift'] as const

export type AmountOutcome = (typeof AMOUNT_OUTCOMES)[number]

/** What became of a deposit, or would become of one that is in no block. */
export const DEPOSIT_FATES = [
  'counted',
  'paid-back',
  'burnt',
  'not-counted-yet',
  'reverted',
  'in-mempool',
  'would-register',
  'would-be-rescued',
  'would-rescue',
  'would-revert',
  'would-revert-unset',
  'would-come-second',
  'is-registered',
  'has-left',
  'would-be-unknown',
  'not-asked',
  'would-count',
  'would-be-burnt',
  'would-come-back',
  'unknown',
] as const

export type DepositFate = (typeof DEPOSIT_FATES)[number]
