/** What there is no room for while too many files are open. */
type Wanted = 'connection' | 'program' | 'file'

/** The codes of the system: the limit of a shell, and that of the computer. */
const TOO_MANY_OPEN = {
  EMFILE: {
    sentences: {
      connection: 'Too many files are open here for another connection.',
      program: 'Too many files are open here to start another program.',
      file: 'Too many files are open here to open another one.',
    },
    next: 'Allow more in this shell, then start again: ulimit -n 1024',
  },
  ENFILE: {
    sentences: {
      connection: 'Too many files are open on this computer for another connection.',
      program: 'Too many files are open on this computer to start another program.',
      file: 'Too many files are open on this computer to open another one.',
    },
    next: 'Close other programs, then start again.',
  },
} as const

/** What a fault of the system says, and what to do. */
export type Known = { short: string; next: string }

/** What is said where too many files are open for what is wanted, by the code of the system. */
export const tooManyOpen = (wanted: Wanted): Readonly<Record<keyof typeof TOO_MANY_OPEN, Known>> => ({
  EMFILE: { short: TOO_MANY_OPEN.EMFILE.sentences[wanted], next: TOO_MANY_OPEN.EMFILE.next },
  ENFILE: { short: TOO_MANY_OPEN.ENFILE.sentences[wanted], next: TOO_MANY_OPEN.ENFILE.next },
})

/** The code of the system, and how many files may be open at once where that is why and is known. */
export function openFileDetails(code: string, openFileLimit: () => number | undefined): string[] {
  const limit = code === 'EMFILE' ? openFileLimit() : undefined
  return [`reason: ${code}`, ...(limit === undefined ? [] : [`limit: ${limit} open files`])]
}
