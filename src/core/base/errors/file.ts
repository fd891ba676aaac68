import { BaseError } from './base.ts'
import { tooManyOpen } from './too-many-open.ts'

export type FileFault =
  | 'missing'
  | 'denied'
  | 'not-a-file'
  | 'too-large'
  | 'exists'
  | 'not-ours'
  | 'open-to-others'
  | 'no-space'
  | 'poisoned'
  | 'failed'

/** A file that could not be read or written. `path` is as the user or the program gave it. */
export class FileError extends BaseError {
  readonly fault: FileFault
  readonly path: string

  constructor(fault: FileFault, path: string, sentence: string, parts: Parts = {}) {
    super(`file.${fault}`, sentence, {
      details: [`path: ${path}`, ...(parts.details ?? [])],
      nextSteps: parts.next ?? [],
      retryable: false,
      ...(parts.cause === undefined ? {} : { cause: parts.cause }),
    })
    this.name = 'FileError'
    this.fault = fault
    this.path = path
  }
}

type Parts = { details?: readonly string[]; next?: readonly string[]; cause?: unknown }

const MAKE_ROOM = 'Free some space, then start again.'
const WITH_STATE = 'Name a directory that you may write to: --state DIR.'
const DENIED = {
  fault: 'denied',
  sentence: 'The file may not be opened.',
  next: 'Check who owns it and its permissions.',
} as const

const TOO_MANY = tooManyOpen('file')

const SENTENCES: Readonly<Record<string, { fault: FileFault; sentence: string; next: string }>> = {
  ENOENT: { fault: 'missing', sentence: 'There is no such file.', next: 'Check the path.' },
  ENOTDIR: { fault: 'missing', sentence: 'There is no such file.', next: 'Check the path.' },
  EACCES: DENIED,
  EPERM: DENIED,
  EROFS: { fault: 'denied', sentence: 'The disk is read-only.', next: 'Choose another directory.' },
  ELOOP: {
    fault: 'not-a-file',
    sentence: 'The path is a link, and links are not followed here.',
    next: 'Give the real path.',
  },
  EISDIR: { fault: 'not-a-file', sentence: 'The path is a directory.', next: 'Give the path of a file.' },
  EEXIST: {
    fault: 'exists',
    sentence: 'The file is there already and is not overwritten.',
    next: 'Choose another name.',
  },
  ENOSPC: { fault: 'no-space', sentence: 'The disk is full.', next: MAKE_ROOM },
  EDQUOT: { fault: 'no-space', sentence: 'The disk quota is used up.', next: MAKE_ROOM },
  EMFILE: { fault: 'failed', ...TOO_MANY.EMFILE },
  ENFILE: { fault: 'failed', ...TOO_MANY.ENFILE },
}

/** A failure of the operating system; `code` is its name, e.g. ENOENT. */
export function fileSystemError(path: string, code: string, cause?: unknown): FileError {
  const known = SENTENCES[code]
  return new FileError(
    known?.fault ?? 'failed',
    path,
    known?.sentence ?? 'The file could not be read or written.',
    {
      details: [`reason: ${code}`],
      next: [known?.next ?? 'Check the disk, then try again.'],
      ...(cause === undefined ? {} : { cause }),
    },
  )
}

/** A directory of the program's own that the system does not let it make; `code` is the system's name for why. */
export function directoryNotMade(path: string, code: string, cause?: unknown): FileError {
  const { fault, sentence } = SENTENCES[code] ?? { fault: 'failed', sentence: '' }
  const isFull = fault === 'no-space'
  return new FileError(fault, path, isFull ? sentence : 'The directory cannot be made.', {
    details: [`reason: ${code}`],
    next: [isFull ? MAKE_ROOM : 'Check who owns the directory above it, and its permissions.', WITH_STATE],
    ...(cause === undefined ? {} : { cause }),
  })
}

/** The path holds something that is no regular file. */
export function fileNotRegular(path: string): FileError {
  return new FileError('not-a-file', path, 'The path is not a regular file.', {
    next: ['Give the path of a file.'],
  })
}

/** The file is bigger than anything of its kind. */
export function fileTooLarge(path: string, maxBytes: number): FileError {
  return new FileError('too-large', path, `The file is larger than ${maxBytes} bytes.`, {
    next: ['Check that it is the file you mean.'],
  })
}

/** An earlier write to this open file failed: nothing more is written, because nobody knows what is on the disk. */
export function filePoisoned(path: string): FileError {
  return new FileError(
    'poisoned',
    path,
    'An earlier write to this file failed; nothing more is written to it.',
    {
      next: ['Check the disk, then start again: what was recorded before is still there.'],
    },
  )
}

const FOUND = { nothing: 'found: no file', another: 'found: another file' }

/** A file is not at its path any more, or is not as long as what was read from it or written into it. */
export function fileChanged(
  path: string,
  expectedBytes: number,
  found: 'nothing' | 'another' | bigint,
): FileError {
  const sentence =
    'The file was deleted, moved or changed while it was in use; nothing more is written to it.'
  return new FileError('failed', path, sentence, {
    details: [
      `expected: ${expectedBytes} bytes, as known here`,
      typeof found === 'bigint' ? `found: ${found} bytes` : FOUND[found],
    ],
    next: [
      'Put the file back as it was, or find out what else writes there, then start again.',
      'If the file is lost, start again without it: the chain is looked at before anything is sent.',
    ],
  })
}

/** It belongs to another user, who could change it at any time. */
export function fileOfAnother(path: string): FileError {
  return new FileError(
    'not-ours',
    path,
    'This belongs to another user, who could change what is kept there.',
    {
      details: ['found: another owner', 'expected: the user who runs this program'],
      next: ['Run this as the user who owns it, or name a directory of your own with --state.'],
    },
  )
}

/** Others may write in a directory whose permissions are not for this program to change. `mode` is octal. */
export function fileOpenToOthers(path: string, mode: string): FileError {
  return new FileError('open-to-others', path, 'Others may write in this directory.', {
    details: [`found: permissions ${mode}`, 'expected: permissions 700'],
    next: ['Name a directory of your own with --state.'],
  })
}

export type HomeFault = 'missing' | 'unreadable' | 'field'

/** A node home that cannot be read for what it is. `file` is relative to the home. */
export class HomeError extends BaseError {
  readonly fault: HomeFault
  readonly file: string

  constructor(
    fault: HomeFault,
    file: string,
    sentence: string,
    parts: { details: string[]; next: string[] },
  ) {
    super(`home.${fault}`, sentence, { details: parts.details, nextSteps: parts.next })
    this.name = 'HomeError'
    this.fault = fault
    this.file = file
  }
}

/** A file that every node home has is not there. */
export function homeFileMissing(home: string, file: string): HomeError {
  return new HomeError('missing', file, `The node home has no ${file}.`, {
    details: [`home: ${home}`],
    next: [
      'Give the directory that the node runs with (its --home), or fetch the missing file for this network.',
    ],
  })
}

/** A file is not TOML. `reason` is safe to draw. */
export function homeUnreadable(home: string, file: string, reason: string): HomeError {
  return new HomeError('unreadable', file, `${file} of the node home is not TOML.`, {
    details: [`home: ${home}`, `reason: ${reason}`],
    next: [`Correct ${file}; the node could not read it either.`],
  })
}

/** A field is missing or odd. All parts are safe to draw. */
export function homeField(
  home: string,
  file: string,
  fault: { path: string; expected: string; found: string },
): HomeError {
  return new HomeError(
    'field',
    file,
    `${file} of the node home has a field that cannot be used: ${fault.path}.`,
    {
      details: [
        `home: ${home}`,
        `field: ${fault.path}`,
        `found: ${fault.found}`,
        `expected: ${fault.expected}`,
      ],
      next: [`Correct ${fault.path} in ${file}.`],
    },
  )
}
