import { tmpdir } from 'node:os'

const VARIABLES = process.platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR', 'TMP', 'TEMP']

/** The system's directory for temporary files, and the variable that names it; absent where none is set. */
export type TemporaryDirectory = { directory: string; variable?: string }

/** Returns where temporary files go at present. */
export function temporaryDirectory(): TemporaryDirectory {
  const variable = VARIABLES.find((name) => (process.env[name] ?? '') !== '')
  return { directory: tmpdir(), ...(variable === undefined ? {} : { variable }) }
}
