import { BaseError, errorsOf } from './base.ts'

const NOTHING_SIGNED = ['Nothing is sent by it. Put that right, then try again.']

/** A guard cannot be armed, opened or held. Nothing of it is sent. */
export const guardError = errorsOf(BaseError, {
  /** The file of the signed members does not hold what the terms say. */
  'guard.bytes': (path: string, reason: string) => ({
    short: 'The signed transactions of the guard are not those of its terms.',
    details: [`file: ${path}`, `found: ${reason}`],
    next: [
      'Nothing of this guard is sent. Use its nonce for a transaction of nothing to yourself, then arm a new one.',
    ],
  }),
  /** A later version of the program wrote the file of the signed members. */
  'guard.newer': (path: string, version: number) => ({
    short: 'The signed transactions of the guard were written by a newer version of this program.',
    details: [`file: ${path}`, `version of the file: ${version}`],
    next: ['Nothing of this guard is sent by this version. Use the newer version again.'],
  }),
  /** The file by which its owner asks whoever holds it to void it is not what was written there. */
  'guard.void-asked': (path: string) => ({
    short: 'It cannot be read whether the guard is to be voided.',
    details: [`file: ${path}`, 'expected: the hash of its cancellation'],
    next: [
      'Nothing of this guard is sent. Remove the file, then void the guard again if it is to be voided.',
    ],
  }),
  /** The journal of this account and nonce holds a guard already. */
  'guard.there': (lines: number) => ({
    short: 'There is a guard of this account and nonce already.',
    details: [`lines of its journal: ${lines}`],
    next: ['Cancel it first: its cancellation uses up the nonce.'],
  }),
  /** It may not be armed now. */
  'guard.refused': (reason: string, nextSteps: readonly string[] = NOTHING_SIGNED) => ({
    short: reason,
    next: nextSteps,
    retryable: true,
  }),
})
