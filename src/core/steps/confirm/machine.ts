import type { Facts, RegistrationFact, Setup } from '../../facts.ts'
import { isSameServer } from '../../format/endpoint-url.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import type { NodeDoubt } from '../../network/node-doubt.ts'
import { known, nothingSeen, type Seen, type SeenEntry, withSeen } from '../observation.ts'

/** Answers that together prove the registration. */
export type ConfirmAnswers = {
  event: { good: boolean; words: string }
  /** `block`: the endpoint does not keep the balances of that block any more, so nobody looked at them. */
  balance: { fellByWei: bigint; expectedWei: bigint } | { block: bigint }
  beacon:
    | { index: number; withdrawalCredentials: Hex; balanceGwei: bigint; status: string; exiting: boolean }
    | 'absent'
  proofs: { index: number; slot: bigint; blockRoot: Hex; balanceGwei: bigint; good: boolean; words: string }
  anchor: { good: boolean; words: string; blockRoot: Hex }
  secondAnchor: { good: boolean; words: string; blockRoot: Hex }
}

const KEYS = ['event', 'balance', 'beacon', 'proofs', 'anchor', 'secondAnchor'] as const

export type ConfirmState = {
  seen: Seen<ConfirmAnswers>
  waitingSinceMs: number | undefined
  /** Why what the own node said last is not of now. */
  doubt: NodeDoubt | undefined
}

export type ConfirmEvent =
  | { step: 'confirm'; type: 'entered' }
  | { step: 'confirm'; type: 'retried' }
  | { step: 'confirm'; type: 'waiting'; sinceMs: number }
  | { step: 'confirm'; type: 'doubted'; doubt: NodeDoubt | undefined }
  | ({ step: 'confirm'; type: 'observed' } & SeenEntry<ConfirmAnswers>)

export type ConfirmCommand = { step: 'confirm'; type: 'ask'; scope: 'here' }

export const initialConfirm: ConfirmState = {
  seen: nothingSeen<ConfirmAnswers>(KEYS),
  waitingSinceMs: undefined,
  doubt: undefined,
}

/** The fifth step: prove that the chain knows the validator. */
export function confirmTransition(
  state: ConfirmState,
  event: ConfirmEvent,
): readonly [ConfirmState, readonly ConfirmCommand[]] {
  switch (event.type) {
    case 'entered':
      return [withoutOldFailure(state), [{ step: 'confirm', type: 'ask', scope: 'here' }]]
    case 'retried':
      return [anew(state), [{ step: 'confirm', type: 'ask', scope: 'here' }]]
    case 'waiting':
      return [{ ...state, waitingSinceMs: state.waitingSinceMs ?? event.sinceMs }, []]
    case 'doubted':
      return [{ ...state, doubt: event.doubt }, []]
    case 'observed':
      return [{ ...state, seen: withSeen(state.seen, event) }, []]
  }
}

/** What could not be found when the step was left says nothing of the deposit that is looked at now. */
function withoutOldFailure(state: ConfirmState): ConfirmState {
  if (state.seen.event.status !== 'failed') return state
  return { ...state, seen: { ...state.seen, event: initialConfirm.seen.event } }
}

/** What an old block did to the wallet never changes, and is soon not to be had any more; it is still the same wait. */
function anew({ seen, waitingSinceMs }: ConfirmState): ConfirmState {
  const balance = known(seen.balance)
  const kept = balance !== undefined && 'fellByWei' in balance ? { balance: seen.balance } : {}
  return { ...initialConfirm, seen: { ...initialConfirm.seen, ...kept }, waitingSinceMs }
}

/** Whether the beacon state holds this validator with the planned credentials, not on its way out. */
export function beaconFits(value: ConfirmAnswers['beacon'], facts: Facts): boolean {
  return value !== 'absent' && !value.exiting && ownCredentials(value, facts)
}

/** Whether a record of the beacon state pays out to what was signed here, or adopted. */
export function ownCredentials(value: { withdrawalCredentials: Hex }, facts: Facts): boolean {
  return sameHex(value.withdrawalCredentials, facts.validator?.withdrawalCredentials ?? '')
}

/** Where the terms of a validator come from, in words that follow a comparison. */
export function theirs(validator: Facts['validator']): string {
  return validator?.origin === 'adopted' ? 'you adopted' : 'you signed'
}

/** Execution endpoints on different servers that must give the same block root: two for real money, else all that are set. */
export function anchorsNeeded({ network, endpoints }: Setup): number {
  const { execution, secondExecution = execution } = endpoints
  return network.kind === 'real' || !isSameServer(execution, secondExecution) ? 2 : 1
}

/**
 * Registration as a proven fact: event, state, proofs and their anchor all hold. The wallet's balance has no
 * part in it: anybody can pay into the account in the same block, and the proof does not need it.
 */
export function registrationFact(
  state: ConfirmState,
  facts: Facts,
  setup: Setup,
): RegistrationFact | undefined {
  const event = known(state.seen.event)
  const beacon = known(state.seen.beacon)
  const proofs = known(state.seen.proofs)
  const { validator } = facts
  if (validator === undefined) return undefined
  if (validator.origin === 'registered-here' && !event?.good) return undefined
  if (beacon === undefined || beacon === 'absent' || !beaconFits(beacon, facts)) return undefined
  if (!proofs?.good || proofs.index !== beacon.index) return undefined
  if (proofs.balanceGwei < validator.leastBalanceGwei) return undefined
  const { execution, secondExecution = execution } = setup.endpoints
  const others = isSameServer(execution, secondExecution) ? [] : [state.seen.secondAnchor]
  const anchors = [state.seen.anchor, ...others].filter((seen) => {
    const anchor = known(seen)
    return anchor?.good && sameHex(anchor.blockRoot, proofs.blockRoot)
  }).length
  if (anchors < anchorsNeeded(setup)) return undefined
  const { index, slot, blockRoot, balanceGwei } = proofs
  return { validatorIndex: index, slot, blockRoot, balanceGwei, anchors }
}
