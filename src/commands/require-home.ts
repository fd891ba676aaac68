import { noHome } from '../core/errors/usage.ts'
import type { NodeSetup } from '../core/facts.ts'
import { safeText } from '../core/format/text.ts'
import type { Call } from './command.ts'

/**
 * Refuses to look for a key in a home that is not there at all. `instead` is what the command takes in its place.
 * Throws `usage.no-home`.
 */
export async function requireHome(
  { effects }: Pick<Call, 'effects'>,
  { homePath }: NodeSetup,
  instead: string,
): Promise<void> {
  if ((await effects.files.facts(homePath)) !== undefined) return
  throw noHome(safeText(homePath, 500), [
    'Give the directory that the node runs with: --home DIR.',
    ...(instead === '' ? [] : [instead]),
  ])
}
