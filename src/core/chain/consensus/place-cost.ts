import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { ChainSpec, Network } from '../network/network.ts'
import { type Forecast, type OutcomeClass, outcomeOf } from './forecast.ts'
import { compareStake } from './process-epoch.ts'
import { type EntryQuestion, forecastAfterEntry, topUpAfterEntry } from './propose-top-up.ts'
import { questionOf, type SetSnapshot, waitingDeposits } from './snapshot.ts'
import { activeSet, type ConsensusState, epochOfSlot } from './state.ts'

/** Of equal stakes the smallest key goes: no key that is made later does worse. */
export const NO_KEY_YET: Hex = `0x${'00'.repeat(48)}`

/** Credentials for a question about places alone: none depends on who is paid out. */
export const ANY_CREDENTIALS: Hex = `0x01${'00'.repeat(31)}`

/** How full the active set is at the slot of a state. */
export type PlacesNow = {
  /** How many validators are active. */
  taken: number
  /** How many can be. */
  places: number
  /** The active one that would be the first to go; undefined where none is. */
  last: { pubkey: Hex; stakeGwei: Gwei } | undefined
}

/** Counts the active set of the state's own epoch, and finds its last member by the order of the cap. Pure. */
export function placesNow(state: ConsensusState, spec: ChainSpec): PlacesNow {
  const active = activeSet(state, epochOfSlot(state.slot, spec))
  const [weakest] = active.sort(compareStake)
  const last = weakest && { pubkey: weakest.pubkey, stakeGwei: weakest.effectiveBalanceGwei }
  return { taken: active.length, places: spec.validatorSetCap, last }
}

/** What a key that the chain does not know needs in all for a place now, by the least first deposit. Amounts in gwei. */
export type EntryCost = { allGwei: Gwei; topUpGwei: Gwei; forecast: Forecast }

/** What becomes of a new validator with so much, first deposit and top-up in one. */
export type PlaceStep = {
  allGwei: Gwei
  outcome: OutcomeClass
  /** Undefined where it asks for no place. */
  rank: number | undefined
  places: number
}

/** What a place costs now, by one look at the set. */
export type PlaceCost = {
  now: PlacesNow
  /** Undefined where no amount is enough. */
  entry: EntryCost | undefined
  /** What steps of the effective balance around it buy, the least first. */
  steps: readonly PlaceStep[]
  /** Deposits that are not counted yet and that all figures but `now` hold; `entry` is the one without them. */
  waiting: { count: number; sumGwei: Gwei; entry: EntryCost | undefined }
}

/** Returns what a validator that does not exist yet needs for a place, by the set and the deposits that wait. Pure. */
export function placeCost(snapshot: SetSnapshot, network: Network): PlaceCost {
  const now = placesNow(snapshot.consensus, network.spec)
  const question = newcomer(snapshot, NO_KEY_YET, network)
  const entry = entryBy(question)
  const waiting = waitingDeposits(snapshot)
  const aroundGwei = entry?.allGwei ?? now.last?.stakeGwei ?? network.spec.activationBalanceGwei
  return {
    now,
    entry,
    steps: placeSteps(question, aroundGwei),
    waiting: {
      count: waiting.length,
      sumGwei: waiting.reduce((sum, { amountGwei }) => sum + amountGwei, 0n),
      entry: waiting.length === 0 ? entry : entryBy({ ...question, uncounted: [] }),
    },
  }
}

/** The least first deposit and the top-up behind it, were both made now; undefined where no amount is enough. */
export const entryOf = (snapshot: SetSnapshot, pubkey: Hex, network: Network): EntryCost | undefined =>
  entryBy(newcomer(snapshot, pubkey, network))

type Newcomer = EntryQuestion & { minimumDepositGwei: Gwei }

function newcomer(snapshot: SetSnapshot, pubkey: Hex, { spec, minimumDepositGwei }: Network): Newcomer {
  const deposit = { withdrawalCredentials: ANY_CREDENTIALS, amountGwei: minimumDepositGwei }
  return { ...questionOf(snapshot, spec), ...deposit, pubkey, minimumDepositGwei }
}

function entryBy(question: Newcomer): EntryCost | undefined {
  const proposal = topUpAfterEntry(question)
  if ('impossible' in proposal) return undefined
  const { addGwei: topUpGwei, forecast } = proposal
  return { allGwei: question.amountGwei + topUpGwei, topUpGwei, forecast }
}

const STEPS_BELOW = 3n
const STEPS_ABOVE = 4n

/**
 * What steps of the effective balance around an amount buy a new validator, the least first. Each is made as the wizard
 * makes it, the least first deposit and then a top-up, and judged by a forecast. The key must not be in the state.
 */
export function placeSteps(question: Newcomer, aroundGwei: Gwei): PlaceStep[] {
  const { spec, minimumDepositGwei } = question
  const steps: PlaceStep[] = []
  for (let step = -STEPS_BELOW; step <= STEPS_ABOVE; step += 1n) {
    const allGwei = aroundGwei + step * spec.effectiveBalanceIncrementGwei
    const addGwei = allGwei - minimumDepositGwei
    if (addGwei >= minimumDepositGwei && allGwei <= spec.maxEffectiveBalanceGwei)
      steps.push(stepOf(allGwei, forecastAfterEntry(question, addGwei)))
  }
  return steps
}

function stepOf(allGwei: Gwei, forecast: Forecast): PlaceStep {
  const outcome = outcomeOf(forecast)
  const rank = outcome === 'below-threshold' ? undefined : forecast.rank
  return { allGwei, outcome, rank, places: forecast.places }
}
