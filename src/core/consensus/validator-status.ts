import { FAR_FUTURE_EPOCH, type Validator } from './state.ts'

/** The nine statuses of the beacon API. */
export type ValidatorStatus =
  | 'pending_initialized'
  | 'pending_queued'
  | 'active_ongoing'
  | 'active_exiting'
  | 'active_slashed'
  | 'exited_unslashed'
  | 'exited_slashed'
  | 'withdrawal_possible'
  | 'withdrawal_done'

/** The status of a validator at an epoch, from its epochs alone. */
export function validatorStatus(validator: Validator, epoch: bigint): ValidatorStatus {
  if (validator.activationEpoch > epoch) return pendingStatus(validator)
  if (validator.exitEpoch > epoch) return activeStatus(validator)
  if (validator.withdrawableEpoch > epoch) return validator.slashed ? 'exited_slashed' : 'exited_unslashed'
  return validator.effectiveBalanceGwei === 0n ? 'withdrawal_done' : 'withdrawal_possible'
}

function pendingStatus(validator: Validator): ValidatorStatus {
  return validator.activationEligibilityEpoch === FAR_FUTURE_EPOCH ? 'pending_initialized' : 'pending_queued'
}

function activeStatus(validator: Validator): ValidatorStatus {
  if (validator.exitEpoch === FAR_FUTURE_EPOCH) return 'active_ongoing'
  return validator.slashed ? 'active_slashed' : 'active_exiting'
}
