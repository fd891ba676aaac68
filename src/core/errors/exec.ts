import { BaseError } from './base.ts'

export type ExecFault =
  | 'missing'
  | 'not-executable'
  | 'unsafe'
  | 'timeout'
  | 'too-much-output'
  | 'killed'
  | 'failed'

/** Another program that could not be run to its end. `path` is its absolute path. */
export class ExecError extends BaseError {
  readonly fault: ExecFault
  readonly path: string

  constructor(
    fault: ExecFault,
    path: string,
    sentence: string,
    next: readonly string[],
    details: readonly string[] = [],
  ) {
    super(`exec.${fault}`, sentence, { details: [`program: ${path}`, ...details], nextSteps: next })
    this.name = 'ExecError'
    this.fault = fault
    this.path = path
  }
}

/** The path is not absolute, or nothing is there. */
export function execMissing(path: string, reason: string): ExecError {
  return new ExecError(
    'missing',
    path,
    'The program is not there.',
    ['Give its full path.'],
    [`reason: ${reason}`],
  )
}

/** The file is there but cannot be started on this machine. */
export function execNotExecutable(path: string, reason: string): ExecError {
  return new ExecError(
    'not-executable',
    path,
    'The program cannot be started on this computer.',
    ['Check that it is executable and built for this system.'],
    [`reason: ${reason}`],
  )
}

/** Anyone could replace the program before it runs. */
export function execUnsafe(path: string, reason: string): ExecError {
  return new ExecError(
    'unsafe',
    path,
    'The program could be replaced by any user of this computer, so it is not run.',
    ['Take the write permission for others away: chmod o-w.'],
    [reason],
  )
}

/** It did not end in time and was stopped. */
export function execTimeout(path: string, timeoutMs: number): ExecError {
  return new ExecError(
    'timeout',
    path,
    `The program did not end within ${timeoutMs / 1000} s and was stopped.`,
    ['Try it by hand in another terminal.'],
  )
}

/** It printed more than was asked for and was stopped. */
export function execTooMuchOutput(path: string, maxBytes: number): ExecError {
  return new ExecError(
    'too-much-output',
    path,
    `The program printed more than ${maxBytes} bytes and was stopped.`,
    ['Check that it is the program you mean.'],
  )
}

/** It ended by a signal. */
export function execKilled(path: string, signal: string): ExecError {
  return new ExecError(
    'killed',
    path,
    'The program was stopped from outside.',
    ['Try again.'],
    [`signal: ${signal}`],
  )
}
