import type { BaseError } from '../errors/base.ts'
import { noRoomToStart } from '../errors/exec.ts'
import { systemCode } from './node-file-fault.ts'

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
