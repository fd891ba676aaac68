import { weiToGwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { GuardStanding } from '../../observe/picture.ts'
import { endedOf, includedOf } from '../payment/candidates.ts'
import type { GuardNonce, KnownGuard } from './book.ts'
import { type GuardDecision, ruledOutTroubles } from './decide.ts'
import { type GuardState, handedMember, isCancelling, phaseOf } from './guard.ts'
import type { GuardSaid } from './hold.ts'
import { missingGwei } from './judged.ts'
import { capOf, type GuardMember, ladderOf } from './terms.ts'
import { GUARD_TEXT } from './text.ts'

/** Returns a guard as alarms and rows tell it, while nobody looks at the world of it. */
export function toldGuard(state: GuardState, holder: GuardStanding['holder']): GuardStanding {
  const { terms } = state
  const { from, nonce, untilSeconds, validator } = terms
  const included = includedOf(state.send)
  const member = included === undefined ? handedMember(state) : memberOf(state, included.hash)
  const hash = member === undefined ? undefined : state.hashes[member]
  const rung = rungOf(state, member)
  return {
    pubkey: validator.pubkey,
    from,
    nonce,
    capGwei: capOf(terms),
    untilSeconds,
    stand: standOf(state),
    holder,
    ...(rung === undefined ? {} : { amountGwei: weiToGwei(rung.transaction.valueWei) }),
    ...(hash === undefined ? {} : { hash }),
    ...(included === undefined ? {} : { block: included.blockNumber }),
    ...endOf(state),
    hashes: state.hashes,
    troubles: [],
  }
}

/** The member with a hash; where none has it, the one that was handed over last. */
function memberOf(state: GuardState, hash: Hex): number | undefined {
  const place = state.hashes.indexOf(hash)
  return place === -1 ? handedMember(state) : place
}

/** The rung that a member is; of a cancellation that is in no block the one that waits beside it, if one does. */
function rungOf(state: GuardState, member: number | undefined): GuardMember | undefined {
  const isOpen = includedOf(state.send) === undefined
  const at = isOpen && isCancelling(state) ? handedMember(state, { kind: 'rung' }) : member
  const made = at === undefined ? undefined : ladderOf(state.terms)[at]
  return made?.kind === 'rung' ? made : undefined
}

/** How its nonce was used for good; nothing while it was not. */
function endOf({ send, isVoid }: GuardState): Pick<GuardStanding, 'end'> {
  if (isVoid) return { end: 'void' }
  const outcome = endedOf(send)?.outcome
  if (outcome === undefined) return {}
  return { end: outcome.is === 'nonce-taken' ? 'void' : outcome.is }
}

function standOf(state: GuardState): GuardStanding['stand'] {
  const phase = phaseOf(state)
  return phase === 'handed-over' && isCancelling(state) ? 'cancelling' : phase
}

/** The same after a look of whoever holds it. */
export function toldWhileHeld({ picture, decision, troubles }: GuardSaid): GuardStanding {
  const missing = missingGwei(picture)
  const keptBack = keptBackWords(decision)
  const { facts } = picture.look
  // Whose transaction it was isn't known here, only that its nonce is used up to that block.
  const usedBy = picture.state.isVoid && facts !== undefined ? { block: facts.block } : {}
  return {
    ...toldGuard(picture.state, 'here'),
    ...usedBy,
    troubles,
    ruledOut: ruledOutTroubles(picture, troubles),
    ...(picture.leftOut.length === 0
      ? {}
      : { leftOut: picture.leftOut.map(({ endpoint, why }) => `${endpoint}: ${why}`) }),
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
