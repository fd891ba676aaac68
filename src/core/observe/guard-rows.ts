import { formatCount, formatGwei } from '../base/format/amount.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import { isActive } from '../chain/consensus/state.ts'
import type { Facts, Setup } from '../chain/facts.ts'
import { isLost, ownRecord } from '../chain/key-state/own.ts'
import { isPoolValidator } from '../chain/network/pools.ts'
import type { ActionView } from '../view/step-view.ts'
import type { FactRow, Mark } from '../view/view.ts'
import { GUARD_ROW_TEXT, GUARD_TROUBLES_TEXT } from './guard-text.ts'
import { type GuardStanding, heldElsewhereBy } from './picture.ts'

type Offered = {
  facts: Facts
  snapshot: SetSnapshot | undefined
  guard: GuardStanding | undefined
  setup: Setup
}

/**
 * Whether the page of the guard is open: for a validator that is registered, and active by the last set that was heard of and
 * no pool's, or with a guard here that is not over, so that it can be seen and cancelled.
 */
function guardIsOffered({ facts, snapshot, guard, setup }: Offered): boolean {
  const { identity, registration } = facts
  if (identity === undefined || registration === undefined) return false
  if (guard !== undefined && guard.stand !== 'over') return true
  if (snapshot === undefined) return false
  const own = ownRecord(snapshot, identity.pubkey, setup)
  if (own === undefined || isLost(own) || !isActive(own.validator, own.epoch)) return false
  return !own.validator.slashed && !isPoolValidator(own.validator.withdrawalCredentials, setup.network)
}

/** What the key of the guard makes, in any step. */
export type GuardTurn =
  | { step: 'topup'; type: 'reopened' }
  | { step: 'topup'; type: 'guardTurned'; open: boolean }

/** The key that leads to the page of the guard, where that is open; a payment that ended makes room for it first. */
export function guardKeys(
  offered: Offered,
  { isPaidUp }: { isPaidUp: boolean },
): readonly (ActionView<GuardTurn, never> & { does: readonly GuardTurn[] })[] {
  if (!guardIsOffered(offered)) return []
  const turned = { step: 'topup', type: 'guardTurned', open: true } as const
  return [
    {
      key: 'g',
      label: GUARD_ROW_TEXT.key,
      does: isPaidUp ? [{ step: 'topup', type: 'reopened' }, turned] : [turned],
    },
  ]
}

/** The row of the guard, and one for each thing that keeps it from helping; none where there is no guard. */
export function guardRows(guard: GuardStanding | undefined, setup: Setup): FactRow[] {
  if (guard === undefined) return []
  return [
    { ...SHAPE, id: 'guard', ...guardStands(guard, setup) },
    ...guard.troubles.map(
      (id): FactRow => ({
        ...SHAPE,
        id: `guard.${id}`,
        mark: 'refused',
        value: GUARD_ROW_TEXT.trouble(GUARD_TROUBLES_TEXT[id], guard.causes?.[id] ?? []),
      }),
    ),
    ...(guard.leftOut ?? []).map(
      (value, at): FactRow => ({
        ...SHAPE,
        id: `guard.left-out.${at}`,
        mark: 'unknown',
        value: GUARD_ROW_TEXT.leftOut(value),
      }),
    ),
    ...nodeRow(guard),
  ]
}

/** Says which file of a guard is of no use, what is wrong with it, and what that means. */
function unreadableWords(guard: GuardStanding) {
  const { from, nonce, unread } = guard
  return {
    value:
      heldElsewhereBy(guard) === undefined ? GUARD_ROW_TEXT.unreadable : GUARD_ROW_TEXT.unreadableButHeld,
    ...(unread === undefined
      ? {}
      : { long: GUARD_ROW_TEXT.unreadFile(from, nonce, unread.path, unread.why) }),
    next: unread?.isNewer === true ? GUARD_ROW_TEXT.newerNext : GUARD_ROW_TEXT.unreadableNext(from, nonce),
  }
}

/** Which other node API serves: none here. What a process that holds it elsewhere has is not known here. */
function nodeRow({ stand, holder, troubles }: GuardStanding): FactRow[] {
  const isOpen = stand === 'armed' || stand === 'handed-over'
  if (!isOpen || typeof holder === 'object' || troubles.includes('blind')) return []
  const { label, none, explain } = GUARD_ROW_TEXT.node
  return [{ ...SHAPE, id: 'guard.node', mark: 'given', label, value: none, explain }]
}

const SHAPE = {
  label: GUARD_ROW_TEXT.label,
  source: GUARD_ROW_TEXT.source,
  explain: GUARD_ROW_TEXT.explain,
  advice: true,
} as const

/** Returns where a guard stands, in one line with its mark. */
export function guardStands(
  guard: GuardStanding,
  { network }: Setup,
): { mark: Mark; value: string; long?: string; next?: string } {
  const { stand, holder, capGwei, amountGwei = 0n, untilSeconds, block = 0n } = guard
  const { token } = network.names
  const cap = `${formatGwei(capGwei)} ${token}`
  const amount = `${formatGwei(amountGwei)} ${token}`
  const until = new Date(Number(untilSeconds) * 1000).toISOString().slice(0, 10)
  const at = formatCount(block)
  if (stand === 'over') return { mark: 'given', value: GUARD_ROW_TEXT.over[guard.end ?? 'void'](amount, at) }
  if (stand === 'unreadable') return { mark: 'refused', ...unreadableWords(guard) }
  if (stand === 'exported') return { mark: 'given', value: GUARD_ROW_TEXT.exported }
  const waits = stand === 'handed-over' ? GUARD_ROW_TEXT.handedOver(amount) : GUARD_ROW_TEXT.cancelling
  if (stand === 'handed-over' || stand === 'cancelling')
    return holder === 'here' || heldElsewhereBy(guard) !== undefined
      ? { mark: 'asking', value: waits }
      : { mark: 'refused', value: GUARD_ROW_TEXT.unfollowed(waits) }
  if (stand === 'in-block') {
    const value =
      guard.amountGwei === undefined
        ? GUARD_ROW_TEXT.cancelledInBlock(at)
        : GUARD_ROW_TEXT.inBlock(amount, at)
    return { mark: 'asking', value }
  }
  if (holder === 'nobody') return { mark: 'refused', value: GUARD_ROW_TEXT.unheld(cap) }
  if (holder !== 'here')
    return 'heldBy' in holder
      ? { mark: 'given', value: GUARD_ROW_TEXT.heldElsewhere(holder.heldBy) }
      : { mark: 'refused', value: GUARD_ROW_TEXT.barred(holder.barredBy) }
  return { mark: 'proven', value: GUARD_ROW_TEXT.armed(cap, until) }
}
