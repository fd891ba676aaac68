import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import { EVIDENCE_TEXT } from '../../view/evidence-text.ts'
import { adoptable, operatorsDiffer } from './adopt.ts'
import { type AboutIdentity, isOwnOperator } from './facts.ts'
import type { IdentityState, OperatorAnswer } from './state.ts'
import { isRegistered } from './story.ts'

/** What is said of an operator agrees with the mark beside it: one that shuts the gate is not asked to be compared. */
function operatorText(operator: Hex, { state, setup }: AboutIdentity): string {
  const { rescue, adopted } = state
  const isZero = sameHex(operator, ZERO_ADDRESS)
  if (isRegistered(state) && !isOwnOperator({ operator }, state)) {
    if (isZero) return 'none named by the contract'
    if (adopted === undefined) {
      const isRefused = !operatorsDiffer(state) && adoptable(state, setup) === undefined
      return isRefused ? 'set already, not by this journal' : 'manages and receives the rewards; compare it'
    }
    return sameHex(operator, adopted.operator) ? 'as adopted' : 'not the operator you adopted'
  }
  if (isZero) return 'zero: never used'
  if (isOwnOperator({ operator }, state)) return 'set by your own deposit'
  return rescue === undefined
    ? `already set to ${withChecksum(operator)}`
    : 'yours, from a deposit that was lost'
}

/** The address below the row, where it stands there to be compared. */
function shownOperator({ operator }: { operator: Hex }, state: IdentityState): Hex | undefined {
  const compared = isRegistered(state) && !isOwnOperator({ operator }, state)
  return compared && !sameHex(operator, ZERO_ADDRESS) ? withChecksum(operator) : undefined
}

/** What is said of an operator, and its address where that is to be compared. */
export const OPERATOR_TEXT = {
  of: ({ operator, leftOut }: OperatorAnswer, about: AboutIdentity): string => {
    const words = operatorText(operator, about)
    return leftOut === undefined ? words : EVIDENCE_TEXT.withLeftOut(words, [leftOut])
  },
  shown: shownOperator,
}
