import { formatGwei } from '../core/base/format/amount.ts'
import { sameHex } from '../core/base/format/hex.ts'
import { liveOf } from '../core/pay/payment/candidates.ts'
import { isBegun } from '../core/pay/payment/sign-again.ts'
import { adoptable, adoptionOf } from '../core/steps/identity/adopt.ts'
import { challengeOf } from '../core/steps/sign/typing.ts'
import { goTo } from '../core/view/step-view.ts'
import type { StepId } from '../core/view/view.ts'
import { type AnyField, type AnyView, taken } from '../core/wizard/any-step.ts'
import { isAllowed } from '../core/wizard/gates.ts'
import type { Session } from '../core/wizard/session.ts'
import type { Event, State } from '../core/wizard/state.ts'
import { viewOf } from '../core/wizard/view-of.ts'

/** Steps that rest on a final deposit; how it ended may turn out to have been remembered wrongly. */
const AFTER_DEPOSIT: readonly StepId[] = ['confirm', 'topup']

/**
 * What a person would decide next in a rehearsal, or undefined while there is nothing to decide: a field is filled, or
 * Enter is pressed on what the step shows. Only ever used on a rehearsal network.
 */
export function nextDecision(session: Session): Event | undefined {
  const state = session.getState()
  if (session.setup.network.kind !== 'rehearsal' || state.step === 'status') return undefined
  if (AFTER_DEPOSIT.includes(state.step) && liveOf(state.deposit) !== undefined) return goTo('deposit')
  const view = viewOf(state.step, state, session)
  const field = view.fields.find(({ id }) => id === view.activeField) ?? adoptionField(view, state, session)
  if (field !== undefined) {
    const text = answerFor(field, state, session)
    return text === undefined ? undefined : taken(field, text)
  }
  // Enter on a payment that waits would change it.
  const waits = { deposit: isBegun(state.deposit), topup: isBegun(state.topup.send) }
  if (!view.done && Object.entries(waits).some(([step, begun]) => step === state.step && begun))
    return undefined
  const does = view.actions.find(({ key }) => key === 'return')?.does
  return does === undefined || typeof does === 'string' || 'edit' in does ? undefined : does[0]
}

/**
 * A validator that the rehearsal's own wallet registered, in an earlier run whose journal is gone, is adopted. Not one that
 * somebody else manages; and not before it may be, for the answer would be given again and again.
 */
function adoptionField({ fields }: AnyView, state: State, { setup }: Session): AnyField | undefined {
  const { suggestedAddress } = setup
  const found = adoptable(state.identity, setup)
  if (state.step !== 'identity' || suggestedAddress === undefined || found === undefined) return undefined
  if (!sameHex(found.operator, suggestedAddress)) return undefined
  const adoption = adoptionOf(suggestedAddress, found)
  if ('error' in adoption) return undefined
  if (!isAllowed(state, { step: 'identity', type: 'adopted', ...adoption }, setup)) return undefined
  return fields.find(({ id, error }) => id === 'withdrawal' && error === undefined)
}

function answerFor({ id }: AnyField, { sign }: State, { setup }: Session): string | undefined {
  switch (id) {
    case 'withdrawal':
    case 'operator':
      return setup.suggestedAddress
    case 'withdrawalAgain':
      return challengeOf(sign.accepted.withdrawal ?? '', sign.challengeOffset)
    case 'operatorAgain':
      return challengeOf(sign.accepted.operator ?? '', sign.challengeOffset)
    case 'amount':
      return formatGwei(setup.network.minimumDepositGwei).replaceAll(',', '')
    default:
      return undefined
  }
}
