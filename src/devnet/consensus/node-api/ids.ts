import { NodeRefusal } from '../../../core/errors/devnet.ts'
import type { Chain } from '../chain.ts'
import type { SlotRecord, StateRecord } from '../history.ts'

const MAX_UINT64 = (1n << 64n) - 1n
const DECIMAL = /^\d{1,20}$/
const ROOT = /^0x[0-9a-f]{64}$/i
const HEAD_NAMES = new Set(['head', 'finalized', 'justified'])

/** The 400 that the node gives for a field it cannot read. */
export function invalid(field: string, value: string): NodeRefusal {
  return new NodeRefusal(
    400,
    `invalid request: failed to validate request: code=400, message=Invalid ${field}: ${value}`,
  )
}

/**
 * The slot that a state, block or timestamp id names: head, finalized, justified, genesis, a slot or a state root.
 * It may lie in the future. Throws a 400 with the field's name for anything else.
 */
export function slotOf(chain: Chain, field: string, id: string): bigint {
  if (HEAD_NAMES.has(id)) return chain.history.head.header.slot
  if (id === 'genesis') return 0n
  if (DECIMAL.test(id) && BigInt(id) <= MAX_UINT64) return BigInt(id)
  if (!ROOT.test(id)) throw invalid(field, id)
  const slot = chain.history.slotOfStateRoot(id)
  if (slot === undefined) throw new NodeRefusal(404, 'not found')
  return slot
}

/** The slot of a timestamp id: besides the usual names, `t<unix seconds>` of the next execution block. */
export function slotOfTimestampId(chain: Chain, id: string): bigint {
  const seconds = /^t(\d{1,20})$/.exec(id)?.[1]
  if (seconds === undefined) return slotOf(chain, 'TimestampID', id)
  const slot = chain.history.slotBefore(BigInt(seconds))
  if (slot === undefined) throw new NodeRefusal(500, `slot not found at timestamp: ${seconds}`)
  return slot
}

/** Why there is no state of a slot: it is still to come, or no longer kept. */
export type Missing = { missing: 'future' | 'pruned'; message: string }

/** The state of a slot, or why there is none. */
export function stateOf(chain: Chain, slot: bigint): StateRecord | Missing {
  return chain.history.stateAt(slot) ?? missing(chain, slot)
}

/** The state of a slot; throws the 500 that most endpoints give when there is none. */
export function requireState(chain: Chain, slot: bigint): StateRecord {
  const found = stateOf(chain, slot)
  if ('missing' in found) throw new NodeRefusal(500, found.message)
  return found
}

/** The record of a slot, or why there is none. */
export function recordOf(chain: Chain, slot: bigint): SlotRecord | Missing {
  return chain.history.at(slot) ?? missing(chain, slot)
}

function missing(chain: Chain, slot: bigint): Missing {
  const head = chain.history.head.header.slot
  if (slot > head) return { missing: 'future', message: `CreateQueryContext failed: ${IN_THE_FUTURE}` }
  return { missing: 'pruned', message: pruned(slot, head) }
}

const IN_THE_FUTURE =
  'cannot query with height in the future; please provide a valid height: invalid height [consensus/cometbft/service/node_api_support.go:64]'

function pruned(slot: bigint, head: bigint): string {
  return `CreateQueryContext failed: failed to load state at height ${slot}; version does not exist (latest height: ${head}): invalid request`
}
