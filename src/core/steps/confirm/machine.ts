import { isSameServer } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import type { Facts, RegistrationFact, Setup } from '../../chain/facts.ts'
import { anchorsNeeded, isProof } from '../../chain/network/network.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { known, type Observations, type Observed, withObservation } from '../../view/observation.ts'
import { gateHolds, nothingAsked } from '../../view/rows.ts'
import { CONFIRM_FACTS, type ConfirmAnswers, signedRoot } from './facts.ts'

export type ConfirmState = {
  observed: Observations<ConfirmAnswers>
  /** Since when the chain is waited for, however often it was asked meanwhile. */
  waitingSinceMs: number | undefined
  /** When all was asked last. */
  askedSinceMs: number | undefined
  /** Why what the own node said last is not of now. */
  doubt: NodeDoubt | undefined
}

export type ConfirmEvent =
  | { step: 'confirm'; type: 'entered' | 'retried' }
  | { step: 'confirm'; type: 'waiting'; sinceMs: number }
  | { step: 'confirm'; type: 'doubted'; doubt: NodeDoubt | undefined }
  | ({ step: 'confirm'; type: 'observed' } & Observed<ConfirmAnswers>)

export type ConfirmCommand = { step: 'confirm'; type: 'ask'; scope: 'here' }

export const initialConfirm: ConfirmState = {
  observed: nothingAsked(CONFIRM_FACTS),
  waitingSinceMs: undefined,
  askedSinceMs: undefined,
  doubt: undefined,
}

/** Returns the fifth step: prove that the chain knows the validator. */
export function confirmTransition(
  state: ConfirmState,
  event: ConfirmEvent,
): readonly [ConfirmState, readonly ConfirmCommand[]] {
  switch (event.type) {
    case 'entered':
      return [
        { ...withoutOldFailure(state), askedSinceMs: undefined },
        [{ step: 'confirm', type: 'ask', scope: 'here' }],
      ]
    case 'retried':
      return [anew(state), [{ step: 'confirm', type: 'ask', scope: 'here' }]]
    case 'waiting':
      return [withWait(state, event.sinceMs), []]
    case 'doubted':
      return [{ ...state, doubt: event.doubt }, []]
    case 'observed':
      return [{ ...state, observed: withObservation(state.observed, event) }, []]
  }
}

function withWait(state: ConfirmState, atMs: number): ConfirmState {
  const { waitingSinceMs = atMs, askedSinceMs = atMs } = state
  return { ...state, waitingSinceMs, askedSinceMs }
}

/** What could not be found when the step was left says nothing of the deposit that is looked at now. */
function withoutOldFailure(state: ConfirmState): ConfirmState {
  if (state.observed.event.status !== 'failed') return state
  return { ...state, observed: { ...state.observed, event: initialConfirm.observed.event } }
}

/** What an old block did to the wallet never changes, and is soon not to be had any more; it is still the same wait. */
function anew({ observed, waitingSinceMs }: ConfirmState): ConfirmState {
  const balance = known(observed.balance)
  const kept = balance !== undefined && 'fellByWei' in balance ? { balance: observed.balance } : {}
  return { ...initialConfirm, observed: { ...initialConfirm.observed, ...kept }, waitingSinceMs }
}

/** Registration as a proven fact: event, state, proofs, and the set's signature or as many anchors as are needed. */
export function registrationFact(
  { observed, doubt }: ConfirmState,
  facts: Facts,
  setup: Setup,
): RegistrationFact | undefined {
  const beacon = known(observed.beacon)
  const proofs = known(observed.proofs)
  const { validator } = facts
  if (validator === undefined || !gateHolds(CONFIRM_FACTS, observed, { observed, doubt, facts, setup }))
    return undefined
  if (beacon === undefined || beacon === 'absent' || proofs?.index !== beacon.index) return undefined
  if (proofs.balanceGwei < validator.leastBalanceGwei) return undefined
  const { execution, secondExecution = execution } = setup.endpoints
  const others = isSameServer(execution, secondExecution) ? [] : [observed.secondAnchor]
  const anchors = [observed.anchor, ...others].filter((each) => {
    const anchor = known(each)
    return anchor?.holds && sameHex(anchor.blockRoot, proofs.blockRoot)
  }).length
  const signature = known(observed.signed)
  if (signature !== undefined && 'unproven' in signature) return undefined
  const root = signedRoot(observed)
  const isSigned = root?.holds === true && sameHex(root.blockRoot, proofs.blockRoot)
  const evidence = isSigned ? { anchors, signed: root.signed } : { anchors }
  if (!isProof(evidence, anchorsNeeded(setup))) return undefined
  const { index, slot, blockRoot, balanceGwei } = proofs
  return { validatorIndex: index, slot, blockRoot, balanceGwei, ...evidence }
}
