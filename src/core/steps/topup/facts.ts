import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { type Forecast, forecast, outcomeOf } from '../../chain/consensus/forecast.ts'
import { stakeToBe } from '../../chain/consensus/process-epoch.ts'
import { proposeTopUp, type TopUpImpossible } from '../../chain/consensus/propose-top-up.ts'
import { questionOf, type SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import type { AgreedKeyState, AgreedValidator } from '../../pay/gate/consent.ts'
import type { KnownDeposit } from '../../pay/gate/facts.ts'
import { known, type Observation, type Observations } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'

/** Why nothing may be added: by the model, or since the validator is a pool's, whose stake has a door of its own. */
type AdviceImpossible = TopUpImpossible | 'pool'

/** What the model says about topping up, from one snapshot of the validator set. */
export type TopUpAdvice = {
  balanceGwei: Gwei
  /** The same with the deposits for the key that are in blocks and wait to be counted. */
  stakeToBeGwei: Gwei
  /** The least amount that keeps a place with a margin; 0 when none is needed. */
  proposedGwei: Gwei | undefined
  impossible: AdviceImpossible | undefined
  /** What exactly reaching the activation threshold would buy. */
  threshold: AmountOption | undefined
}

const remembered = new WeakMap<SetSnapshot, Map<string, TopUpAdvice>>()

/**
 * Asks the consensus model what the validator needs. Pure; the same model runs the rehearsal network.
 * The answer is kept with its snapshot: a search through many forecasts is not made anew for every frame.
 */
export function adviseTopUp(snapshot: SetSnapshot, pubkey: Hex, setup: Setup): TopUpAdvice {
  const answers = remembered.get(snapshot) ?? new Map<string, TopUpAdvice>()
  remembered.set(snapshot, answers)
  const advice = answers.get(pubkey) ?? newAdvice(snapshot, pubkey, setup)
  answers.set(pubkey, advice)
  return advice
}

function newAdvice(snapshot: SetSnapshot, pubkey: Hex, { network }: Setup): TopUpAdvice {
  const { spec, minimumDepositGwei } = network
  const question = { ...questionOf(snapshot, spec), pubkey }
  const { state } = question
  const index = state.validators.findIndex((validator) => validator.pubkey === pubkey.toLowerCase())
  const balanceGwei = state.balancesGwei[index] ?? 0n
  const validator = state.validators[index]
  if (validator !== undefined && isPoolValidator(validator.withdrawalCredentials, network))
    return {
      balanceGwei,
      stakeToBeGwei: stakeToBe(question),
      impossible: 'pool',
      proposedGwei: undefined,
      threshold: undefined,
    }
  const proposal = proposeTopUp({ ...question, minimumDepositGwei })
  const missing = spec.activationBalanceGwei - stakeToBe(question)
  const impossible = 'impossible' in proposal ? proposal.impossible : undefined
  const worthAsking = index >= 0 && missing >= minimumDepositGwei && !isClosed({ impossible })
  return {
    balanceGwei,
    stakeToBeGwei: stakeToBe(question),
    proposedGwei: 'impossible' in proposal ? undefined : proposal.addGwei,
    impossible,
    threshold: worthAsking
      ? { addGwei: missing, forecast: forecast({ ...question, addGwei: missing }) }
      : undefined,
  }
}

/** Where nothing may be added at all: it would be burnt, paid back, given away, or not fit. */
const CLOSED: readonly AdviceImpossible[] = ['not-in-state', 'leaving', 'no-room', 'pool']

/** Whether nothing may be added at all. */
export const isClosed = (advice: Pick<TopUpAdvice, 'impossible'> | undefined): boolean =>
  advice?.impossible !== undefined && CLOSED.includes(advice.impossible)

/** The amount on the table: what was chosen, else what the model proposes; none where nothing may be added. */
function chosenAmount(chosenGwei: Gwei | undefined, advice: TopUpAdvice | undefined): Gwei | undefined {
  if (isClosed(advice)) return undefined
  if (chosenGwei !== undefined) return chosenGwei
  return advice?.proposedGwei === 0n ? undefined : advice?.proposedGwei
}

const forecasts = new WeakMap<SetSnapshot, Map<string, Forecast>>()

/** The forecast of one amount, undefined while the state does not hold the key. It is kept with its snapshot. */
export function forecastTopUp(
  snapshot: SetSnapshot,
  pubkey: Hex,
  addGwei: Gwei,
  { network }: Setup,
): Forecast | undefined {
  const { validators } = snapshot.consensus
  if (!validators.some((validator) => validator.pubkey === pubkey.toLowerCase())) return undefined
  const answers = forecasts.get(snapshot) ?? new Map<string, Forecast>()
  forecasts.set(snapshot, answers)
  const asked = `${pubkey} ${addGwei}`
  const ahead = answers.get(asked) ?? forecast({ ...questionOf(snapshot, network.spec), pubkey, addGwei })
  answers.set(asked, ahead)
  return ahead
}

/**
 * What the snapshot on the screen says of the validator and of what the amount buys: what an agreement to it is about.
 * undefined while there is no snapshot that holds the key.
 */
export function agreedKeyState(
  { snapshot }: { snapshot: Observation<SetSnapshot> },
  pubkey: Hex | undefined,
  amountGwei: Gwei | undefined,
  setup: Setup,
): AgreedKeyState | undefined {
  const shown = known(snapshot)
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

/** Returns the deposits for a key that a look at the set knows to wait, or that may wait. */
export function depositsIn(snapshot: SetSnapshot, pubkey: Hex): KnownDeposit[] {
  const uncounted = waitsForOwn(snapshot)
  const waiting = 'unknown' in uncounted ? uncounted.perhaps : uncounted
  return waiting
    .filter((deposit) => sameHex(deposit.pubkey, pubkey))
    .map(({ transactionHash: hash, amountGwei }) => ({ hash, amountGwei }))
}

/** Before Fulu the deposits of the last two blocks are in no state; which of them wait only a proven one tells. */
const BLOCKS_NOT_COUNTED = 2n

function knownUpTo(snapshot: SetSnapshot): bigint {
  const { slot } = snapshot.consensus
  if ('unknown' in waitsForOwn(snapshot)) return slot > BLOCKS_NOT_COUNTED ? slot - BLOCKS_NOT_COUNTED : 0n
  return snapshot.own?.block ?? slot + 1n
}

/** Those of the payments that are told of which a look at the set cannot know; all of them without one. */
export function notInLook<T extends { block: bigint }>(
  payments: readonly T[],
  snapshot: SetSnapshot | undefined,
): T[] {
  const upTo = snapshot === undefined ? -1n : knownUpTo(snapshot)
  return payments.filter(({ block }) => block > upTo)
}

/** What waits for the validator, of whichever proof tells. */
function waitsForOwn({ own, uncounted }: SetSnapshot): SetSnapshot['uncounted'] {
  return own?.uncounted ?? uncounted
}

/** What a snapshot says of a validator's stake, in gwei: what is counted, and with what waits where that is known. */
function stakeOf(snapshot: SetSnapshot, pubkey: Hex): Pick<AgreedValidator, 'balanceGwei' | 'stakeToBeGwei'> {
  const state = snapshot.consensus
  const balanceGwei = stakeToBe({ state, pubkey })
  const uncounted = waitsForOwn(snapshot)
  if ('unknown' in uncounted) return { balanceGwei, stakeToBeGwei: undefined }
  return { balanceGwei, stakeToBeGwei: stakeToBe({ state, uncounted, pubkey }) }
}

/** An amount with what it does. */
type AmountOption = { addGwei: Gwei; forecast: Forecast }

/** What the amounts come to that are compared: that of the threshold, and the one on the table. */
export type TopUpAnswers = { threshold: AmountOption; amount: AmountOption }

/** What they are judged by. */
export type AboutTopUp = {
  observed: Observations<TopUpAnswers>
  advice: TopUpAdvice | undefined
  setup: Setup
}

/** Whether an amount keeps a place that nobody shares: a tie counts as lost. */
export const isSafe = ({ forecast }: AmountOption) => forecast.keepsPlace && (forecast.marginGwei ?? 1n) > 0n

/** The facts of this step beside those of any payment: what an amount does, computed from one look at the set. */
export const TOPUP_FACTS: FactTable<TopUpAnswers, AboutTopUp> = {
  threshold: {
    gate: 'told',
    isComputed: true,
    alternative: true,
    hasRow: ({ observed }) => observed.threshold.status === 'known',
    judge: isSafe,
  },
  amount: {
    gate: 'needed',
    isComputed: true,
    hasRow: ({ observed }) => observed.amount.status === 'known',
    judge: isSafe,
    // A risk can be taken by its own word; an amount that loses the key at once cannot.
    suffices: ({ forecast }) => !forecast.evictedAtOnce,
  },
}

/** Returns what can be said of the amounts by the look at the set that is on the screen. */
export function topUpOptions(
  state: { snapshot: Observation<SetSnapshot>; chosenGwei: Gwei | undefined },
  pubkey: Hex | undefined,
  setup: Setup,
): AboutTopUp & { snapshot: SetSnapshot | undefined; amountGwei: Gwei | undefined } {
  const snapshot = pubkey === undefined ? undefined : known(state.snapshot)
  const advice = snapshot && pubkey ? adviseTopUp(snapshot, pubkey, setup) : undefined
  const amountGwei = chosenAmount(state.chosenGwei, advice)
  const forecast =
    snapshot && pubkey && amountGwei !== undefined
      ? forecastTopUp(snapshot, pubkey, amountGwei, setup)
      : undefined
  const computed = (value: AmountOption | undefined): Observation<AmountOption> =>
    value === undefined ? { status: 'unasked' } : { status: 'known', value, source: '', atMs: 0 }
  const isOther = advice?.threshold?.addGwei !== amountGwei
  const amount = forecast && amountGwei !== undefined ? { addGwei: amountGwei, forecast } : undefined
  const observed = {
    threshold: computed(isOther ? advice?.threshold : undefined),
    amount: computed(amount),
  }
  return { snapshot, advice, amountGwei, observed, setup }
}
