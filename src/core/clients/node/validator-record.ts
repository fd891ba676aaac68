import type { Gwei } from '../../base/format/amount.ts'
import { cutJson } from '../../base/format/cut-json.ts'
import {
  bool,
  type Decoder,
  decimal,
  decimalIndex,
  decodeEntry,
  hex,
  oneOf,
  record,
  refuse,
} from '../../base/format/decode.ts'
import { VALIDATOR_STATUSES, type Validator, type ValidatorStatus } from '../../chain/consensus/state.ts'
import { emptied } from '../ask-as-service.ts'
import { type Intake, REGISTRY } from '../limits.ts'
import { encodeStateId, type StateId } from './chain.ts'
import type { NodeClient } from './client.ts'

/** A validator as the node API gives it: a claim of the node, not a proof. */
export type ValidatorRecord = {
  index: number
  balanceGwei: Gwei
  status: ValidatorStatus
  validator: Validator
}

const fields = record({
  index: decimalIndex,
  balance: decimal,
  status: oneOf(VALIDATOR_STATUSES),
  validator: record({
    pubkey: hex(48),
    withdrawal_credentials: hex(32),
    effective_balance: decimal,
    slashed: bool,
    activation_eligibility_epoch: decimal,
    activation_epoch: decimal,
    exit_epoch: decimal,
    withdrawable_epoch: decimal,
  }),
})

/** Reads one entry of `states/{id}/validators`: decimal texts, amounts in gwei. */
export const decodeValidatorRecord: Decoder<ValidatorRecord> = (value, path) => {
  const { index, balance, status, validator } = fields(value, path)
  return {
    index,
    balanceGwei: balance,
    status,
    validator: {
      pubkey: validator.pubkey,
      withdrawalCredentials: validator.withdrawal_credentials,
      effectiveBalanceGwei: validator.effective_balance,
      slashed: validator.slashed,
      activationEligibilityEpoch: validator.activation_eligibility_epoch,
      activationEpoch: validator.activation_epoch,
      exitEpoch: validator.exit_epoch,
      withdrawableEpoch: validator.withdrawable_epoch,
    },
  }
}

/** Gathers what is wanted of a registry, one validator at a time and in index order. */
export type ValidatorTaker<T> = { add(record: ValidatorRecord): void; done(): T }

export type StreamedState = { state: StateId; statuses?: readonly ValidatorStatus[] }

const left = record({ data: emptied })

/**
 * Reads every validator of a state while the reply arrives, so that a registry of a million takes the memory of a
 * few hundred plus what the taker keeps (`states/{id}/validators`). Entries must come in index order, each once;
 * without `statuses` none may be missing. `taker` is made anew for each attempt. Throws a `ClientError`.
 */
export async function streamValidators<T>(
  client: NodeClient,
  args: StreamedState & { taker: () => ValidatorTaker<T> },
): Promise<T> {
  const { state, statuses = [] } = args
  const path = ['eth', 'v1', 'beacon', 'states', encodeStateId(state), 'validators']
  const query = statuses.map((status) => ['status', status] as const)
  let taker = args.taker()
  const intake = (): Intake => {
    taker = args.taker()
    return readInOrder(taker, { whole: statuses.length === 0 })
  }
  const decode: Decoder<T> = (value, at) => {
    left(value, at)
    return taker.done()
  }
  return client.ask({ path, query, decode, limits: REGISTRY, intake })
}

function readInOrder(taker: ValidatorTaker<unknown>, { whole }: { whole: boolean }): Intake {
  let next = 0
  return cutJson({
    data: (entries, first) => {
      for (const [offset, entry] of entries.entries()) {
        const read = decodeEntry(decodeValidatorRecord, entry, { list: 'data', at: first + offset })
        if (read.index < next || (whole && read.index !== next))
          refuse(`data[${first + offset}].index`, whole ? `${next}` : `${next} or more`, String(read.index))
        next = read.index + 1
        taker.add(read)
      }
    },
  })
}
