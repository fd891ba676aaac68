import { BaseError } from './base.ts'

/** Something about a deposit, its message, its call data or its file is not as it must be. */
export class DepositError extends BaseError {
  override name = 'DepositError'
}

/** One field has a wrong value. Texts must already be safe to draw. */
export function badDepositField(problem: { field: string; found: string; expected: string }): DepositError {
  return new DepositError('deposit.bad-field', `The ${problem.field} of the deposit is not usable.`, {
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: [`Correct the ${problem.field} and try again. Nothing was sent.`],
  })
}

/** A withdrawal or operator address was mistyped or is no address. */
export function badAddress(problem: { found: string; expected: string }): DepositError {
  return new DepositError('deposit.bad-address', 'This is not a usable address.', {
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: ['Copy the whole address again from the wallet that owns it.'],
  })
}

/** Credentials that do not lead to an address: a validator with them can never be paid out. */
export function badCredentials(found: string): DepositError {
  return new DepositError('deposit.bad-credentials', 'These withdrawal credentials do not name an address.', {
    details: [
      `found: ${found}`,
      'expected: 0x01, 22 zeros and the 40 hex digits of an address other than zero',
    ],
    nextSteps: [
      'Make a new deposit from the withdrawal address. With these credentials the stake is locked for ever.',
    ],
  })
}

/** Call data that is not exactly a deposit in one of the accepted shapes. */
export function badCalldata(why: string): DepositError {
  return new DepositError('deposit.bad-calldata', 'This call data is not a deposit that may be sent.', {
    details: [why],
    nextSteps: ['Do not send it. Create the call data again and compare it again.'],
  })
}

/** A log that claims to be of the deposit contract and is not in its form. */
export function badDepositLog(why: string): DepositError {
  return new DepositError('deposit.bad-log', 'A log of the deposit contract cannot be read.', {
    details: [why],
    nextSteps: ['Ask another execution endpoint for the same receipt.'],
    money: 'unknown',
  })
}

/** A deposit file that is not one, or not of this version. */
export function badDepositFile(problem: { field: string; found: string; expected: string }): DepositError {
  return new DepositError('deposit.bad-file', `The deposit file is not usable: ${problem.field}.`, {
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: ['Write the deposit file again on the machine that holds the key, and copy it whole.'],
  })
}

/** A deposit file is of another deposit than the planned one. Texts must already be safe to draw. */
export function otherDeposit(problem: { field: string; found: string; expected: string }): DepositError {
  return new DepositError('deposit.other-deposit', `This deposit file is another one: ${problem.field}.`, {
    details: [`found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: ['sign on the key machine with exactly the values above', 'or e, and plan what the file says'],
  })
}

/** A signature from another machine that is none, or that the chain would refuse. */
export function signatureNotTaken(details: readonly string[]): DepositError {
  return new DepositError(
    'deposit.not-taken',
    'This signature is refused: the chain would burn the deposit.',
    {
      details,
      nextSteps: ['run the command below on the key machine, copy the whole signature, import it here'],
    },
  )
}

/** The signature code of this program does not agree with real deposits: nothing may be signed or sent. */
export function selfTestFailed(why: string): DepositError {
  return new DepositError(
    'deposit.self-test-failed',
    'This copy of the program fails its own signature test.',
    {
      details: [why, 'Three real deposits that the chain accepted must verify, and an altered one must not.'],
      nextSteps: ['Install the program again from its source. Do not sign or send anything with this copy.'],
    },
  )
}
