import { weiToGwei } from '../../base/format/amount.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import { endedOf, liveOf } from '../payment/candidates.ts'
import type { GuardNonce, KnownGuard } from './book.ts'
import type { GuardDecision } from './decide.ts'
import { type GuardState, handedMember, isCancelling, phaseOf } from './guard.ts'
import { missingGwei } from './guard-consent.ts'
import type { GuardSaid } from './hold.ts'
import { capOf, ladderOf } from './terms.ts'
import { GUARD_TEXT } from './text.ts'

/** Returns a guard as alarms and rows tell it, while nobody looks at the world of it. */
export function toldGuard(state: GuardState, holder: GuardStanding['holder']): GuardStanding {
  const { terms } = state
  const { from, nonce, untilSeconds, validator } = terms
  const member = tellingMember(state)
  const handed = member === undefined ? undefined : ladderOf(terms)[member]
  const hash = member === undefined ? undefined : state.hashes[member]
  return {
    pubkey: validator.pubkey,
    from,
    nonce,
    capGwei: capOf(terms),
    untilSeconds,
    stand: standOf(state),
    holder,
    ...(handed?.kind === 'rung' ? { amountGwei: weiToGwei(handed.transaction.valueWei) } : {}),
    ...(hash === undefined ? {} : { hash }),
    troubles: [],
  }
}

/** The member that is in a block; where none is, the one that was handed over last. */
function tellingMember(state: GuardState): number | undefined {
  const { send, hashes } = state
  const outcome = endedOf(send)?.outcome
  const included = outcome !== undefined && 'included' in outcome ? outcome.included : liveOf(send)?.included
  const place = included === undefined ? -1 : hashes.indexOf(included.hash)
  return place === -1 ? handedMember(state) : place
}

function standOf(state: GuardState): GuardStanding['stand'] {
  const phase = phaseOf(state)
  return phase === 'handed-over' && isCancelling(state) ? 'cancelling' : phase
}

/** The same after a look of whoever holds it. */
export function toldWhileHeld({ picture, decision, troubles }: GuardSaid): GuardStanding {
  const missing = missingGwei(picture)
  const keptBack = keptBackWords(decision)
  return {
    ...toldGuard(picture.state, 'here'),
    troubles,
    ...(keptBack === undefined ? {} : { keptBack }),
    ...(typeof missing === 'bigint' ? { missingGwei: missing } : {}),
  }
}

function keptBackWords(decision: GuardDecision): string | undefined {
  if (decision.does !== 'wait') return undefined
  const [first] = decision.keptBack
  return first && GUARD_TEXT.rows[first.id]
}

/** Which of the guards here is that of a validator: the one that is not over, else none. */
export function guardFor(
  guards: readonly KnownGuard[],
  pubkey: string,
): (GuardNonce & { state: GuardState }) | undefined {
  for (const { from, nonce, state } of guards) {
    if (state === undefined || phaseOf(state) === 'over') continue
    if (state.terms.validator.pubkey.toLowerCase() === pubkey.toLowerCase()) return { from, nonce, state }
  }
  return undefined
}
