import { sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { keyStory } from '../../chain/deposit/event.ts'
import type { Setup } from '../../chain/facts.ts'
import { known } from '../../view/observation.ts'
import type { IdentityState } from './state.ts'

/** Whether the beacon state knows the key. */
export function isRegistered({ observed }: Pick<IdentityState, 'observed'>): boolean {
  return known(observed.beacon)?.index !== undefined
}

/** Returns what became of the deposits for a key that has an operator and no validator; undefined while unknown. */
export function storyOf({ observed }: Pick<IdentityState, 'observed'>) {
  const history = known(observed.history)
  const head = known(observed.node)
  return history === undefined || head === undefined ? undefined : keyStory(history, head.headSlot)
}

const isAbsent = ({ observed }: Pick<IdentityState, 'observed'>) => {
  const beacon = known(observed.beacon)
  return beacon !== undefined && beacon.index === undefined
}

/**
 * Whether the key may be rescued: its operator is set, the beacon state lacks it, every deposit for it was refused
 * by consensus and is old enough to have been applied, and no deposit of this journal is under way.
 */
export function isRescuable(state: IdentityState): boolean {
  const operator = known(state.observed.operator)
  if (state.keyOnly || operator === undefined || state.own?.out === true) return false
  return isAbsent(state) && !sameHex(operator.operator, ZERO_ADDRESS) && storyOf(state) === 'burnt'
}

/** Whether the operator that this journal's deposit may have set was set by deposits that the chain refused. */
export function isBurntOwn(state: IdentityState): boolean {
  const { own, keyOnly } = state
  if (keyOnly || own?.out !== true || own.rescue === true) return false
  return isAbsent(state) && storyOf(state) === 'burnt'
}

/**
 * Whose the operator in the contract is: one's own by this journal or a rehearsal's wallet, a stranger's by the same; else
 * only the user can tell.
 */
export function operatorOwner(
  { observed, own }: Pick<IdentityState, 'observed' | 'own'>,
  { suggestedAddress }: Pick<Setup, 'suggestedAddress'>,
): 'own' | 'stranger' | 'unknown' {
  const operator = known(observed.operator)?.operator
  const mine = own?.operator ?? suggestedAddress
  if (operator === undefined || mine === undefined) return 'unknown'
  return sameHex(operator, mine) ? 'own' : 'stranger'
}

/** Whether a deposit for the key is in a block and not in the beacon state yet. */
export function isUncounted(state: Pick<IdentityState, 'observed'>): boolean {
  return isAbsent(state) && storyOf(state) === 'on-its-way'
}

/** Whether the node reports a record that the last proven state does not hold yet. */
export function isNewer({ observed }: Pick<IdentityState, 'observed'>): boolean {
  return known(observed.beacon)?.isNewer === true
}
