import type { Static } from 'typebox'
import {
  Asked,
  Bytes,
  Count,
  Fields,
  Gwei,
  List,
  Maybe,
  OneOf,
  Place,
  WordOf,
} from '../../core/base/format/shapes.ts'
import type { TopUpAdvice } from '../../core/steps/topup/facts.ts'
import { ForecastShape, OutcomeName, RankRowShape, REPORT, SUBJECT } from './parts.ts'
import { AMOUNT_OUTCOMES } from './words.ts'

const Impossible = WordOf<NonNullable<TopUpAdvice['impossible']>>({
  'not-in-state': true,
  leaving: true,
  pool: true,
  'no-room': true,
  'place-out-of-reach': true,
})

const AmountWord = OneOf(AMOUNT_OUTCOMES)

const TOPUP_PLAN = {
  ...REPORT,
  ...SUBJECT,
  balanceGwei: Maybe(Gwei),
  stakeToBeGwei: Gwei,
  proposedGwei: Maybe(Gwei),
  impossible: Maybe(Impossible),
  threshold: Maybe(Fields({ addGwei: Gwei, forecast: ForecastShape })),
  amountGwei: Maybe(Gwei),
  outcome: Maybe(AmountWord),
  forecast: Maybe(ForecastShape),
  wholeWayGwei: Maybe(Gwei),
  ranks: List(RankRowShape),
}

const TOPUP_PLAN_NEW_KEY = {
  ...REPORT,
  slot: Place,
  proof: SUBJECT.proof,
  amountGwei: Maybe(Gwei),
  wholeWayGwei: Maybe(Gwei),
  forecast: Maybe(ForecastShape),
  places: Fields({
    taken: Count,
    places: Count,
    last: Maybe(Fields({ pubkey: Bytes(48), stakeGwei: Gwei })),
  }),
  steps: List(Fields({ allGwei: Gwei, outcome: OutcomeName, rank: Maybe(Count), places: Count })),
  waiting: Fields({ count: Count, sumGwei: Gwei, wholeWayWithoutGwei: Maybe(Gwei) }),
}

const TOPUP_PLAN_DEPOSITS = {
  ...REPORT,
  deposits: Asked(
    Fields({
      block: Place,
      count: Count,
      genesisCount: Count,
      keyCount: Count,
      sumGwei: Gwei,
      keysAtThresholdCount: Count,
      endpointCount: Count,
    }),
  ),
}

export const TopUpPlanShape = Fields(TOPUP_PLAN)
export type TopUpPlanFields = Static<typeof TopUpPlanShape>

export const NewKeyPlanShape = Fields(TOPUP_PLAN_NEW_KEY)
export type NewKeyPlanFields = Static<typeof NewKeyPlanShape>

export const DepositsPlanShape = Fields(TOPUP_PLAN_DEPOSITS)
export type DepositsPlanFields = Static<typeof DepositsPlanShape>
