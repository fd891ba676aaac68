import { FAR_FUTURE_EPOCH } from '../consensus/state.ts'
import { sameHex, ZERO_ADDRESS } from '../format/hex.ts'
import type { KeyRecord, KeyState } from './key-state.ts'

/**
 * Where a key stands, as one word. `unused`: nothing was ever deposited for it. `waiting`: a deposit for it is in a block
 * and not counted yet. `lost`: its deposits were counted and the state does not hold it: the chain kept the money.
 */
export type KeyVerdict =
  | 'unknown'
  | 'unused'
  | 'waiting'
  | 'lost'
  | 'registered'
  | 'exiting'
  | 'exited'
  | 'withdrawn'

/**
 * The verdict over what is known of a key; `slotsPerEpoch` tells the epoch of its slot. It says nothing of who vouches
 * for it: a caller that decides about money looks at the levels of the parts as well. What the parts say of one another
 * must fit: an operator without deposits, or deposits without an operator, is unknown.
 */
export function verdictOf(key: KeyState, { slotsPerEpoch }: { slotsPerEpoch: bigint }): KeyVerdict {
  const { record, slot } = key
  if ('unknown' in record) return 'unknown'
  return record.value === 'absent'
    ? verdictOfAbsent(key)
    : verdictOfRecord(record.value, slot / slotsPerEpoch)
}

function verdictOfRecord({ validator, balanceGwei }: KeyRecord, epoch: bigint): KeyVerdict {
  const { exitEpoch, withdrawableEpoch } = validator
  if (exitEpoch === FAR_FUTURE_EPOCH) return 'registered'
  if (exitEpoch > epoch) return 'exiting'
  return withdrawableEpoch <= epoch && balanceGwei === 0n ? 'withdrawn' : 'exited'
}

function verdictOfAbsent({ operator, uncounted }: KeyState): KeyVerdict {
  if ('unknown' in operator) return 'unknown'
  const isSet = !sameHex(operator.value, ZERO_ADDRESS)
  const maySome = ('unknown' in uncounted ? uncounted.perhaps : uncounted.value).length > 0
  if (!isSet) return maySome ? 'unknown' : 'unused'
  if (maySome) return 'waiting'
  return 'unknown' in uncounted ? 'unknown' : 'lost'
}
