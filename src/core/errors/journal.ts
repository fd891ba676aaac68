import { BaseError } from './base.ts'

/** `another`: of another chain or another key. */
export type JournalFault = 'damaged' | 'newer' | 'another' | 'held' | 'unwritable'

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
