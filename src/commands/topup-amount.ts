import { badUsage } from '../core/base/errors/base.ts'
import { formatCount, formatGwei, type Gwei, ordinal } from '../core/base/format/amount.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { type Forecast, outcomeOf } from '../core/chain/consensus/forecast.ts'
import { stakeToBe } from '../core/chain/consensus/process-epoch.ts'
import { type SetSnapshot, waitingDeposits } from '../core/chain/consensus/snapshot.ts'
import { validatorStatus } from '../core/chain/consensus/state.ts'
import type { Setup } from '../core/chain/facts.ts'
import { OUTLOOK_TEXT } from '../core/chain/key-state/outlook-text.ts'
import { isLost, ownRecord } from '../core/chain/key-state/own.ts'
import { typedAmount } from '../core/chain/network/network.ts'
import { isPoolValidator } from '../core/chain/network/pools.ts'
import { forecastTopUp } from '../core/steps/topup/facts.ts'
import type { Mark, Numbers } from '../core/view/view.ts'
import type { AmountOutcome } from './documents/words.ts'
import { outlookIn } from './outlook-rows.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'

/** What exactly one amount does, for people and as data. */
export type AmountPlan = {
  rows: readonly ReportRow[]
  outcome: AmountOutcome
  forecast: Forecast | undefined
}

/** Returns the amount of a command line, in gwei. Throws `usage.option`. */
export function readTopUpAmount(text: string, { network }: Setup): Gwei {
  const refuse = (sentence: string) =>
    badUsage({
      sentence: `--amount: ${sentence}`,
      found: safeText(text, 40),
      next: 'Give such as --amount 260,000.',
    })
  const typed = typedAmount(text, network)
  if ('error' in typed) throw refuse(typed.error)
  return typed.amountGwei
}

/** Runs the rules of the chain forward with this one top-up in the next block that can take it. Pure. */
export function planAmount(snapshot: SetSnapshot, pubkey: Hex, amountGwei: bigint, setup: Setup): AmountPlan {
  const own = ownRecord(snapshot, pubkey, setup)
  if (own === undefined) {
    const waits = waitingDeposits(snapshot).some(
      (each) => sameHex(each.pubkey, pubkey) && each.signatureValid,
    )
    return waits
      ? unplaced(
          'not-counted-yet',
          'the first deposit is not counted yet: a top-up that overtakes it is burnt',
        )
      : unplaced('burnt', 'burnt: the beacon state does not hold this key')
  }
  if (isLost(own)) {
    const status = validatorStatus(own.validator, own.epoch).replaceAll('_', ' ')
    return unplaced('comes-back', `comes back: the validator is leaving or has left (${status}), for ever`)
  }
  if (isPoolValidator(own.validator.withdrawalCredentials, setup.network))
    return unplaced('gift', 'a gift to those who hold the shares of its staking pool')
  const forecast = forecastTopUp(snapshot, pubkey, amountGwei, setup)
  if (forecast === undefined) return unplaced('burnt', 'burnt: the beacon state does not hold this key')
  return placed(snapshot, { pubkey, amountGwei, forecast, setup })
}

function unplaced(outcome: AmountOutcome, value: string): AmountPlan {
  return {
    outcome,
    rows: [{ ...SHAPE, id: 'outcome', label: ROWS_TEXT.outcome, mark: 'refused', value }],
    forecast: undefined,
  }
}

type Question = { pubkey: Hex; amountGwei: bigint; forecast: Forecast; setup: Setup }

const SHAPE = { step: 'topup', source: 'model' } as const

function placed(snapshot: SetSnapshot, question: Question): AmountPlan {
  const { forecast, setup } = question
  const { token } = setup.network.names
  const verdict = verdictOn(snapshot, question)
  const row = (id: string, label: string, value: string, numbers: Numbers): ReportRow => ({
    ...SHAPE,
    id,
    label,
    mark: 'unasked',
    value,
    numbers,
  })
  const { balanceAfterGwei, effectiveAfterGwei, activationEpoch, exitEpoch } = forecast
  const epoch = snapshot.consensus.slot / setup.network.spec.slotsPerEpoch
  const rows: ReportRow[] = [
    { ...SHAPE, id: 'outcome', label: ROWS_TEXT.outcome, mark: verdict.mark, value: verdict.value },
    row(
      'stake',
      ROWS_TEXT.stake,
      `${formatGwei(balanceAfterGwei)} ${token}, effective ${formatGwei(effectiveAfterGwei)}`,
      { balanceAfterGwei, effectiveAfterGwei },
    ),
    ...(forecast.rank === undefined
      ? []
      : [row('place', ROWS_TEXT.place, placeWords(forecast, token), placeNumbers(forecast))]),
    ...(activationEpoch === undefined || activationEpoch <= epoch || exitEpoch !== undefined
      ? []
      : [
          row('activation', ROWS_TEXT.activation, `active from epoch ${formatCount(activationEpoch)} on`, {
            activationEpoch,
          }),
        ]),
  ]
  return { rows, outcome: verdict.outcome, forecast }
}

type Verdict = { outcome: AmountOutcome; mark: Mark; value: string }

function verdictOn(snapshot: SetSnapshot, { pubkey, amountGwei, forecast, setup }: Question): Verdict {
  const { spec, names } = setup.network
  const stakeGwei =
    stakeToBe({ state: snapshot.consensus, uncounted: waitingDeposits(snapshot), pubkey }) + amountGwei
  const excessGwei = stakeGwei - spec.maxEffectiveBalanceGwei
  if (excessGwei > 0n) {
    const most = formatGwei(spec.maxEffectiveBalanceGwei)
    const value = `${formatGwei(excessGwei)} ${names.token} of it comes back: a validator holds at most ${most}`
    return { outcome: 'comes-back', mark: 'refused', value }
  }
  const outAt = dropsOutAt(snapshot, { pubkey, amountGwei, forecast, setup })
  const outcome = outcomeOf(forecast)
  if (outcome === 'keeps-place' && outAt !== undefined) return { outcome: 'drops-out', ...OUT(outAt) }
  switch (outcome) {
    case 'below-threshold': {
      const effective = `effective balance ${formatGwei(forecast.effectiveAfterGwei)} ${names.token}`
      const value = `below the threshold: ${effective}, ${formatGwei(forecast.shortOfThresholdGwei)} short`
      return { outcome, mark: 'unasked', value }
    }
    case 'lost-at-once': {
      const value = `out at once: active and sent away at epoch ${formatCount(forecast.exitEpoch ?? 0n)}; ${OUTLOOK_TEXT.outForEver}`
      return { outcome, mark: 'refused', value }
    }
    case 'drops-out':
      return { outcome, ...OUT(forecast.exitEpoch ?? outAt ?? 0n) }
    case 'tie':
      return { outcome, mark: 'refused', value: 'a tie for the last place, which counts as lost' }
    case 'keeps-place':
      return { outcome, mark: 'proven', value: 'keeps its place in the active set' }
  }
}

const OUT = (epoch: bigint): Pick<Verdict, 'mark' | 'value'> => ({
  mark: 'refused',
  value: `${OUTLOOK_TEXT.outAt(epoch)} all the same; ${OUTLOOK_TEXT.outForEver}`,
})

/** The epoch at which the validator drops out with the amount, within the epochs of an outlook. */
function dropsOutAt(snapshot: SetSnapshot, { pubkey, amountGwei, setup }: Question): bigint | undefined {
  const topUp = {
    pubkey,
    withdrawalCredentials: `0x${'00'.repeat(32)}` as const,
    amountGwei,
    signatureValid: false,
    blockSlot: snapshot.consensus.slot + FIRST_BLOCK_AHEAD,
  }
  return outlookIn(snapshot, pubkey, { setup, topUp })?.dropsOutAtEpoch
}

/** A top-up decided on now is in a block two after the state's at the earliest. */
const FIRST_BLOCK_AHEAD = 2n

function placeNumbers({ rank = 0, places, marginGwei }: Forecast): Numbers {
  return { rank, places, ...(marginGwei === undefined ? {} : { marginGwei }) }
}

function placeWords({ rank = 0, places, marginGwei }: Forecast, token: string): string {
  const place = `${ordinal(rank)} for ${places} places`
  if (marginGwei === undefined) return `${place}; there are places for all`
  const distance = `${formatGwei(marginGwei < 0n ? -marginGwei : marginGwei)} ${token}`
  if (marginGwei === 0n) return `${place}, at the cutoff`
  return `${place}, ${distance} ${marginGwei > 0n ? 'above' : 'below'} the cutoff`
}
