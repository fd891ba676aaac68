import { type Forecast, forecast, outcomeOf } from '../../consensus/forecast.ts'
import { isFulu } from '../../consensus/fork-outlook.ts'
import { stakeToBe } from '../../consensus/process-epoch.ts'
import { proposeTopUp, type TopUpImpossible } from '../../consensus/propose-top-up.ts'
import { rankTable } from '../../consensus/standing.ts'
import { type Survey, waitingDeposits } from '../../consensus/survey.ts'
import type { Setup } from '../../facts.ts'
import type { Hex } from '../../format/hex.ts'
import type { AgreedValidator, AgreedWorld } from '../gate/consent.ts'
import { known, type Observation } from '../observation.ts'
import type { LadderRow } from '../view.ts'

/** What the model says about topping up, from one survey of the validator set. */
export type TopUpAdvice = {
  balanceGwei: bigint
  /** The same with the deposits for the key that are in blocks and wait to be counted. */
  stakeToBeGwei: bigint
  /** The least amount that keeps a seat with a margin; 0 when none is needed. */
  proposedGwei: bigint | undefined
  impossible: TopUpImpossible | undefined
  /** What exactly reaching the activation threshold would buy. */
  threshold: { addGwei: bigint; forecast: Forecast } | undefined
}

const remembered = new WeakMap<Survey, Map<string, TopUpAdvice>>()

/**
 * Asks the consensus model what the validator needs. Pure; the same model runs the rehearsal network.
 * The answer is kept with its survey: a search through many forecasts is not made anew for every frame.
 */
export function adviseTopUp(survey: Survey, pubkey: Hex, setup: Setup): TopUpAdvice {
  const answers = remembered.get(survey) ?? new Map<string, TopUpAdvice>()
  remembered.set(survey, answers)
  const advice = answers.get(pubkey) ?? newAdvice(survey, pubkey, setup)
  answers.set(pubkey, advice)
  return advice
}

function newAdvice(survey: Survey, pubkey: Hex, { network }: Setup): TopUpAdvice {
  const { spec, minimumDepositGwei } = network
  const state = survey.consensus
  const fulu = isFulu(spec, survey.timestampSeconds)
  const uncounted = waitingDeposits(survey)
  const question = { state, uncounted, spec, fulu, pubkey, currentSlot: state.slot }
  const index = state.validators.findIndex((validator) => validator.pubkey === pubkey.toLowerCase())
  const balanceGwei = state.balancesGwei[index] ?? 0n
  const proposal = proposeTopUp({ ...question, minimumDepositGwei })
  const missing = spec.activationBalanceGwei - stakeToBe(question)
  const worthAsking = index >= 0 && missing >= minimumDepositGwei
  return {
    balanceGwei,
    stakeToBeGwei: stakeToBe(question),
    proposedGwei: 'impossible' in proposal ? undefined : proposal.addGwei,
    impossible: 'impossible' in proposal ? proposal.impossible : undefined,
    threshold: worthAsking
      ? { addGwei: missing, forecast: forecast({ ...question, addGwei: missing }) }
      : undefined,
  }
}

/** Where nothing may be added at all: it would be burnt, paid back, or not fit. */
const CLOSED: readonly TopUpImpossible[] = ['not-in-state', 'leaving', 'no-room']

/** The amount on the table: what was chosen, else what the model proposes; none where nothing may be added. */
export function chosenAmount(
  chosenGwei: bigint | undefined,
  advice: TopUpAdvice | undefined,
): bigint | undefined {
  if (advice?.impossible !== undefined && CLOSED.includes(advice.impossible)) return undefined
  if (chosenGwei !== undefined) return chosenGwei
  return advice?.proposedGwei === 0n ? undefined : advice?.proposedGwei
}

/** The same from the state of the step: undefined while there is no survey or nothing to propose. */
export function amountOnTheTable(
  state: { survey: Observation<Survey>; chosenGwei: bigint | undefined },
  pubkey: Hex | undefined,
  setup: Setup,
): bigint | undefined {
  const survey = known(state.survey)
  if (survey === undefined || pubkey === undefined) return undefined
  return chosenAmount(state.chosenGwei, adviseTopUp(survey, pubkey, setup))
}

/** The forecast of one amount, undefined while the state does not hold the key. */
export function forecastTopUp(
  survey: Survey,
  pubkey: Hex,
  addGwei: bigint,
  { network }: Setup,
): Forecast | undefined {
  const state = survey.consensus
  if (!state.validators.some((validator) => validator.pubkey === pubkey.toLowerCase())) return undefined
  const fulu = isFulu(network.spec, survey.timestampSeconds)
  const uncounted = waitingDeposits(survey)
  return forecast({ state, uncounted, spec: network.spec, fulu, pubkey, addGwei, currentSlot: state.slot })
}

/**
 * What the survey on the screen says of the validator and of what the amount buys: what an agreement to it is about.
 * undefined while there is no survey that holds the key.
 */
export function agreedWorld(
  { survey }: { survey: Observation<Survey> },
  pubkey: Hex | undefined,
  amountGwei: bigint | undefined,
  setup: Setup,
): AgreedWorld | undefined {
  const shown = known(survey)
  if (shown === undefined || pubkey === undefined || amountGwei === undefined) return undefined
  const promise = forecastTopUp(shown, pubkey, amountGwei, setup)
  return (
    promise && {
      about: 'validator',
      block: knownUpTo(shown),
      ...stakeOf(shown, pubkey),
      outcome: outcomeOf(promise),
    }
  )
}

/** Before Fulu the deposits of the last two blocks are in no state; which of them wait only a proven one tells. */
const BLOCKS_NOT_COUNTED = 2n

function knownUpTo(survey: Survey): bigint {
  const { slot } = survey.consensus
  if ('unknown' in waitsForOwn(survey)) return slot - BLOCKS_NOT_COUNTED
  return survey.own?.block ?? slot + 1n
}

/** What waits for the validator, of whichever proof tells. */
function waitsForOwn({ own, uncounted }: Survey): Survey['uncounted'] {
  return own?.uncounted ?? uncounted
}

/** What a survey says of a validator's stake, in gwei: what is counted, and with what waits where that is known. */
function stakeOf(survey: Survey, pubkey: Hex): Pick<AgreedValidator, 'balanceGwei' | 'stakeToBeGwei'> {
  const state = survey.consensus
  const balanceGwei = stakeToBe({ state, pubkey })
  const uncounted = waitsForOwn(survey)
  if ('unknown' in uncounted) return { balanceGwei, stakeToBeGwei: undefined }
  return { balanceGwei, stakeToBeGwei: stakeToBe({ state, uncounted, pubkey }) }
}

const AROUND = 3

/** The rows of the rank table around the validator's place and around the last place, with the validator at its forecast stake. */
export function ladderAround(survey: Survey, pubkey: Hex, seen: Forecast, { network }: Setup): LadderRow[] {
  const { spec } = network
  const fulu = isFulu(spec, survey.timestampSeconds)
  const epoch = seen.rankEpoch ?? survey.consensus.slot / spec.slotsPerEpoch + 1n
  const table = rankTable(survey.consensus, spec, { epoch, fulu })
  const others = table.rungs.filter((rung) => rung.pubkey !== pubkey.toLowerCase())
  const mine = { pubkey, stakeGwei: seen.effectiveAfterGwei }
  const place = others.findIndex((rung) => rung.stakeGwei < mine.stakeGwei || tiesBelow(rung, mine))
  const at = place === -1 ? others.length : place
  const rows = [...others.slice(0, at), mine, ...others.slice(at)]
  return rows
    .map((rung, index) => ({
      rank: index + 1,
      stakeGwei: rung.stakeGwei,
      mine: index === at,
      seated: index < table.seats,
      note: noteOf(index + 1, table.seats, index === at),
    }))
    .filter((row) => Math.abs(row.rank - 1 - at) <= AROUND || Math.abs(row.rank - table.seats) <= 1)
}

function tiesBelow(
  rung: { pubkey: Hex; stakeGwei: bigint },
  mine: { pubkey: Hex; stakeGwei: bigint },
): boolean {
  return rung.stakeGwei === mine.stakeGwei && rung.pubkey < mine.pubkey.toLowerCase()
}

function noteOf(rank: number, seats: number, mine: boolean): string {
  const seat = rank === seats ? 'last place' : ''
  const out = rank > seats ? 'out' : ''
  return [mine ? 'you' : '', seat, out].filter((word) => word !== '').join(', ')
}
