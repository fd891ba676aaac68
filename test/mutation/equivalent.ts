/** A change that is none: no input can tell it from the code as it is. */
type Equivalent = { file: string; line: string; from: string; to: string; why: string }

/** Read one by one. `line` is the line of the source on which the changed expression begins, without its indent. */
export const EQUIVALENT: readonly Equivalent[] = []

/** The rates of the first run, by file, before tests were added for what it showed. */
export const BEFORE: Readonly<Record<string, number>> = {}
