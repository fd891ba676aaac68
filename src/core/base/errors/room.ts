import type { ErrorParts } from './base.ts'

/** What is said where there is no room, by the code of the system and what it was wanted for. */
export const NO_ROOM = {
  EMFILE: {
    connection: 'Too many files are open here for another connection.',
    program: 'Too many files are open here to start another program.',
    file: 'Too many files are open here to open another one.',
    next: 'Allow more in this shell, then start again: ulimit -n 1024',
  },
  ENFILE: {
    connection: 'Too many files are open on this computer for another connection.',
    program: 'Too many files are open on this computer to start another program.',
    file: 'Too many files are open on this computer to open another one.',
    next: 'Close other programs, then start again.',
  },
  EAGAIN: {
    program: 'This user runs too many processes to start another program.',
    next: 'Close other programs, or allow more (ulimit -u), then start again.',
  },
  ENOMEM: {
    program: 'The memory of this computer is used up: no other program can be started.',
    next: 'Close other programs, then start again.',
  },
} as const

type Wanted = 'connection' | 'program'
const BY_CODE: Readonly<Record<string, { next: string } & { [What in Wanted]?: string }>> = NO_ROOM

/** What an error says where this computer has no room. */
export type NoRoom = Required<Pick<ErrorParts, 'short' | 'details' | 'next'>>

/**
 * Returns what to say where this computer has no room for another connection or program; undefined where `code`, the
 * system's name for the fault, says something else. `openFileLimit` tells how many files may be open at once, where that is
 * known.
 */
export function noRoom(
  wanted: Wanted,
  code: string,
  openFileLimit: () => number | undefined = () => undefined,
): NoRoom | undefined {
  const { [wanted]: short, next = '' } = BY_CODE[code] ?? {}
  if (short === undefined) return undefined
  const limit = code === 'EMFILE' ? openFileLimit() : undefined
  const details = [`reason: ${code}`, ...(limit === undefined ? [] : [`limit: ${limit} open files`])]
  return { short, details, next: [next] }
}
