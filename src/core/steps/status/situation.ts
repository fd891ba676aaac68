import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { isFulu } from '../../chain/consensus/fork-outlook.ts'
import type { SetSnapshot, UncountedDeposit } from '../../chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, hysteresisBand, nextEffectiveBalance } from '../../chain/consensus/state.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { type Ahead, aheadOf, dangerOf } from '../../chain/key-state/ahead.ts'
import { hasBegun, type Own, ownRecord, wayOut } from '../../chain/key-state/own.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { besideGuard } from '../../observe/picture.ts'
import type { AlarmView, InDanger } from '../../view/alarm-view.ts'
import { known } from '../../view/observation.ts'
import { type Trouble, troublesOf } from './facts.ts'
import { type StatusState, validatorIsActive } from './machine.ts'

/** How much others must add to take a place, in gwei; thin: one least deposit of somebody may be enough. */
export type Margin =
  | { is: 'wide' }
  | { is: 'last' }
  | { is: 'thin'; othersNeedGwei: Gwei }
  | { is: 'unknown' }

/** Where a validator stands by what was last heard. `waitingGwei`: deposits of its key that are not counted yet. */
export type Situation =
  | { is: 'unheard' }
  /** The beacon state does not hold the key; `isWhole`: and no deposit for it waits, else that is not known. */
  | { is: 'absent'; isWhole: boolean }
  | { is: 'arriving' | 'refused'; deposit: UncountedDeposit }
  | { is: 'below'; own: Own; waitingGwei: Gwei; missingGwei: Gwei; isWhole: boolean }
  /** Enough is paid: the next boundaries make it active, at `epoch` where that is within five of them. */
  | { is: 'waiting'; own: Own; waitingGwei: Gwei; epoch: bigint | undefined; margin: Margin }
  /** Active by its epochs; the engine follows two slots after the boundary. */
  | { is: 'before-engine' | 'active'; own: Own; waitingGwei: Gwei; margin: Margin }
  /** `inDanger`: what the rules of the watch say of it, once they have looked at this very danger. */
  | ({ is: 'dropping'; own: Own; inDanger?: InDanger } & ReturnType<typeof besideGuard>)
  | { is: 'leaving' | 'left' | 'paid'; own: Own }

/** How much of the own node is behind what is shown. */
export type Contact =
  | { is: 'sound' }
  | { is: 'doubt'; doubt: NodeDoubt }
  | { is: 'node-failed' | 'engine-failed' | 'catching-up' | 'other-key' | 'no-engine' }
  | { is: 'troubled'; troubles: readonly Trouble[] }
  /** Heard and well, but an alarm stands that asks for somebody. */
  | { is: 'alarmed' }

/** What title and money band follow from: the chain's word on the validator, and whether the node is to be believed. */
export function situationOf(state: StatusState, { identity, registration }: Facts, setup: Setup): Situation {
  const snapshot = state.lastSnapshot
  if (snapshot === undefined || snapshot.isRefuted || identity === undefined) return { is: 'unheard' }
  const found = ownRecord(snapshot, identity.pubkey, setup)
  const { waiting, isWhole } = ownWaiting(snapshot, identity.pubkey)
  // A state from before the slot of the proof says nothing of a validator that was proven to be there.
  if (found === undefined && snapshot.consensus.slot < (registration?.slot ?? 0n)) return { is: 'unheard' }
  if (found === undefined) return beforeState(waiting, isWhole)
  const own = state.doubt === undefined ? found : { ...found, doubt: state.doubt }
  const out = wayOut(own)
  if (out !== undefined) return { is: out, own }
  const ahead = aheadOf(snapshot, own.validator.pubkey, setup)
  const danger = dangerOf(ahead)
  if (danger !== undefined) {
    const inDanger = danger.rescue && state.inDanger?.epoch === danger.outAtEpoch ? state.inDanger : undefined
    const beside = besideGuard(danger, state.guard, { slot: own.slot, network: setup.network })
    return { is: 'dropping', own, ...beside, ...(inDanger === undefined ? {} : { inDanger }) }
  }
  const waitingGwei = waiting.reduce((sumGwei, { amountGwei }) => sumGwei + amountGwei, 0n)
  const margin = marginOf(snapshot, ahead)
  // An engine that is a slot ahead of the state changes nothing before the state has it, too.
  if (hasBegun(own))
    return { is: validatorIsActive(state) ? 'active' : 'before-engine', own, waitingGwei, margin }
  const missingGwei = missingOf(snapshot, own, { waitingGwei, setup })
  if (missingGwei > 0n) return { is: 'below', own, waitingGwei, missingGwei, isWhole }
  return { is: 'waiting', own, waitingGwei, epoch: ahead.activeAtEpoch, margin }
}

/** Whether the node is heard, and well enough to be one that signs. */
export function contactOf(state: StatusState, setup: Setup): Contact {
  const { doubt, observed } = state
  if (doubt !== undefined) return { is: 'doubt', doubt }
  if (observed.snapshot.status === 'failed') return { is: 'node-failed' }
  if (observed.engine.status === 'failed') return { is: 'engine-failed' }
  const engine = known(observed.engine)
  if (engine?.catchingUp === true) return { is: 'catching-up' }
  if (engine?.sameKey === false) return { is: 'other-key' }
  const troubles = troublesOf(state, setup)
  if (troubles.length > 0) return { is: 'troubled', troubles }
  if (state.alarms.some(asksForSomebody)) return { is: 'alarmed' }
  return setup.endpoints.engine === undefined ? { is: 'no-engine' } : { is: 'sound' }
}

/** With somebody's deposit there is nothing to do. */
function asksForSomebody({ alarm, severity }: AlarmView): boolean {
  return severity !== 'info' && alarm !== 'deposit-unexpected'
}

/** The deposits of a key that surely wait, and whether these are all. Of one's own more may be known than of others'. */
function ownWaiting({ uncounted, own }: SetSnapshot, pubkey: Hex) {
  const deposits = own?.uncounted ?? uncounted
  if ('unknown' in deposits) return { waiting: [], isWhole: false }
  return { waiting: deposits.filter((deposit) => sameHex(deposit.pubkey, pubkey)), isWhole: true }
}

/** A key that the state does not hold: a deposit for it may be on its way, and only a valid signature makes it count. */
function beforeState(waiting: readonly UncountedDeposit[], isWhole: boolean): Situation {
  const valid = waiting.find(({ signatureValid }) => signatureValid)
  if (valid !== undefined) return { is: 'arriving', deposit: valid }
  const refused = waiting[0]
  if (refused !== undefined) return { is: 'refused', deposit: refused }
  return { is: 'absent', isWhole }
}

/**
 * A margin is thin up to what one least deposit of anybody can lift: 10,000 tokens with 1,000 that the hysteresis held
 * back make one increment from Fulu on, with 12,500 two before.
 */
function marginOf({ uncounted }: SetSnapshot, { place, oneDepositGwei }: Ahead): Margin {
  if (place === undefined || 'unknown' in uncounted) return { is: 'unknown' }
  const { othersNeedGwei, rank, places } = place
  if (othersNeedGwei <= oneDepositGwei) return { is: 'thin', othersNeedGwei }
  return { is: rank >= places ? 'last' : 'wide' }
}

/** The least that must still be paid for the effective balance to reach the threshold; 0: it is on its way there. */
function missingOf(
  { timestampSeconds }: SetSnapshot,
  { validator, balanceGwei }: Own,
  { waitingGwei, setup }: { waitingGwei: Gwei; setup: Setup },
): Gwei {
  const { spec } = setup.network
  const { activationEligibilityEpoch, effectiveBalanceGwei } = validator
  const { activationBalanceGwei } = spec
  if (activationEligibilityEpoch !== FAR_FUTURE_EPOCH || effectiveBalanceGwei >= activationBalanceGwei)
    return 0n
  const fulu = isFulu(spec, timestampSeconds)
  const paidGwei = balanceGwei + waitingGwei
  const counts = (stakeGwei: Gwei) =>
    nextEffectiveBalance({ effectiveBalanceGwei, balanceGwei: stakeGwei }, spec, { fulu })
  if (counts(paidGwei) >= activationBalanceGwei) return 0n
  if (paidGwei < activationBalanceGwei && counts(activationBalanceGwei) >= activationBalanceGwei)
    return activationBalanceGwei - paidGwei
  // What the hysteresis holds back must be passed, too.
  return effectiveBalanceGwei + hysteresisBand(spec, { fulu }).upGwei + 1n - paidGwei
}
