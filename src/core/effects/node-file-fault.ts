import { FileError, fileSystemError } from '../errors/file.ts'

/** Runs a file operation and turns what the system throws into a `FileError` for `path`. */
export async function guarded<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    throw toFileError(path, thrown)
  }
}

/** What the system threw, as a `FileError` for `path`. */
export function toFileError(path: string, thrown: unknown): FileError {
  return thrown instanceof FileError ? thrown : fileSystemError(path, systemCode(thrown), thrown)
}

/** The name the system gives to a failure, e.g. ENOENT; `unknown` when it has none. */
export function systemCode(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : 'unknown'
}
