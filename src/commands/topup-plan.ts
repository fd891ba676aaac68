import { badUsage } from '../core/base/errors/base.ts'
import { formatCount, formatGwei, type Gwei, ordinal } from '../core/base/format/amount.ts'
import { cellsOf, padLeft } from '../core/base/format/drawable.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { type Forecast, outcomeOf } from '../core/chain/consensus/forecast.ts'
import { outlook } from '../core/chain/consensus/outlook.ts'
import { type EntryCost, entryOf, NO_KEY_YET } from '../core/chain/consensus/place-cost.ts'
import { stakeToBe } from '../core/chain/consensus/process-epoch.ts'
import { questionOf, type SetSnapshot, waitingDeposits } from '../core/chain/consensus/snapshot.ts'
import { validatorStatus } from '../core/chain/consensus/state.ts'
import type { Setup } from '../core/chain/facts.ts'
import { isLost, ownRecord } from '../core/chain/key-state/own.ts'
import { describeStanding } from '../core/chain/key-state/standing.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { typedAmount } from '../core/chain/network/network.ts'
import { isPoolValidator } from '../core/chain/network/pools.ts'
import { readSnapshot } from '../core/clients/prove-snapshot.ts'
import { clientsOf } from '../core/observe/context.ts'
import { adviseTopUp, forecastTopUp, type TopUpAdvice } from '../core/steps/topup/facts.ts'
import { ranksAround } from '../core/steps/topup/ranks.ts'
import type { Mark, Numbers } from '../core/view/view.ts'
import { readKept } from '../core/wizard/journal/guard-file.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import type { AmountOutcome } from './documents/parts.ts'
import type { TopUpPlanFields } from './documents/topup-plan.ts'
import { openRows } from './open-rows.ts'
import { ageRows, indexRows, levelRows, type NamedValidator, outlookRows, subjectOf } from './outlook-rows.ts'
import { type Report, type ReportEnding, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { setupOf } from './setup.ts'
import { amountWords, depositsReport, entryRows, newKeyReport, plannedFor } from './topup-deposits.ts'

/** The command `topup-plan`. */
export const topUpPlanCommand = commandOf('topup-plan', run)

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const { amount } = call.options
  const amountGwei = amount === undefined ? undefined : readTopUpAmount(amount, setup)
  const planned = await plannedFor(call, setup)
  if (planned === 'deposits') return tellReport(await depositsReport(call, setup), call)
  const validator = planned === 'new-key' ? undefined : planned
  const { node, execution, second, signed } = clientsOf({ effects: call.effects, setup })
  const snapshot = await readSnapshot(
    { node, execution, second, signed },
    { network: setup.network, keep: validator?.pubkey ?? NO_KEY_YET, clock: call.effects.clock },
  )
  const report =
    validator === undefined
      ? newKeyReport(snapshot, { amountGwei, setup })
      : withRows(
          reportOf(snapshot, { validator, amountGwei, setup }),
          openRows(await readKept(call.effects.store, setup), {
            pubkey: validator.pubkey,
            set: snapshot,
            step: 'topup',
            network: setup.network,
          }),
        )
  return tellReport(withAge(report, snapshot, { effects: call.effects, setup }), call)
}

const withRows = (report: Report<TopUpPlanFields>, rows: readonly ReportRow[]) => ({
  ...report,
  rows: [...report.rows, ...rows],
})

/** A plan by a set that is not of now is none. */
function withAge(report: Report, snapshot: SetSnapshot, given: Parameters<typeof ageRows>[1]): Report {
  const age = ageRows(snapshot, given)
  return age.length === 0
    ? report
    : {
        ...report,
        rows: [...report.rows, ...age],
        sentence: () => `Not certain: see "${ROWS_TEXT.age}".`,
      }
}

type PlanInput = { validator: NamedValidator; amountGwei: bigint | undefined; setup: Setup }

function reportOf(
  snapshot: SetSnapshot,
  { validator, amountGwei, setup }: PlanInput,
): Report<TopUpPlanFields> {
  const { pubkey } = validator
  const advice = adviseTopUp(snapshot, pubkey, setup)
  const plan = amountGwei === undefined ? undefined : planAmount(snapshot, pubkey, amountGwei, setup)
  const proposed =
    advice.proposedGwei === undefined
      ? undefined
      : forecastTopUp(snapshot, pubkey, advice.proposedGwei, setup)
  const isNew = advice.impossible === 'not-in-state' && advice.stakeToBeGwei === 0n
  const entry = amountGwei === undefined && isNew ? entryOf(snapshot, pubkey, setup.network) : undefined
  const forecast = plan === undefined ? (proposed ?? entry?.forecast) : plan.forecast
  const ranks = forecast === undefined ? [] : ranksAround(snapshot, pubkey, forecast, setup)
  const { token } = setup.network.names
  const verdict = plan?.rows ?? [
    proposalRow(advice, setup),
    ...entryRows(entry, setup),
    ...thresholdRows(advice, setup),
  ]
  return {
    document: 'topup-plan',
    network: setup.network.id,
    rows: [
      ...indexRows(validator, snapshot, setup),
      balanceRow(advice, setup),
      ...verdict,
      ...outlookRows(describeStanding(snapshot, pubkey, setup).numbers.outlook, {
        snapshot,
        setup,
        atRisk: 'unasked',
      }),
      ...levelRows(snapshot, pubkey, setup),
    ],
    sentence: (outcome) =>
      amountGwei === undefined
        ? adviceSentence(outcome, advice, token, entry)
        : amountSentence(outcome, plan?.rows, amountWords(amountGwei, token)),
    data: {
      ...subjectOf(snapshot, pubkey, setup),
      ...advice,
      amountGwei,
      outcome: plan?.outcome,
      forecast,
      wholeWayGwei: entry?.allGwei,
      ranks: ranks.map(({ note, ...row }) => ({ ...row, words: { note } })),
    },
    notes: rankLines(ranks, token),
  }
}

/** The rank table around the place: amounts below one another. */
function rankLines(ranks: ReturnType<typeof ranksAround>, token: string): string[] {
  const amounts = ranks.map(({ stakeGwei }) => amountWords(stakeGwei, token))
  const widest = Math.max(0, ...amounts.map(cellsOf))
  return ranks.map(({ rank, note }, place) =>
    `${padLeft(String(rank), 7)}  ${padLeft(amounts[place] ?? '', widest)}  ${note}`.trimEnd(),
  )
}

function amountSentence(
  { is, which }: ReportEnding,
  rows: readonly ReportRow[] | undefined,
  amount: string,
): string {
  const outcome = rows?.find(({ id }) => id === 'outcome')
  if (is === 'unknown' || outcome === undefined) return `Not certain: see "${which}".`
  return `${amount}: ${outcome.value}.`
}

function adviceSentence(
  { is, which }: ReportEnding,
  { proposedGwei, impossible }: TopUpAdvice,
  token: string,
  entry: EntryCost | undefined,
): string {
  if (entry !== undefined)
    return `Top up nothing yet: ${REASONS['not-in-state']}. A place needs ${amountWords(entry.allGwei, token)} in all now.`
  if (impossible !== undefined) return `Top up nothing: ${REASONS[impossible]}.`
  if (is !== 'yes') return `Not certain: see "${which}".`
  return proposedGwei === undefined || proposedGwei === 0n
    ? 'No top-up is needed: what is staked keeps its place.'
    : `A top-up of ${amountWords(proposedGwei, token)} keeps a place, with a margin.`
}

const REASONS = {
  'not-in-state': 'the beacon state does not hold this key, so all of it would be burnt',
  leaving: `the validator ${STANDING_TEXT.leavesOrHasLeft}, so it comes back`,
  pool: 'the validator is a staking pool’s, so a direct deposit is a gift to those who hold its shares',
  'no-room': 'less room is left than one deposit must carry',
  'place-out-of-reach': 'no amount reaches a place in this set',
} as const

function balanceRow({ balanceGwei, stakeToBeGwei, impossible }: TopUpAdvice, setup: Setup): ReportRow {
  const { token } = setup.network.names
  const waitingGwei = stakeToBeGwei - balanceGwei
  const more = waitingGwei === 0n ? '' : `, ${amountWords(waitingGwei, token)} more not counted yet`
  const known = impossible !== 'not-in-state'
  return {
    step: 'topup',
    id: 'balance',
    numbers: { balanceGwei, stakeToBeGwei },
    label: ROWS_TEXT.balance,
    mark: known ? 'proven' : 'refused',
    value: known ? `${amountWords(balanceGwei, token)}${more}` : 'not in the beacon state',
    source: endpointName(setup.endpoints.node),
  }
}

function proposalRow({ proposedGwei, impossible }: TopUpAdvice, setup: Setup): ReportRow {
  const shape = { step: 'topup', id: 'proposal', label: ROWS_TEXT.proposal, source: 'computed here' } as const
  if (impossible !== undefined) return { ...shape, mark: 'refused', value: `none: ${REASONS[impossible]}` }
  if (proposedGwei === undefined || proposedGwei === 0n)
    return { ...shape, mark: 'proven', value: 'none needed: what is staked keeps its place' }
  const value = amountWords(proposedGwei, setup.network.names.token)
  return { ...shape, mark: 'proven', value, numbers: { proposedGwei } }
}

function thresholdRows({ threshold }: TopUpAdvice, setup: Setup): ReportRow[] {
  if (threshold === undefined) return []
  const { addGwei, forecast } = threshold
  const rank = forecast.rank === undefined ? '' : `${ordinal(forecast.rank)} for ${forecast.places} places, `
  const holds = forecast.keepsPlace && (forecast.marginGwei ?? 1n) > 0n
  const words = holds ? 'keeps a place' : 'keeps no place: out at once and for ever'
  const value = `${amountWords(addGwei, setup.network.names.token)}: ${rank}${words}`
  // An amount that nobody asked about is no verdict.
  return [
    {
      step: 'topup',
      id: 'threshold',
      numbers: {
        addGwei,
        ...(forecast.rank === undefined ? {} : { rank: forecast.rank, places: forecast.places }),
      },
      label: ROWS_TEXT.threshold,
      mark: 'unasked',
      value,
      source: 'computed here',
    },
  ]
}

/** What exactly one amount does, for people and as data. */
export type AmountPlan = {
  rows: readonly ReportRow[]
  outcome: AmountOutcome
  forecast: Forecast | undefined
}

/** Returns the amount of a command line, in gwei. Throws `usage.option`. */
function readTopUpAmount(text: string, { network }: Setup): Gwei {
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
    return unplaced(
      'comes-back',
      `comes back: the validator ${STANDING_TEXT.leavesOrHasLeft} (${status}), for ever`,
    )
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

const SHAPE = { step: 'topup', source: 'computed here' } as const

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
      const value = `out at once: active and sent away at epoch ${formatCount(forecast.exitEpoch ?? 0n)}; ${STANDING_TEXT.outForEver}`
      return { outcome, mark: 'refused', value }
    }
    case 'drops-out':
      return { outcome, ...OUT(forecast.exitEpoch ?? outAt ?? 0n) }
    case 'tie':
      return { outcome, mark: 'refused', value: 'a tie for the last place, which counts as lost' }
    case 'keeps-place':
      return { outcome, mark: 'proven', value: STANDING_TEXT.keepsItsPlace }
  }
}

const OUT = (epoch: bigint): Pick<Verdict, 'mark' | 'value'> => ({
  mark: 'refused',
  value: `${STANDING_TEXT.outAt(epoch)} all the same; ${STANDING_TEXT.outForEver}`,
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
  const { minimumDepositGwei, spec } = setup.network
  const question = questionOf(snapshot, spec)
  const uncounted = [...question.uncounted, topUp]
  return outlook({ ...question, uncounted, pubkey, minimumDepositGwei }).dropsOutAtEpoch
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
