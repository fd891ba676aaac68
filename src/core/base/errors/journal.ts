import { BaseError } from './base.ts'

/** `another`: of another chain or another key. */
export type JournalFault = 'damaged' | 'newer' | 'older' | 'another' | 'held' | 'unwritable'

/** A journal that cannot be continued. What it may have recorded is unknown, so nothing is sent on top of it. */
export class JournalError extends BaseError {
  readonly fault: JournalFault
  /** Line number, from 1, where the trouble is. */
  readonly line: number | undefined

  constructor(
    fault: JournalFault,
    sentence: string,
    parts: { line?: number; details: string[]; next: string[] },
  ) {
    super(`journal.${fault}`, sentence, { details: parts.details, nextSteps: parts.next, money: 'unknown' })
    this.name = 'JournalError'
    this.fault = fault
    this.line = parts.line
  }
}

/** A whole line of the journal is not what was written there. */
export function journalDamaged(line: number, reason: string): JournalError {
  return new JournalError('damaged', `The journal is damaged at line ${line}.`, {
    line,
    details: [`line: ${line}`, `reason: ${reason}`],
    next: [
      'Nothing is sent on top of a damaged journal. The file is left as it is.',
      'Keep a copy of it, then look at the chain: it knows what was sent.',
    ],
  })
}

/** A later version of the program wrote it. */
export function journalNewer(line: number, version: number): JournalError {
  return new JournalError('newer', 'The journal was written by a newer version of this program.', {
    line,
    details: [`line: ${line}`, `version of the journal: ${version}`],
    next: ['Use the newer version again.'],
  })
}

/** A program of the time before the first release wrote it, in a format that this one does not read. */
export function journalOlder(line: number, version: number): JournalError {
  return new JournalError('older', 'The journal was written by an older version of this program.', {
    line,
    details: [`line: ${line}`, `version of the journal: ${version}`],
    next: [
      'Nothing is sent on top of a journal that cannot be read. The file is left as it is.',
      'Use the older version until what it began has ended.',
    ],
  })
}

/** An event that could not be read back later: it is not written, and nothing follows from it. */
export function journalUnwritable(type: string, reason: string): JournalError {
  return new JournalError('unwritable', 'The journal cannot hold this event, so it did not happen.', {
    details: [`event: ${type}`, `reason: ${reason}`],
    next: ['This is a fault of the program. Start it again: it goes on from the journal as it is.'],
  })
}

/** It belongs to another network or another key. */
export function journalOfAnother(field: string, expected: string, found: string): JournalError {
  return new JournalError('another', 'The journal belongs to another network or another key.', {
    details: [`field: ${field}`, `found: ${found}`, `expected: ${expected}`],
    next: ['Start with another state directory, or move this journal away.'],
  })
}

/** Another running program holds it; `heldBy` says which one. */
export function journalHeld(path: string, heldBy: string): JournalError {
  return new JournalError('held', `Another running program uses this journal. ${heldBy}`, {
    details: [`path: ${path}`],
    next: ['Close the other window first. Two programs must never send for the same key.'],
  })
}

/** Another running program works on the same key, with a journal of its own; `heldBy` says which one. */
export function keyHeld(pubkey: string, heldBy: string): JournalError {
  return new JournalError('held', `Another running program works on this key. ${heldBy}`, {
    details: [`validator: ${pubkey}`],
    next: ['Close the other window first. Two programs must never send for the same key.'],
  })
}

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

/** A lock of a version that had no kernel's lock: whether it is held cannot be seen. */
export function olderLock({ path, pid }: { path: string; pid: number }): BaseError {
  return new BaseError('lock.older-version', 'An older version of Bearings made this lock.', {
    details: [`path: ${path}`, `process that it names: ${pid}`],
    nextSteps: [
      `Look what process ${pid} is (ps -p ${pid}, on Windows: tasklist /fi "PID eq ${pid}"). If it is Bearings, close that window.`,
      `If it is another program, or none, remove ${path}, then start again.`,
    ],
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

/** An event that has to be kept came before the journal was opened, or after it was closed. */
export function journalClosed(): BaseError {
  return new BaseError('journal.closed', 'The journal is not open.', {
    details: ['What cannot be kept does not happen: nothing was signed or sent.'],
    nextSteps: ['This is a fault of the program. Start it again: it goes on from the journal as it is.'],
  })
}

/** A setup that has no place for locks can look, and do nothing else. */
export function looksOnly(): BaseError {
  return new BaseError('session.looks-only', 'This setup only looks.', {
    nextSteps: ['Start the wizard to sign or to send.'],
  })
}

const ASKED_ANEW = { nextSteps: ['Nothing has to be done: what is needed is asked again.'], retryable: true }

/** The step was left, so its questions end. */
export function questionLeft(): BaseError {
  return new BaseError('session.left', 'This question was cancelled.', ASKED_ANEW)
}

/** The same question is asked anew, so the older one ends. */
export function questionRepeated(): BaseError {
  return new BaseError('session.repeated', 'This question is asked again.', ASKED_ANEW)
}

/** The file of settings is no whole JSON any more. */
export function settingsDamaged(path: string, cause: unknown): BaseError {
  return new BaseError('settings.damaged', 'The settings file cannot be read.', {
    details: [`path: ${path}`],
    nextSteps: ['Move it away: it holds paths and addresses only, which are then asked again.'],
    cause,
  })
}

/** The settings file was written by a newer version of the program, in a form that this one does not know. */
export function settingsOfLaterVersion(path: string, version: { found: number; known: number }): BaseError {
  return new BaseError('settings.later-version', 'A newer version of Bearings wrote the settings file.', {
    details: [`path: ${path}`, `version: ${version.found}`, `known: ${version.known}`],
    nextSteps: [
      'Use that version, or another directory with --state.',
      'Or move the file away: it holds paths and addresses only, which are then asked again.',
    ],
  })
}

/** What to do about what is no regular file in the place of one that this program keeps: nobody gave its path. */
export const NOT_OUR_FILE: readonly string[] = [
  'Put the file itself in this place, as this program wrote it.',
  'If it is lost, take away what is there and start again: the chain is looked at before anything is sent.',
]
