import type { Static } from 'typebox'
import {
  Anything,
  Asked,
  Bytes,
  Count,
  Epoch,
  Fields,
  Flag,
  Gwei as GweiShape,
  List,
  Maybe,
  Name,
  OneOf,
  Place,
  Wei,
} from '../../core/base/format/shapes.ts'
import { DROP_REASONS } from '../../core/chain/consensus/withdrawal-request.ts'
import { REPORT, SUBJECT } from './parts.ts'

const DROPPED = { reason: Maybe(OneOf(DROP_REASONS)) }

const EPOCHS = { exitEpoch: Maybe(Epoch), withdrawableEpoch: Maybe(Epoch) }

export const LeaveShape = Fields({
  ...REPORT,
  ...SUBJECT,
  amountGwei: GweiShape,
  requests: List(
    Fields({
      is: OneOf(['in-block', 'unclear', 'exit', 'part', 'past', 'dropped']),
      block: Place,
      transactionHash: Bytes(32),
      sourceAddress: Bytes(20),
      askedGwei: GweiShape,
      amountGwei: Maybe(GweiShape),
      paid: Maybe(Flag),
      ...EPOCHS,
      ...DROPPED,
    }),
  ),
  outcome: Asked(
    Fields({
      is: OneOf(['dropped', 'exit', 'part', 'pool']),
      amountGwei: Maybe(GweiShape),
      balanceGwei: Maybe(GweiShape),
      cut: Maybe(Flag),
      ...EPOCHS,
      ...DROPPED,
      after: Maybe(
        Fields({
          paidSlot: Place,
          paidGwei: GweiShape,
          rank: Maybe(Count),
          places: Maybe(Count),
          dropsOutAtEpoch: Maybe(Epoch),
          dropsOutAnyway: Flag,
        }),
      ),
    }),
  ),
  path: Maybe(Name),
  request: Maybe(
    Fields({
      from: Bytes(20),
      contract: Flag,
      to: Bytes(20),
      valueWei: Wei,
      feeWei: Wei,
      data: Bytes(),
      chainId: Count,
      nonce: Maybe(Count),
      gasLimit: Maybe(Wei),
      maxFeePerGasWei: Maybe(Wei),
      maxPriorityFeePerGasWei: Maybe(Wei),
      commands: List(Name),
      batch: Anything,
    }),
  ),
})

export type LeaveFields = Static<typeof LeaveShape>
