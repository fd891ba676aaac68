/** What the program's end means to whoever called it. */
export const EXIT = {
  done: 0,
  /** A check failed: the answer is "no". */
  no: 1,
  wrongUse: 2,
  /** The answer could not be found out. */
  unknown: 3,
  stopped: 4,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
