import { BaseError, errorsOf } from './base.ts'
import { type NoRoom, noRoom } from './room.ts'

const BY_HAND = 'This answer stays unknown. Run the printed command by hand to see what the tool says.'

/**
 * Another program could not be run to its end (`exec`), or the node tool gave no verdict that can be used (`tool`): that is
 * never a yes, and by itself no refusal either.
 */
export const execError = errorsOf(BaseError, {
  /** The path is not absolute, or nothing is there. */
  'exec.missing': (path: string, reason: string) => ({
    short: 'The program is not there.',
    details: [`program: ${path}`, `reason: ${reason}`],
    next: ['Give its full path.'],
  }),
  /** The file is there but cannot be started on this machine. */
  'exec.not-executable': (path: string, reason: string) => ({
    short: 'The program cannot be started on this computer.',
    details: [`program: ${path}`, `reason: ${reason}`],
    next: ['Check that it is executable and built for this system.'],
  }),
  /** Anyone could replace the program before it runs. */
  'exec.unsafe': (path: string, reason: string) => ({
    short: 'The program could be replaced by any user of this computer, so it is not run.',
    details: [`program: ${path}`, reason],
    next: ['Take the write permission for others away: chmod o-w.'],
  }),
  /** It did not end in time and was stopped. */
  'exec.timeout': (path: string, timeoutMs: number) => ({
    short: `The program did not end within ${timeoutMs / 1000} s and was stopped.`,
    details: [`program: ${path}`],
    next: ['Try it by hand in another terminal.'],
  }),
  /** It printed more than was asked for and was stopped. */
  'exec.too-much-output': (path: string, maxBytes: number) => ({
    short: `The program printed more than ${maxBytes} bytes and was stopped.`,
    details: [`program: ${path}`],
    next: ['Check that it is the program you mean.'],
  }),
  /** It ended by a signal. */
  'exec.killed': (path: string, signal: string) => ({
    short: 'The program was stopped from outside.',
    details: [`program: ${path}`, `signal: ${signal}`],
    next: ['Try again.'],
  }),
  /** The system has no room to start it. */
  'exec.no-room': (room: NoRoom) => room,
  /** It ended with an error. `said` is its first line, safe to draw. */
  'tool.failed': (command: string, exitCode: number, firstLine: string) => ({
    short: `The node tool could not do "${command}".`,
    details: [`exit code: ${exitCode}`, `it said: "${firstLine}"`],
    next: [BY_HAND],
  }),
  /** It ended well, but what it printed is in no known form. */
  'tool.unreadable': (command: string, field: string, found: string) => ({
    short: `The node tool's answer to "${command}" is in no known form.`,
    details: [`field: ${field}`, `found: ${found}`],
    next: [BY_HAND],
  }),
  /** It answered about something else than it was asked. */
  'tool.other-answer': (command: string, field: string, values: { found: string; expected: string }) => ({
    short: `The node tool answered "${command}" about something else.`,
    details: [`field: ${field}`, `found: ${values.found}`, `expected: ${values.expected}`],
    next: [BY_HAND],
  }),
  /** The tool would write what the home lacks, and a node's home is never written to. `lacks` is safe to draw. */
  'tool.home-incomplete': (home: string, lacks: string) => ({
    short: `The node tool is not run in this home: it has no ${lacks}, and the tool would make one.`,
    details: [`home: ${home}`],
    next: ['Give the home that the node runs with.'],
  }),
  /** What is installed cannot be asked this, so nothing is asked of it; that is no fault of the deposit. */
  'tool.not-asked': (short: string) => ({
    short,
    next: ['Install the node tool of the version that the node runs.'],
  }),
})

/** Returns why another program cannot start, as `noRoom` does. */
export function noRoomToStart(code: string, openFileLimit?: () => number | undefined): BaseError | undefined {
  const room = noRoom('program', code, openFileLimit)
  return room && execError('exec.no-room', room)
}
