import { BaseError } from './base.ts'

/** A beacon state that a node gave has a field that is missing or not of its kind. */
export class BeaconStateError extends BaseError {
  readonly field: string

  constructor(field: string, found: string, expected: string) {
    super('proofs.beacon-state', 'The beacon state that the node gave cannot be read.', {
      details: [`field: ${field}`, `found: ${found}`, `expected: ${expected}`],
      nextSteps: ['Ask another node, or go on without a proof of the whole state.'],
      retryable: true,
    })
    this.field = field
  }
}

/** A proof was asked for something that is not in the state. */
export class ProofTargetError extends BaseError {
  constructor(index: number, validatorCount: number) {
    super('proofs.no-such-validator', 'There is no validator at this index.', {
      details: [`index: ${index}`, `validators in this state: ${validatorCount}`],
      nextSteps: ['Look the index up by public key first.'],
    })
  }
}
