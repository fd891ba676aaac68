import type { Hex } from '../format/hex.ts'
import type { ChainSpec } from '../network/network.ts'
import { type Forecast, forecast } from './forecast.ts'
import { applyDeposits, type QueuedDeposit } from './process-epoch.ts'
import { runForward } from './process-slot.ts'
import { proposeTopUp, type TopUpProposal } from './propose-top-up.ts'
import { type ConsensusState, floorEffectiveBalance } from './state.ts'

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
export function asksForPlace(amountGwei: bigint, spec: ChainSpec): boolean {
  return floorEffectiveBalance(amountGwei, spec) >= spec.activationBalanceGwei
}

/**
 * What becomes of the validator that a first deposit creates, by the worse of the moments in which it may land.
 * undefined for an amount that asks for no seat. The key must not be in the state.
 */
export function forecastEntry(question: EntryQuestion): Forecast | undefined {
  const { spec, fulu, pubkey, amountGwei } = question
  if (!asksForPlace(amountGwei, spec)) return undefined
  const outcomes = LANDINGS.map((slots) => {
    const currentSlot = question.currentSlot + slots
    const entered = enter(question, currentSlot)
    return forecast({ ...entered, spec, fulu, pubkey, addGwei: 0n, currentSlot })
  })
  return outcomes.find(({ keepsSeat }) => !keepsSeat) ?? outcomes[0]
}

/**
 * What the validator that a first deposit creates needs on top of it for a place in the active set, were both made now.
 * The key must not be in the state. Throws as `proposeTopUp`.
 */
export function topUpAfterEntry(question: EntryQuestion & { minimumDepositGwei: bigint }): TopUpProposal {
  const { spec, fulu, pubkey, currentSlot, minimumDepositGwei } = question
  const entered = enter(question, currentSlot)
  return proposeTopUp({ ...entered, spec, fulu, pubkey, currentSlot, minimumDepositGwei })
}

/** The state of a slot with the first deposit counted in it, and the deposits that still wait then. */
function enter(
  { state, spec, fulu, pubkey, withdrawalCredentials, amountGwei, uncounted }: EntryQuestion,
  toSlot: bigint,
): { state: ConsensusState; uncounted: readonly QueuedDeposit[] } {
  const head = runForward({ state, queue: uncounted }, spec, { toSlot, fulu })
  const deposit = { pubkey, withdrawalCredentials, amountGwei, signatureValid: true }
  return { state: applyDeposits(head.state, [deposit], spec), uncounted: head.queue }
}
