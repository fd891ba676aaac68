import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from '../network/chain-spec.ts'
import { applyDeposits } from './apply-deposits.ts'
import { floorEffectiveBalance } from './effective-balance.ts'
import { type Forecast, forecast } from './forecast.ts'
import { runForward } from './run-forward.ts'
import type { ConsensusState } from './state.ts'
import type { QueuedDeposit } from './take-due-deposits.ts'

/** A first deposit that is still to be made; amounts in gwei. */
export type EntryQuestion = {
  state: ConsensusState
  spec: ChainSpec
  fulu: boolean
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: bigint
  currentSlot: bigint
  /** Deposits of anybody that are in blocks already and that the state does not hold yet, in order. */
  uncounted: readonly QueuedDeposit[]
}

/** Slots in which a deposit lands, counted from now: soon, or only after the next epoch turn where that is near. */
const LANDINGS = [0n, 4n]

/** Whether a first deposit asks for a seat at once: then the cap may send it away at the turn that activates it. */
export function asksForSeat(amountGwei: bigint, spec: ChainSpec): boolean {
  return floorEffectiveBalance(amountGwei, spec) >= spec.activationBalanceGwei
}

/**
 * What becomes of the validator that a first deposit creates, by the worse of the moments in which it may land.
 * undefined for an amount that asks for no seat. The key must not be in the state (safety #83).
 */
export function forecastEntry(question: EntryQuestion): Forecast | undefined {
  const { state, spec, fulu, pubkey, withdrawalCredentials, amountGwei, currentSlot, uncounted } = question
  if (!asksForSeat(amountGwei, spec)) return undefined
  const deposit = { pubkey, withdrawalCredentials, amountGwei, signatureValid: true }
  const outcomes = LANDINGS.map((slots) => {
    const toSlot = currentSlot + slots
    const head = runForward({ state, queue: uncounted }, spec, { toSlot, fulu })
    const entered = applyDeposits(head.state, [deposit], spec)
    return forecast({
      state: entered,
      uncounted: head.queue,
      spec,
      fulu,
      pubkey,
      addGwei: 0n,
      currentSlot: toSlot,
    })
  })
  return outcomes.find(({ keepsSeat }) => !keepsSeat) ?? outcomes[0]
}
