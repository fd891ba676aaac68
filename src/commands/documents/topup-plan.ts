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
import { AMOUNT_OUTCOMES, ForecastShape, OutcomeName, RankRowShape, REPORT, SUBJECT } from './parts.ts'

const Impossible = WordOf<NonNullable<TopUpAdvice['impossible']>>({
  'not-in-state': true,
  leaving: true,
  pool: true,
  'no-room': true,
  'place-out-of-reach': true,
})

export const TopUpPlanShape = Fields({
  ...REPORT,
  ...SUBJECT,
  balanceGwei: Maybe(Gwei),
  stakeToBeGwei: Gwei,
  proposedGwei: Maybe(Gwei),
  impossible: Maybe(Impossible),
  threshold: Maybe(Fields({ addGwei: Gwei, forecast: ForecastShape })),
  amountGwei: Maybe(Gwei),
  outcome: Maybe(OneOf(AMOUNT_OUTCOMES)),
  forecast: Maybe(ForecastShape),
  wholeWayGwei: Maybe(Gwei),
  ranks: List(RankRowShape),
})

export const NewKeyPlanShape = Fields({
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
})

export const DepositsPlanShape = Fields({
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
})

export type TopUpPlanFields = Static<typeof TopUpPlanShape>

export type NewKeyPlanFields = Static<typeof NewKeyPlanShape>

export type DepositsPlanFields = Static<typeof DepositsPlanShape>
