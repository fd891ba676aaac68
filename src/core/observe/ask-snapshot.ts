import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import { readReportedSnapshot, trySnapshot } from '../clients/prove-snapshot.ts'

/**
 * The proven set, else the reported one; undefined where the state is not the chain's. `alone`: whether the first
 * execution endpoint may prove it by itself where the second one contradicts.
 */
export async function snapshotOf(
  clients: Parameters<typeof trySnapshot>[0],
  options: Parameters<typeof trySnapshot>[1],
  { alone }: { alone: boolean },
): Promise<{ snapshot: SetSnapshot | undefined }> {
  const found = await trySnapshot(clients, options)
  if ('consensus' in found) return { snapshot: found }
  const isRefused = 'mismatch' in found || !found.outOfReach
  const { second: _, ...first } = clients
  const again = alone && isRefused && clients.second !== undefined ? await trySnapshot(first, options) : found
  if ('mismatch' in again) return { snapshot: undefined }
  if ('consensus' in again) return { snapshot: again }
  const report = () => readReportedSnapshot(clients, { ...options, ...again })
  return { snapshot: await (options.statePace?.ask(report) ?? report()) }
}
