import { homedir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { BaseError, isError } from '../errors/base.ts'
import { noRoomToStart } from '../errors/exec.ts'
import { fileSystemError, notOurFile } from '../errors/file.ts'

/** Runs a file operation and turns what the system throws into a `file.*` error for `path`. */
export async function guarded<T>(path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (thrown) {
    throw thrown instanceof BaseError ? thrown : toFileError(path, thrown)
  }
}

/** Whether the system's name for a failure says that nothing is there: nothing else does. */
export const isAbsent = (code: string): boolean => ['ENOENT', 'ENOTDIR'].includes(code)

/**
 * Returns what a file operation found, or undefined where nothing is at `path`. Throws a `file.*` error where that is not
 * known, as of what this user may not read.
 */
export async function unlessAbsent<T>(path: string, found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (thrown) {
    if (isAbsent(systemCode(thrown))) return undefined
    throw toFileError(path, thrown)
  }
}

/** What the system threw, as a `file.*` error for `path`. */
export function toFileError(path: string, thrown: unknown): BaseError {
  return isError(thrown, 'file') ? thrown : fileSystemError(path, systemCode(thrown), thrown)
}

/** The same for a file that this program keeps itself, where something else than a file may be in its place. */
export function toOwnFileError(path: string, thrown: unknown): BaseError {
  const failure = toFileError(path, thrown)
  return failure.code === 'file.not-a-file' ? notOurFile(failure, thrown) : failure
}

/** The name the system gives to a failure, e.g. ENOENT; `unknown` when it has none. */
export function systemCode(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : 'unknown'
}

/**
 * The user's own directory: of the environment, else of the system's list of users. A user whom neither knows, of a
 * service or a container, has the root of the disk, as after a login without a home.
 */
export function homeDirectory(): string {
  try {
    return homedir()
  } catch {
    return parse(process.cwd()).root
  }
}

/**
 * A path with `~` or `~/` at its beginning replaced by the user's own directory, as a shell does it for text that is
 * typed at its prompt. `--option=~/path` and what is typed into a field never pass through a shell. Other paths, and
 * another user's `~name`, stay as they are.
 */
export function expandHome(path: string, home: string = homeDirectory()): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path
}

/** Returns a path from the root, as `expandHome` and the working directory make it. */
export function absolutePath(path: string, home?: string): string {
  return resolve(expandHome(path, home))
}

/**
 * What hindered the start of another program, where this computer gives no room for one, whether Node threw it or told
 * it later; undefined for any other fault. It repeats nothing of the command.
 */
export function roomFault(thrown: unknown): BaseError | undefined {
  return noRoomToStart(systemCode(thrown), openFileLimit)
}

/** How many files this process may have open; undefined where the system does not tell. It opens none to find out. */
export function openFileLimit(): number | undefined {
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report
  // Else it asks for the names of all that sockets are connected to.
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : undefined
}
