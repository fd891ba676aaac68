import { BaseError } from './base.ts'

/** Who has a lock. What is absent is not known. */
export type LockHolder = { path: string; pid?: number; host?: string; sinceMs?: number }

/** Says who has a lock, for a program that runs on this computer. */
export function heldHere(holder: LockHolder): string {
  return `${whoHolds(holder)} (${holder.path}).`
}

/** Says who took a lock, where that computer cannot be asked whether the program still runs, and what to do. */
export function heldElsewhere(holder: LockHolder): string {
  return `${whoHolds(holder)}; this computer cannot see whether it still runs. Once it has surely ended, remove ${holder.path}.`
}

function whoHolds({ pid, host, sinceMs }: LockHolder): string {
  const process = pid === undefined ? 'Another process' : `Process ${pid}`
  const where = host === undefined ? '' : ` on ${host}`
  const since = sinceMs === undefined ? '' : ` since ${utcText(sinceMs)}`
  return `${process}${where} holds the lock${since}`
}

/** Whole minutes of UTC, or nothing readable for a time that no clock shows. */
function utcText(ms: number): string {
  const at = new Date(ms)
  return Number.isNaN(at.getTime())
    ? 'an unknown time'
    : `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Locks cannot be taken on this disk, or by this Node. */
export function noKernelLock(path: string, reason: string, cause?: unknown): BaseError {
  return new BaseError('lock.unavailable', 'The lock that keeps a second window out cannot be taken.', {
    details: [`path: ${path}`, `reason: ${reason}`],
    nextSteps: ['Name a directory on a local disk with --state.', 'Use the Node that npm ci brings.'],
    cause,
  })
}

/** The one place of this user's locks cannot be used. `field` is of the user's entry in the passwd file. */
export function noLockPlace(
  found: { field: string; found: string; expected: string },
  cause?: unknown,
): BaseError {
  return new BaseError(
    'lock.no-place',
    'This user has no place for the lock that keeps a second window out.',
    {
      details: [
        `field: ${found.field}`,
        `found: ${found.found}`,
        `expected: ${found.expected}`,
        'The place is below the home directory of the passwd file; HOME, XDG_STATE_HOME and --state do not move it.',
      ],
      nextSteps: [
        'Run the program as a user whose passwd entry names a home directory of its own.',
        'In a container: add the user to its /etc/passwd, with a home that it owns.',
      ],
      cause,
    },
  )
}
