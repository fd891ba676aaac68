import { isoTime } from '../core/base/format/document.ts'
import { ZERO_ADDRESS } from '../core/base/format/hex.ts'
import type { KeyState, Level } from '../core/chain/key-state/key-state.ts'
import type { KeysFields } from './documents/keys.ts'
import { proofOf } from './outlook-rows.ts'

/** What the chain knows of a key, as fields of a document. */
export type OnChain = Pick<KeysFields, 'onChain' | 'keyState'>

/** Where the chain was not asked. */
export const NOTHING_ON_CHAIN: OnChain = { onChain: null, keyState: null }

/** Returns what is known of a key as fields of a document, each part with who vouches for it. */
export function keyStateOf({ slot, block, record, operator, uncounted, set }: KeyState): OnChain['keyState'] {
  return {
    slot,
    block: block.number,
    blockHash: block.hash,
    blockAt: isoTime(Number(block.timestampSeconds) * 1000),
    record: recordOf(record),
    operator: operatorOf(operator),
    uncounted: uncountedOf(uncounted),
    set: 'unknown' in set ? 'unknown' : proofOf(set.proof),
  }
}

function levelOf(level: Level) {
  const { anchors, signed } = level.by === 'proof' ? level : { anchors: 0, signed: undefined }
  return { by: level.by, anchors, signedPercent: signed?.percent ?? 0 }
}

function recordOf(record: KeyState['record']) {
  if ('unknown' in record) return 'unknown'
  const { value, level } = record
  return value === 'absent' ? null : { ...levelOf(level), ...value }
}

function operatorOf(operator: KeyState['operator']) {
  if ('unknown' in operator) return 'unknown'
  return operator.value === ZERO_ADDRESS ? null : { address: operator.value, saidBy: operator.saidBy }
}

function uncountedOf(uncounted: KeyState['uncounted']) {
  if ('unknown' in uncounted) return 'unknown'
  const deposits = uncounted.value.map(({ blockSlot: block, ...deposit }) => ({ ...deposit, block }))
  return { ...levelOf(uncounted.level), deposits }
}
