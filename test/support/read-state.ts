import type { BeaconState } from '../../src/core/chain/proofs/beacon-state.ts'
import { beginDebugState } from '../../src/core/clients/node/debug-state.ts'

/** The beacon state in the text of a reply of the debug endpoint, read as the program reads it. */
export function readState(text: string): BeaconState {
  const reader = beginDebugState()
  reader.intake.write(new TextEncoder().encode(text))
  const { data } = reader.intake.end() as { data: unknown }
  return reader.finish(data, 'data')
}
