import { type Static, Type } from 'typebox'
import {
  Asked,
  Bytes,
  Count,
  Epoch,
  Fields,
  Flag,
  Gwei,
  List,
  Maybe,
  Name,
  OneOf,
  Place,
  SignedGwei,
  Time,
  Wei,
  WordOf,
  Words,
} from '../../core/base/format/shapes.ts'
import { OUTCOMES } from '../../core/chain/consensus/forecast.ts'
import { VALIDATOR_STATUSES } from '../../core/chain/consensus/state.ts'
import type { KeyVerdict } from '../../core/chain/key-state/key-state.ts'
import { MARKS } from '../../core/view/marks.ts'
import { type Mark, type Numbers, STEP_IDS } from '../../core/view/view.ts'

/** The numbers of a finding, by names that say their unit. */
const NumbersShape = Type.Unsafe<Numbers>({
  type: 'object',
  patternProperties: {
    '(?:Gwei|Wei)$': SignedGwei,
    '(?:[sS]lot|[bB]lock|[iI]ndex|[hH]eight)$': Place,
    '[eE]poch$': Epoch,
    At$: Time,
    '(?:Ms|Id|^rank|^places|[cC]ount|Seconds)$': { type: 'integer' },
  },
  additionalProperties: false,
})

/** One fact that was found out, with what it comes to. */
const Finding = Fields({
  step: OneOf(STEP_IDS),
  id: Name,
  level: OneOf(Object.keys(MARKS) as Mark[]),
  value: Maybe(Name),
  numbers: NumbersShape,
  words: Fields({ label: Words, value: Words, source: Words, fix: Maybe(Words) }),
})

/** What every report has besides its own fields. */
export const REPORT = {
  findings: List(Finding),
  words: Fields({ sentence: Words, notes: List(Words) }),
}

export const FindingsShape = Fields(REPORT)
export type Findings = Static<typeof FindingsShape>

export const ValidatorShape = Fields({
  pubkey: Bytes(48),
  withdrawalCredentials: Bytes(32),
  effectiveBalanceGwei: Gwei,
  slashed: Flag,
  activationEligibilityEpoch: Epoch,
  activationEpoch: Epoch,
  exitEpoch: Epoch,
  withdrawableEpoch: Epoch,
})

/** By what the whole set is proven; null where it is reported. */
const ProofShape = Fields({ slot: Place, blockRoot: Bytes(32), anchors: Count, signedPercent: Count })

const RankShape = { rank: Count, stakeGwei: Gwei, hasPlace: Flag }

export const ForecastShape = Fields({
  balanceAfterGwei: Gwei,
  effectiveAfterGwei: Gwei,
  crossesThreshold: Flag,
  shortOfThresholdGwei: Gwei,
  eligibleEpoch: Maybe(Epoch),
  activationEpoch: Maybe(Epoch),
  exitEpoch: Maybe(Epoch),
  withdrawableEpoch: Maybe(Epoch),
  evictedAtOnce: Flag,
  keepsPlace: Flag,
  places: Count,
  rankEpoch: Maybe(Epoch),
  rank: Maybe(Count),
  lastPlace: Maybe(Fields({ pubkey: Bytes(48), ...RankShape })),
  cutoff: Maybe(Fields({ pubkey: Bytes(48), ...RankShape })),
  marginGwei: Maybe(SignedGwei),
  othersNeedGwei: Maybe(SignedGwei),
  untilSlot: Place,
})

const OutlookShape = Fields({
  isActive: Flag,
  activeAtEpoch: Maybe(Epoch),
  dropsOutAtEpoch: Maybe(Epoch),
  rescue: Maybe(
    Fields({ leastTopUpGwei: Gwei, lessGwei: Maybe(Gwei), sendByBlock: Place, lastGoodBlock: Place }),
  ),
})

export const RankRowShape = Fields({ ...RankShape, mine: Flag, words: Fields({ note: Words }) })

/** Which validator a report is about, where the set holds it, and by what the set is proven. */
export const SUBJECT = {
  pubkey: Bytes(48),
  index: Asked(Place),
  slot: Asked(Place),
  proof: Maybe(ProofShape),
  outlook: Asked(OutlookShape),
}

export const StatusName = OneOf(VALIDATOR_STATUSES)
export const OutcomeName = OneOf(OUTCOMES)

const DepositFields = {
  pubkey: Bytes(48),
  withdrawalCredentials: Bytes(32),
  amountGwei: Gwei,
}

/** A deposit with its signature, and the chain that it is for. */
export const SignedDepositShape = Fields({
  ...DepositFields,
  signature: Bytes(96),
  genesisForkVersion: Bytes(4),
  genesisValidatorsRoot: Bytes(32),
})

/** The event of a deposit. */
export const DepositEventShape = Fields({ ...DepositFields, signature: Bytes(96), index: Place })

export const TransactionShape = Fields({
  hash: Bytes(32),
  chainId: Count,
  from: Bytes(20),
  to: Maybe(Bytes(20)),
  nonce: Count,
  valueWei: Wei,
  input: Bytes(),
})

export const AccountCallShape = Fields({
  to: Bytes(20),
  valueWei: Wei,
  data: Bytes(),
  by: Maybe(Bytes(20)),
})

/** Who vouches for a part: a proof whose root so many execution endpoints hold, or the node alone. */
const LEVEL = { by: OneOf(['proof', 'report']), anchors: Count, signedPercent: Count }

/** What the chain knows of one key, each part with who vouches for it. */
export const KeyStateShape = Fields({
  slot: Place,
  block: Place,
  blockHash: Bytes(32),
  blockAt: Time,
  record: Asked(Fields({ ...LEVEL, index: Place, balanceGwei: Gwei, validator: ValidatorShape })),
  operator: Asked(Fields({ address: Bytes(20), saidBy: Count })),
  uncounted: Asked(
    Fields({
      ...LEVEL,
      deposits: List(
        Fields({
          ...DepositFields,
          index: Place,
          block: Place,
          signatureValid: Flag,
          transactionHash: Bytes(32),
        }),
      ),
    }),
  ),
  set: Asked(ProofShape),
})

/** What the chain knows of a key, in one word. */
export const KeyWord = WordOf<KeyVerdict>({
  unknown: true,
  unused: true,
  waiting: true,
  lost: true,
  registered: true,
  exiting: true,
  exited: true,
  withdrawn: true,
})

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
