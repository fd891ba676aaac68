import { proveSnapshot, readReportedSnapshot } from '../clients/prove-snapshot.ts'
import type { SetSnapshot } from '../consensus/snapshot.ts'
import { StateMismatchError } from '../errors/deposit.ts'

/**
 * The proven set, else the reported one; undefined where the state is not the chain's. `alone`: whether the first
 * execution endpoint may prove it by itself where the second one contradicts.
 */
export async function snapshotOf(
  clients: Parameters<typeof proveSnapshot>[0],
  options: Parameters<typeof proveSnapshot>[1],
  { alone }: { alone: boolean },
): Promise<{ snapshot: SetSnapshot | undefined }> {
  const found = await provenBy(clients, options)
  if (found !== undefined && 'consensus' in found) return { snapshot: found }
  const isRefused = found === undefined || !found.outOfReach
  const { second: _, ...first } = clients
  const again = alone && isRefused && clients.second !== undefined ? await provenBy(first, options) : found
  if (again === undefined || 'consensus' in again) return { snapshot: again }
  return { snapshot: await readReportedSnapshot(clients, { ...options, unproven: again.unproven }) }
}

async function provenBy(...asked: Parameters<typeof proveSnapshot>) {
  try {
    return await proveSnapshot(...asked)
  } catch (thrown) {
    if (thrown instanceof StateMismatchError) return undefined
    throw thrown
  }
}
