import { readSurvey } from '../core/clients/read-survey.ts'
import { type Survey, surveyDoubt, surveySource } from '../core/consensus/survey.ts'
import type { Setup } from '../core/facts.ts'
import { formatGwei } from '../core/format/amount.ts'
import { endpointName } from '../core/format/endpoint-url.ts'
import type { Hex } from '../core/format/hex.ts'
import { clientsOf } from '../core/steps/clients-of.ts'
import { adviseTopUp, forecastTopUp, ladderAround, type TopUpAdvice } from '../core/steps/topup/plan.ts'
import { type Call, type CommandInput, runCommand } from './command.ts'
import { NODE_OPTIONS, NODE_OPTIONS_HELP } from './common-options.ts'
import type { ExitCode } from './exit-codes.ts'
import { pubkeyOf } from './pubkey-of.ts'
import { type Report, type ReportRow, tellReport } from './report.ts'
import { setupOf } from './setup.ts'

const HELP = `bearings topup-plan [--pubkey HEX] [options]

What the chain's own rules, run forward on the present set, say about a top-up: the least amount that keeps a seat with
a margin, what exactly the threshold would buy, and the ladder around the place. A note says whether the set is a proven
state or as the node reports it. Nothing is sent: the wizard proves the registration before it lets a top-up out.

  --pubkey HEX   48 bytes; without it the key of the home
${NODE_OPTIONS_HELP}`

/** The command `topup-plan`. Resolves to the exit code; does not throw. */
export function topUpPlanCommand(input: CommandInput): Promise<ExitCode> {
  const options = [...NODE_OPTIONS, 'pubkey']
  return runCommand({ name: 'topup-plan', help: HELP, options, mostPositionals: 0, run }, input)
}

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const pubkey = await pubkeyOf(call, setup)
  const { node, execution, second } = clientsOf({ effects: call.effects, setup })
  const survey = await readSurvey(
    { node, execution, second },
    { network: setup.network, keep: pubkey, clock: call.effects.clock },
  )
  return tellReport(reportOf(survey, pubkey, setup), call.io, { json: call.json })
}

function reportOf(survey: Survey, pubkey: Hex, setup: Setup): Report {
  const advice = adviseTopUp(survey, pubkey, setup)
  const forecast =
    advice.proposedGwei === undefined ? undefined : forecastTopUp(survey, pubkey, advice.proposedGwei, setup)
  const ladder = forecast === undefined ? [] : ladderAround(survey, pubkey, forecast, setup)
  const { token } = setup.network.names
  return {
    command: 'topup-plan',
    network: setup.network.id,
    rows: [balanceRow(advice, setup), proposalRow(advice, setup), ...thresholdRows(advice, setup)],
    data: { pubkey, slot: survey.consensus.slot, proof: survey.proof, ...advice, forecast, ladder },
    notes: [
      `the set: ${surveySource(survey)}`,
      ...surveyDoubt(survey),
      ...ladder.map(
        ({ rank, stakeGwei, note }) =>
          `${String(rank).padStart(13)}  ${amountWords(stakeGwei, token)}${note === '' ? '' : `  ${note}`}`,
      ),
    ],
  }
}

const IMPOSSIBLE = {
  'not-in-state': 'none: the beacon state does not hold this key, so anything sent would be burnt',
  leaving: 'none: this validator has left the set or is leaving it, and what is added comes back',
  'no-room': 'none: less room is left than one deposit must carry',
  'seat-out-of-reach': 'none: no amount wins a seat in this set',
} as const

function balanceRow({ balanceGwei, stakeToBeGwei, impossible }: TopUpAdvice, setup: Setup): ReportRow {
  const { token } = setup.network.names
  const waitingGwei = stakeToBeGwei - balanceGwei
  const more = waitingGwei === 0n ? '' : `, ${amountWords(waitingGwei, token)} more not counted yet`
  const known = impossible !== 'not-in-state'
  return {
    step: 'topup',
    id: 'balance',
    label: 'staked',
    mark: known ? 'proven' : 'refused',
    value: known ? `${amountWords(balanceGwei, token)}${more}` : 'not in the beacon state',
    source: endpointName(setup.endpoints.node),
  }
}

function proposalRow({ proposedGwei, impossible }: TopUpAdvice, setup: Setup): ReportRow {
  const shape = { step: 'topup', id: 'proposal', label: 'proposed top-up', source: 'model' } as const
  if (impossible !== undefined) return { ...shape, mark: 'refused', value: IMPOSSIBLE[impossible] }
  if (proposedGwei === undefined || proposedGwei === 0n)
    return { ...shape, mark: 'proven', value: 'none needed: what is staked keeps a seat' }
  return { ...shape, mark: 'proven', value: amountWords(proposedGwei, setup.network.names.token) }
}

function thresholdRows({ threshold }: TopUpAdvice, setup: Setup): ReportRow[] {
  if (threshold === undefined) return []
  const { addGwei, forecast } = threshold
  const rank = forecast.rank === undefined ? '' : `rank ${forecast.rank} of ${forecast.seats}, `
  const holds = forecast.keepsSeat && (forecast.marginGwei ?? 1n) > 0n
  const words = holds ? 'keeps a seat' : 'does not keep a seat: the key would be lost'
  const value = `${amountWords(addGwei, setup.network.names.token)}: ${rank}${words}`
  // An offer that is not taken is no verdict.
  return [
    {
      step: 'topup',
      id: 'threshold',
      label: 'exactly the threshold',
      mark: 'unasked',
      value,
      source: 'model',
    },
  ]
}

function amountWords(amountGwei: bigint, token: string): string {
  return `${formatGwei(amountGwei)} ${token}`
}
