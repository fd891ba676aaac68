import { formatCount, formatGwei } from '../base/format/amount.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import { isActive } from '../chain/consensus/state.ts'
import type { Facts, Setup } from '../chain/facts.ts'
import { isLost, ownRecord } from '../chain/key-state/own.ts'
import { isPoolValidator } from '../chain/network/pools.ts'
import type { ActionView } from '../view/step-view.ts'
import type { FactRow, Mark } from '../view/view.ts'
import { type GuardStanding, type GuardTroubleId, heldElsewhereBy } from './picture.ts'

/** What each trouble of a guard is called, in one line. */
export const GUARD_TROUBLES_TEXT: Readonly<Record<GuardTroubleId, string>> = {
  nonce: 'its nonce is used or waits in a mempool, as an endpoint says: the guard can’t pay while that is so',
  balance: 'the account is short of the cap and its fee',
  cap: 'its cap is below what keeps the place',
  term: 'its term ends soon, or is over',
  fee: 'the base fee is above half of what its least amount offers',
  unproven: 'it can’t act now, and nothing is sent meanwhile',
  blind: 'it can’t act while your node hangs: no other node API is set',
  fork: 'the rules in force are not known to this program: nothing is sent',
  'other-payment': 'it stands down while a payment for this validator from another account is open here',
  'cannot-send': 'no amount may go out',
}

/** What is said of a place in danger beside an amount that a guard has sent. */
export const GUARD_SENT_TEXT = {
  isEnough: (amount: string, block: string) =>
    `The guard has sent ${amount}, which keeps the place: it waits for block ${block} at the latest.`,
  isTooLittle: (amount: string) =>
    `The guard has sent ${amount}, which is not enough any more; that and the difference may both count.`,
  next: 'Send nothing now: you are asked for the difference if more is needed.',
}

/** What the row of a guard says, and the key that leads to it. */
export const GUARD_ROW_TEXT = {
  key: 'guard',
  label: 'guard',
  armed: (cap: string, until: string) => `armed up to ${cap} until ${until}, held by this screen`,
  heldElsewhere: (heldBy: string) => `armed, held by another process: ${heldBy}`,
  barred: (barredBy: string) => `armed, and held by nobody: another window has its account. ${barredBy}`,
  unheld: (cap: string) => `armed up to ${cap}, and held by nobody: it does nothing`,
  exported: 'exported, not signed yet: its nonce is held',
  unreadable: 'its files can’t be read: nothing of it is sent',
  unreadableButHeld: 'its files can’t be read: nothing of it is sent once the process that has it open ends',
  /** `file`: which one; `why`: what is wrong with it, a sentence. */
  unreadFile: (from: string, nonce: number, file: string, why: string) =>
    `Account ${from}, nonce ${nonce}, file ${file}: ${why}`,
  /** What to do about a file of a guard that a newer version wrote, and about one that is of no use. */
  newerNext: 'Use the newer version of Bearings again: it can hold this guard, or cancel it.',
  unreadableNext: (from: string, nonce: number) =>
    `Put the file back from a copy. Without one, use nonce ${nonce} of ${from} for a transaction of 0 to yourself. Once that is final, move the folder of the guard away and arm another one.`,
  handedOver: (amount: string) => `${amount} sent, waits for a block`,
  cancelling: 'its cancellation waits for a block',
  unfollowed: (waits: string) => `${waits}, and nobody holds the guard: nothing follows it`,
  inBlock: (amount: string, block: string) => `${amount} in block ${block}, not final yet`,
  cancelledInBlock: (block: string) => `its cancellation is in block ${block}, not final yet`,
  over: {
    paid: (amount: string, block: string) => `over: it paid ${amount} in block ${block}, and pays no more`,
    cancelled: (_: string, block: string) => `over: cancelled in block ${block}, nothing was paid`,
    reverted: () => 'over: its transaction was reverted, nothing was paid but the fee',
    'given-up': () => 'over: the validator has left, and nothing of it is sent any more',
    void: () => 'over: another transaction has used its nonce, and it can no longer pay',
  },
  node: {
    label: 'second node API',
    none: 'none: the guard can’t act while your node hangs',
    explain: {
      what: 'While your own node hangs, your execution client gets no blocks either. Then another node API serves, with signed blocks of another engine and one execution endpoint that goes on, or with two execution endpoints that your node doesn’t feed. Else nothing is sent.',
      who: 'This program: the status screen has your own node alone. A watch takes another one: watch with --guard and --node OWN,OTHER.',
      later: 'Yes: begin such a watch, and it holds the guard.',
    },
  },
  trouble: (words: string, causes: readonly string[]) =>
    causes.length === 0 ? words : `${words} (${causes.join('; ')})`,
  leftOut: (why: string) => `goes on without ${why}`,
  source: 'this computer',
  explain: {
    what: 'A top-up that was agreed and signed beforehand, and goes out by itself if that keeps the place.',
    who: 'This program, by two proven endpoints.',
    later: 'Yes: with every proven block.',
  },
}

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
