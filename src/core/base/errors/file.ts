import { BaseError, errorsOf } from './base.ts'
import { NO_ROOM } from './room.ts'

const MAKE_ROOM = 'Free some space, then start again.'

const WITH_STATE = 'Name a directory that you may write to: --state DIR.'

const DENIED = {
  code: 'file.denied',
  short: 'The file may not be opened.',
  next: 'Check who owns it and its permissions.',
} as const

const SYSTEM_FAULTS: Readonly<Record<string, { code: string; short: string; next: string }>> = {
  ENOENT: { code: 'file.missing', short: 'There is no such file.', next: 'Check the path.' },
  ENOTDIR: { code: 'file.missing', short: 'There is no such file.', next: 'Check the path.' },
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: { code: 'file.denied', short: 'The disk is read-only.', next: 'Choose another directory.' },
  ELOOP: {
    code: 'file.not-a-file',
    short: 'The path is a link, and links are not followed here.',
    next: 'Give the real path.',
  },
  EISDIR: { code: 'file.not-a-file', short: 'The path is a directory.', next: 'Give the path of a file.' },
  EEXIST: {
    code: 'file.exists',
    short: 'The file is there already and is not overwritten.',
    next: 'Choose another name.',
  },
  ENOSPC: { code: 'file.no-space', short: 'The disk is full.', next: MAKE_ROOM },
  EDQUOT: { code: 'file.no-space', short: 'The disk quota is used up.', next: MAKE_ROOM },
  EMFILE: { code: 'file.failed', short: NO_ROOM.EMFILE.file, next: NO_ROOM.EMFILE.next },
  ENFILE: { code: 'file.failed', short: NO_ROOM.ENFILE.file, next: NO_ROOM.ENFILE.next },
}

const FAILED = {
  code: 'file.failed',
  short: 'The file could not be read or written.',
  next: 'Check the disk, then try again.',
}

const FOUND = { nothing: 'found: no file', another: 'found: another file' }

/** A file could not be read or written. A path is as the user or the program gave it. */
export const fileError = errorsOf(BaseError, {
  /** The path holds something that is no regular file. */
  'file.not-a-file': (path: string) => ({
    short: 'The path is not a regular file.',
    details: [`path: ${path}`],
    next: ['Give the path of a file.'],
  }),
  /** The file is bigger than anything of its kind. */
  'file.too-large': (path: string, maxBytes: number) => ({
    short: `The file is larger than ${maxBytes} bytes.`,
    details: [`path: ${path}`],
    next: ['Check that it is the file you mean.'],
  }),
  /** An earlier write to this open file failed: nothing more is written, because nobody knows what is on the disk. */
  'file.poisoned': (path: string) => ({
    short: 'An earlier write to this file failed; nothing more is written to it.',
    details: [`path: ${path}`],
    next: ['Check the disk, then start again: what was recorded before is still there.'],
  }),
  /** A file is not at its path any more, or is not as long as what was read from it or written into it. */
  'file.failed': (path: string, expectedBytes: number, found: 'nothing' | 'another' | bigint) => ({
    short: 'The file was deleted, moved or changed while it was in use; nothing more is written to it.',
    details: [
      `path: ${path}`,
      `expected: ${expectedBytes} bytes, as known here`,
      typeof found === 'bigint' ? `found: ${found} bytes` : FOUND[found],
    ],
    next: [
      'Put the file back as it was, or find out what else writes there, then start again.',
      'If the file is lost, start again without it: the chain is looked at before anything is sent.',
    ],
  }),
  /** It belongs to another user, who could change it at any time. */
  'file.not-ours': (path: string) => ({
    short: 'This belongs to another user, who could change what is kept there.',
    details: [`path: ${path}`, 'found: another owner', 'expected: the user who runs this program'],
    next: ['Run this as the user who owns it, or name a directory of your own with --state.'],
  }),
  /** Others may write in a directory whose permissions are not for this program to change. `mode` is octal. */
  'file.open-to-others': (path: string, mode: string) => ({
    short: 'Others may write in this directory.',
    details: [`path: ${path}`, `found: permissions ${mode}`, 'expected: permissions 700'],
    next: ['Name a directory of your own with --state.'],
  }),
})

/** A failure of the operating system; `reason` is its name, e.g. ENOENT. */
export function fileSystemError(path: string, reason: string, cause?: unknown): BaseError {
  const { code, short, next } = SYSTEM_FAULTS[reason] ?? FAILED
  return new BaseError(code, { short, details: [`path: ${path}`, `reason: ${reason}`], next: [next], cause })
}

/** A directory of the program's own that the system does not let it make; `reason` is the system's name for why. */
export function directoryNotMade(path: string, reason: string, cause?: unknown): BaseError {
  const { code, short } = SYSTEM_FAULTS[reason] ?? FAILED
  const isFull = code === 'file.no-space'
  return new BaseError(code, {
    short: isFull ? short : 'The directory cannot be made.',
    details: [`path: ${path}`, `reason: ${reason}`],
    next: [isFull ? MAKE_ROOM : 'Check who owns the directory above it, and its permissions.', WITH_STATE],
    cause,
  })
}

/** What to do about what is no regular file in the place of one that this program keeps: nobody gave its path. */
export const NOT_OUR_FILE: readonly string[] = [
  'Put the file itself in this place, as this program wrote it.',
  'If it is lost, take away what is there and start again: the chain is looked at before anything is sent.',
]

/** The same failure for a file that this program keeps itself, where something else is in its place. */
export const notOurFile = ({ code, shortMessage, details }: BaseError, cause: unknown): BaseError =>
  new BaseError(code, { short: shortMessage, details, next: NOT_OUR_FILE, cause })
