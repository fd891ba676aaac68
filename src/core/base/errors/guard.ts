import { BaseError } from './base.ts'

/** What is wrong with a guard. `bytes`: its file; `refused`: it may not be armed now; `there`: its nonce has one. */
export type GuardFault = 'bytes' | 'refused' | 'there'

/** A guard that cannot be armed, opened or held. Nothing of it is sent. */
export class GuardError extends BaseError {
  readonly fault: GuardFault

  constructor(
    fault: GuardFault,
    sentence: string,
    parts: { details?: readonly string[]; nextSteps?: readonly string[]; retryable?: true } = {},
  ) {
    const { details = [], nextSteps = [], retryable } = parts
    super(`guard.${fault}`, sentence, {
      details: [...details],
      nextSteps: [...nextSteps],
      ...(retryable === undefined ? {} : { retryable }),
    })
    this.name = 'GuardError'
    this.fault = fault
  }
}

/** The file of the signed members does not hold what the terms say. */
export function guardBytes(path: string, reason: string): GuardError {
  return new GuardError('bytes', 'The signed transactions of the guard are not those of its terms.', {
    details: [`file: ${path}`, `found: ${reason}`],
    nextSteps: [
      'Nothing of this guard is sent. Use its nonce for a transaction of nothing to yourself, then arm a new one.',
    ],
  })
}

/** The journal of this account and nonce holds a guard already. */
export function guardThere(lines: number): GuardError {
  return new GuardError('there', 'There is a guard of this account and nonce already.', {
    details: [`lines of its journal: ${lines}`],
    nextSteps: ['Cancel it first: its cancellation uses up the nonce.'],
  })
}

const NOTHING_SIGNED = ['Nothing is sent by it. Put that right, then try again.']

/** It may not be armed now. */
export function guardRefused(reason: string, nextSteps: readonly string[] = NOTHING_SIGNED): GuardError {
  return new GuardError('refused', reason, { nextSteps, retryable: true })
}
