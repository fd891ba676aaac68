import { BaseError, type ErrorParts, errorsOf, type OddField } from './base.ts'

type JournalParts = ErrorParts & { line?: number }

/** A journal that cannot be continued. What it may have recorded is unknown, so nothing is sent on top of it. */
export class JournalError extends BaseError {
  /** Line number, from 1, where the trouble is. */
  readonly line: number | undefined

  constructor(code: string, parts: JournalParts) {
    super(code, { ...parts, money: 'unknown' })
    this.name = 'JournalError'
    this.line = parts.line
  }

  /** Returns the same error with the file that it's about. */
  at(path: string): JournalError {
    const { code, shortMessage: short, line, nextSteps: next } = this
    const details = [`path: ${path}`, ...this.details]
    return new JournalError(code, {
      short,
      details,
      next,
      cause: this,
      ...(line === undefined ? {} : { line }),
    })
  }
}

const ANOTHER = {
  opened: {
    short: 'The journal belongs to another network or another key.',
    next: ['Start with another state directory, or move this journal away.'],
  },
  open: {
    short: 'The endpoints or the key have changed under the open journal.',
    next: ['Quit, set them right, start again.'],
  },
}

const LEFT_AS_IS = 'Nothing is sent on top of it. The file is left as it is.'

/** A journal cannot be continued. */
export const journalError = errorsOf(JournalError, {
  /** A whole line of the journal is not what was written there. */
  'journal.damaged': (line: number, reason: string) => ({
    short: `The journal is damaged at line ${line}.`,
    line,
    details: [`line: ${line}`, `reason: ${reason}`],
    next: [
      'Nothing is sent on top of a damaged journal. The file is left as it is.',
      'Keep a copy of it, then look at the chain: it knows what was sent.',
    ],
  }),
  /** Its file is there and holds nothing: what was in it is gone, or it was never begun. */
  'journal.empty': {
    short: 'The journal is empty.',
    next: [
      'Put the file back from a copy. Without one, look at the chain: it knows what was sent.',
      'Open that validator in the wizard: a new journal is begun, and the chain is looked at before anything is sent.',
    ],
  },
  /** Its last line has no end, as a crash leaves it: nothing relied on that line, unless somebody cut the file. */
  'journal.cut': {
    short: 'The last line of the journal is cut off.',
    next: [
      'Open that validator in the wizard: the line is left out, and the chain is looked at before anything is sent.',
    ],
  },
  /** A later version of the program wrote it. */
  'journal.newer': (line: number, version: number) => ({
    short: 'The journal was written by a newer version of this program.',
    line,
    details: [`line: ${line}`, `version of the journal: ${version}`],
    next: [LEFT_AS_IS, 'Use the newer version again.'],
  }),
  /** A whole line, with its checksum, that this version has no reading for. */
  'journal.unknown': (line: number, reason: string) => ({
    short: `This version of Bearings doesn’t know what line ${line} of the journal says.`,
    line,
    details: [`line: ${line}`, `reason: ${reason}`],
    next: [LEFT_AS_IS, 'A newer version wrote that line, as a rule: use that version again.'],
  }),
  /** A program of the time before the first release wrote it, in a format that this one does not read. */
  'journal.older': (line: number, version: number) => ({
    short: 'The journal was written by an older version of this program.',
    line,
    details: [`line: ${line}`, `version of the journal: ${version}`],
    next: [
      'Nothing is sent on top of a journal that cannot be read. The file is left as it is.',
      'Use the older version until what it began has ended.',
    ],
  }),
  /** An event that could not be read back later: it is not written, and nothing follows from it. */
  'journal.unwritable': (type: string, reason: string) => ({
    short: 'The journal cannot hold this event, so it did not happen.',
    details: [`event: ${type}`, `reason: ${reason}`],
    next: ['This is a fault of the program. Start it again: it goes on from the journal as it is.'],
  }),
  /** It belongs to another network or another key, when it is opened or while it is open. */
  'journal.another': (which: 'opened' | 'open', { field, found, expected }: OddField) => ({
    ...ANOTHER[which],
    details: [`field: ${field}`, `found: ${found}`, `expected: ${expected}`],
  }),
  /** Another running program holds it, or works on the same key with a journal of its own; `heldBy` says which one. */
  'journal.held': (what: { path: string } | { pubkey: string }, heldBy: string) => ({
    short:
      'path' in what
        ? `Another running program uses this journal. ${heldBy}`
        : `Another running program works on this key. ${heldBy}`,
    details: ['path' in what ? `path: ${what.path}` : `validator: ${what.pubkey}`],
    next: ['Close the other window first. Two programs must never send for the same key.'],
  }),
})

/** Whether a file is whole, and of a version that knows more than this one. */
export const isOfNewerVersion = ({ code }: Pick<BaseError, 'code'>): boolean =>
  code === 'journal.newer' || code === 'journal.unknown' || code === 'guard.newer'

/** Names a file by what was thrown while it was read. `path` must be safe to draw. `isNewer`: a newer version wrote it. */
export const unreadFile = (
  path: string,
  fault: BaseError,
): { path: string; why: string; isNewer?: true } => ({
  path,
  why: fault.shortMessage,
  ...(isOfNewerVersion(fault) ? { isNewer: true } : {}),
})

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

const ASKED_AGAIN = { next: ['Nothing has to be done: what is needed is asked again.'], retryable: true }

/** What a session needs to keep is not there: its lock, its journal or its settings. Or one of its questions ended. */
export const sessionError = errorsOf(BaseError, {
  /** Locks cannot be taken on this disk, or by this Node. */
  'lock.unavailable': (path: string, reason: string, cause?: unknown) => ({
    short: 'The lock that keeps a second window out cannot be taken.',
    details: [`path: ${path}`, `reason: ${reason}`],
    next: ['Name a directory on a local disk with --state.', 'Use the Node that npm ci brings.'],
    cause,
  }),
  /** A lock of a version that had no kernel's lock: whether it is held cannot be seen. */
  'lock.older-version': ({ path, pid }: { path: string; pid: number }) => ({
    short: 'An older version of Bearings made this lock.',
    details: [`path: ${path}`, `process that it names: ${pid}`],
    next: [
      `Look what process ${pid} is (ps -p ${pid}, on Windows: tasklist /fi "PID eq ${pid}"). If it is Bearings, close that window.`,
      `If it is another program, or none, remove ${path}, then start again.`,
    ],
  }),
  /** The one place of this user's locks cannot be used. `field` is of the user's entry in the passwd file. */
  'lock.no-place': (found: OddField, cause?: unknown) => ({
    short: 'This user has no place for the lock that keeps a second window out.',
    details: [
      `field: ${found.field}`,
      `found: ${found.found}`,
      `expected: ${found.expected}`,
      'The place is below the home directory of the passwd file; HOME, XDG_STATE_HOME and --state do not move it.',
    ],
    next: [
      'Run the program as a user whose passwd entry names a home directory of its own.',
      'In a container: add the user to its /etc/passwd, with a home that it owns.',
    ],
    cause,
  }),
  /** An event that has to be kept came before the journal was opened, or after it was closed. */
  'journal.closed': {
    short: 'The journal is not open.',
    details: ['What cannot be kept does not happen: nothing was signed or sent.'],
    next: ['This is a fault of the program. Start it again: it goes on from the journal as it is.'],
  },
  /** A setup that has no place for locks can look, and do nothing else. */
  'session.looks-only': {
    short: 'This setup only looks.',
    next: ['Start the wizard to sign or to send.'],
  },
  /** The step was left, so its questions end. */
  'session.left': {
    short: 'This question was cancelled.',
    ...ASKED_AGAIN,
  },
  /** The same question is asked anew, so the older one ends. */
  'session.repeated': {
    short: 'This question is asked again.',
    ...ASKED_AGAIN,
  },
  /** The file of settings is no whole JSON any more. */
  'settings.damaged': (path: string, cause: unknown) => ({
    short: 'The settings file cannot be read.',
    details: [`path: ${path}`],
    next: ['Move it away: it holds paths and addresses only, which are then asked again.'],
    cause,
  }),
  /** The settings file was written by a newer version of the program, in a form that this one does not know. */
  'settings.later-version': (path: string, version: { found: number; known: number }) => ({
    short: 'A newer version of Bearings wrote the settings file.',
    details: [`path: ${path}`, `version: ${version.found}`, `known: ${version.known}`],
    next: [
      'Use that version, or another directory with --state.',
      'Or move the file away: it holds paths and addresses only, which are then asked again.',
    ],
  }),
})
