import { ordinal } from '../core/base/format/amount.ts'
import { cellsOf, padLeft } from '../core/base/format/drawable.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { type EntryCost, entryOf, NO_KEY_YET } from '../core/chain/consensus/place-cost.ts'
import type { SetSnapshot } from '../core/chain/consensus/snapshot.ts'
import type { Setup } from '../core/chain/facts.ts'
import { readSnapshot } from '../core/clients/prove-snapshot.ts'
import { clientsOf } from '../core/observe/context.ts'
import { adviseTopUp, forecastTopUp, type TopUpAdvice } from '../core/steps/topup/facts.ts'
import { ranksAround } from '../core/steps/topup/ranks.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf } from './command.ts'
import type { TopUpPlanFields } from './documents/topup-plan.ts'
import {
  ageRows,
  indexRows,
  levelRows,
  type NamedValidator,
  outlookIn,
  outlookRows,
  subjectOf,
} from './outlook-rows.ts'
import { type Report, type ReportEnding, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { setupOf } from './setup.ts'
import { planAmount, readTopUpAmount } from './topup-amount.ts'
import { depositsReport } from './topup-deposits.ts'
import { amountWords, entryRows, newKeyReport, plannedFor } from './topup-new-key.ts'

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
      : reportOf(snapshot, { validator, amountGwei, setup })
  return tellReport(withAge(report, snapshot, { effects: call.effects, setup }), call)
}

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
  const outlook = outlookIn(snapshot, pubkey, { setup })
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
      ...outlookRows(outlook, { snapshot, setup, atRisk: 'unasked' }),
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
  leaving: 'the validator is leaving or has left, so it comes back',
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
  const shape = { step: 'topup', id: 'proposal', label: ROWS_TEXT.proposal, source: 'model' } as const
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
      source: 'model',
    },
  ]
}
