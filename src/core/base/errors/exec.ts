import { BaseError } from './base.ts'
import { type Known, openFileDetails, tooManyOpen } from './too-many-open.ts'

export type ExecFault =
  | 'missing'
  | 'not-executable'
  | 'unsafe'
  | 'timeout'
  | 'too-much-output'
  | 'killed'
  | 'no-room'

/** Another program that could not be run to its end. `path` is its absolute path, where it matters which. */
export class ExecError extends BaseError {
  readonly fault: ExecFault
  readonly path: string | undefined

  constructor(
    fault: ExecFault,
    path: string | undefined,
    sentence: string,
    next: readonly string[],
    details: readonly string[] = [],
  ) {
    const program = path === undefined ? [] : [`program: ${path}`]
    super(`exec.${fault}`, sentence, { details: [...program, ...details], nextSteps: next })
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

export type ToolFault = 'failed' | 'unreadable' | 'other-answer' | 'home-incomplete' | 'not-asked'

const BY_HAND = 'This answer stays unknown. Run the printed command by hand to see what the tool says.'

/** The node tool gave no verdict that can be used. That is never a yes, and by itself no refusal either. */
export class ToolError extends BaseError {
  readonly fault: ToolFault

  constructor(fault: ToolFault, sentence: string, details: readonly string[], next = BY_HAND) {
    super(`tool.${fault}`, sentence, { details, nextSteps: [next] })
    this.name = 'ToolError'
    this.fault = fault
  }
}

/** It ended with an error. `said` is its first line, safe to draw. */
export function toolFailed(command: string, exitCode: number, firstLine: string): ToolError {
  return new ToolError('failed', `The node tool could not do "${command}".`, [
    `exit code: ${exitCode}`,
    `it said: "${firstLine}"`,
  ])
}

/** It ended well, but what it printed is in no known form. */
export function toolUnreadable(command: string, field: string, found: string): ToolError {
  return new ToolError('unreadable', `The node tool's answer to "${command}" is in no known form.`, [
    `field: ${field}`,
    `found: ${found}`,
  ])
}

/** It answered about something else than it was asked. */
export function toolOtherAnswer(
  command: string,
  field: string,
  values: { found: string; expected: string },
): ToolError {
  return new ToolError('other-answer', `The node tool answered "${command}" about something else.`, [
    `field: ${field}`,
    `found: ${values.found}`,
    `expected: ${values.expected}`,
  ])
}

/** The tool would write what the home lacks, and a node's home is never written to. `lacks` is safe to draw. */
export function toolHomeIncomplete(home: string, lacks: string): ToolError {
  return new ToolError(
    'home-incomplete',
    `The node tool is not run in this home: it has no ${lacks}, and the tool would make one.`,
    [`home: ${home}`],
    'Give the home that the node runs with.',
  )
}

/** What is installed cannot be asked this, so nothing is asked of it; that is no fault of the deposit. */
export function toolNotAsked(sentence: string): ToolError {
  return new ToolError('not-asked', sentence, [], 'Install the node tool of the version that the node runs.')
}

/** Whether what was thrown says that the tool was not asked at all: then it is as if none were installed. */
export function isNotAsked(thrown: unknown): thrown is ToolError {
  return thrown instanceof ToolError && thrown.fault === 'not-asked'
}

const NO_ROOM: Readonly<Record<string, Known>> = {
  ...tooManyOpen('program'),
  EAGAIN: {
    sentence: 'This user runs too many processes to start another program.',
    next: 'Close other programs, or allow more (ulimit -u), then start again.',
  },
  ENOMEM: {
    sentence: 'The memory of this computer is used up: no other program can be started.',
    next: 'Close other programs, then start again.',
  },
}

/**
 * The system has no room to start another program; undefined where `code`, its name for the fault, says something else.
 * `openFileLimit` tells how many files may be open at once, where that is known.
 */
export function noRoomToStart(
  code: string,
  openFileLimit: () => number | undefined = () => undefined,
): ExecError | undefined {
  const known = NO_ROOM[code]
  if (known === undefined) return undefined
  const details = openFileDetails(code, openFileLimit)
  return new ExecError('no-room', undefined, known.sentence, [known.next], details)
}
