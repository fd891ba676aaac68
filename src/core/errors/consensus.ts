import { BaseError } from './base.ts'

/** A block whose slot is not the one after the state's; this chain misses no slot. */
export function slotOutOfOrder(found: bigint, expected: bigint): BaseError {
  return new BaseError('consensus.slot_order', `Block slot ${found} does not follow the state.`, {
    details: [`slot: found ${found}, expected ${expected}; consensus on this chain never skips a slot`],
    nextSteps: ['Apply the blocks in order, one for each slot, from the slot of the state.'],
  })
}

/** A validator that the state does not hold: money added for it would be burnt. */
export function validatorNotInState(pubkey: string, slot: bigint): BaseError {
  return new BaseError('consensus.unknown_validator', 'The beacon state does not hold this validator.', {
    details: [
      `pubkey: found ${pubkey}, expected a validator of the state of slot ${slot}`,
      'A top-up for a validator that the state does not hold is burnt.',
    ],
    nextSteps: [
      'Send nothing. Wait until the first deposit shows in the beacon state, then plan the top-up again.',
    ],
    retryable: true,
  })
}

/** An amount that no deposit can carry. */
export function amountNotUsable(field: string, found: bigint, expected: string): BaseError {
  return new BaseError('consensus.amount', `The amount in ${field} cannot be used.`, {
    details: [`${field}: found ${found} gwei, expected ${expected}`],
    nextSteps: [`Give ${field} again as ${expected}.`],
  })
}
