import { VALIDATOR_STATUSES, type Validator, type ValidatorStatus } from '../../consensus/state.ts'
import { bool, type Decoder, decimal, decimalIndex, hex, oneOf, record } from '../../format/decode.ts'

/** A validator as the node API gives it: a claim of the node, not a proof. */
export type ValidatorRecord = {
  index: number
  balanceGwei: bigint
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
