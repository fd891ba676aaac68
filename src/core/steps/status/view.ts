import { forkWarnings } from '../../consensus/fork-outlook.ts'
import { type Survey, surveyDoubt, surveySource } from '../../consensus/survey.ts'
import { type ValidatorStatus, validatorStatus } from '../../consensus/validator-status.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { shellCommand } from '../../format/shell-word.ts'
import { awaitedOf, type NodeDoubt } from '../../network/node-doubt.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow, Problem, StepView } from '../view.ts'
import { doubtIntro, doubtMoney, doubtTitle } from './doubt-view.ts'
import { lostMoney, lostProblem } from './lost.ts'
import { isActive, type StatusState } from './machine.ts'
import { nodeRow } from './node-row.ts'
import { type Danger, dangerMoney, dangerOf, dangerProblem } from './outlook.ts'
import { isLost, type Own, ownRecord } from './own.ts'
import { expectedEpochs, rankOk, rankWords } from './rank.ts'
import { type ExpectedEpochs, timelineOf } from './timeline.ts'

const STATUS_WORDS: Readonly<Record<ValidatorStatus, string>> = {
  pending_initialized: 'known, below the threshold',
  pending_queued: 'accepted, waits for its turn',
  active_ongoing: 'active',
  active_exiting: 'active, leaving at the next turn',
  active_slashed: 'active, slashed',
  exited_unslashed: 'left the set; the stake comes back later',
  exited_slashed: 'left the set, slashed',
  withdrawal_possible: 'left the set; the stake is being paid back',
  withdrawal_done: 'left the set; the stake is paid back',
}

/** Everything the status screen draws. */
export function statusView(state: StatusState, facts: Facts, setup: Setup): StepView {
  const { network } = setup
  const survey = state.lastSurvey
  const own = survey && facts.identity ? ownRecord(survey, facts.identity.pubkey, setup) : undefined
  const expected =
    own && survey
      ? expectedEpochs(survey, own.validator.pubkey, setup)
      : { eligibleEpoch: undefined, activationEpoch: undefined }
  const lost = own !== undefined && isLost(own)
  const doubt = own === undefined ? undefined : state.doubt
  const danger = own === undefined || survey === undefined || lost ? undefined : dangerOf(survey, own, setup)
  const active = isActive(state) && !lost && doubt === undefined && danger === undefined
  const problem = problemOf(own, { lost, danger, doubt }, setup)
  return {
    step: 'status',
    title: titleOf(state, { active, lost, danger, doubt }),
    intro: introOf(state, own),
    facts: statusRows(state, { own, expected }, facts, setup),
    fields: [],
    checks: [],
    ladder: [],
    timeline:
      own === undefined
        ? []
        : timelineOf(doubt === undefined ? own : { ...own, doubt }, expected, state, setup),
    notes:
      survey === undefined
        ? []
        : [...forksSoon(survey, facts, setup), surveySource(survey), ...surveyDoubt(survey)],
    money: bandOf(state, own, { active, lost, danger, doubt }, setup),
    ...(problem === undefined ? {} : { problem }),
    ...(doubt === undefined || problem !== undefined ? {} : { waiting: awaitedOf(doubt) }),
    actions: [
      ...(active ? [{ id: 'finish', key: 'return', label: 'finish' }] : []),
      ...(lost ? [] : [{ id: 'topup', key: 't', label: topUpLabel(danger) }]),
    ],
    commands: [
      shellCommand(
        'curl',
        '-s',
        `${endpointLabel(setup.endpoints.node)}/eth/v1/beacon/states/head/validators?id=${facts.identity?.pubkey ?? '<pubkey>'}`,
      ),
      ...(setup.endpoints.engine === undefined
        ? []
        : [shellCommand('curl', '-s', `${endpointLabel(setup.endpoints.engine)}/validators?per_page=100`)]),
      ...(setup.homePath === undefined
        ? []
        : [shellCommand(network.names.nodeTool, 'status', '--home', setup.homePath)]),
    ],
    done: active,
  }
}

function forksSoon({ timestampSeconds }: Survey, { genesis }: Facts, { network }: Setup): string[] {
  return forkWarnings(network.spec, timestampSeconds, genesis?.forksAhead)
}

function introOf({ seen, lastSurvey, doubt }: StatusState, own: Own | undefined): string {
  if (own !== undefined && doubt !== undefined) return doubtIntro(doubt, own.epoch)
  const silent = seen.survey.status === 'failed'
  if (own === undefined && lastSurvey !== undefined) return 'The beacon state does not hold the validator.'
  if (own === undefined)
    return silent ? 'The validator cannot be asked for yet.' : 'Asking for the validator.'
  return silent
    ? `slot ${own.slot} · epoch ${own.epoch}, and no newer answer since`
    : `slot ${own.slot} · epoch ${own.epoch}`
}

type Shown = {
  active: boolean
  lost: boolean
  danger: Danger | undefined
  doubt: NodeDoubt | undefined
}

function titleOf({ seen }: StatusState, { active, lost, danger, doubt }: Shown): string {
  if (lost) return 'The seat is gone'
  if (danger !== undefined) return 'Your validator drops out if nothing is done'
  if (doubt !== undefined) return doubtTitle(doubt)
  if (seen.engine.status === 'failed') return 'Your node’s engine does not answer'
  return active ? 'Your validator is active' : 'Waiting for your seat'
}

function problemOf(
  own: Own | undefined,
  { lost, danger, doubt }: Omit<Shown, 'active'>,
  setup: Setup,
): Problem | undefined {
  if (own === undefined) return undefined
  if (lost) return lostProblem(own, setup)
  return danger === undefined ? undefined : dangerProblem(danger, { own, isOld: doubt !== undefined }, setup)
}

function topUpLabel(danger: Danger | undefined): string {
  const amountGwei = danger?.rescue?.leastTopUpGwei
  return amountGwei === undefined ? 'top up' : `top up ${formatGwei(amountGwei)}`
}

function bandOf(state: StatusState, own: Own | undefined, shown: Shown, setup: Setup): StepView['money'] {
  if (own !== undefined && shown.lost) return lostMoney(own, setup)
  if (own !== undefined && shown.danger !== undefined) return dangerMoney(shown.danger, own, setup)
  return moneyOf(state, own, { ...shown, token: setup.network.names.token })
}

/** Nobody is told that nothing is to be done while the node is not heard, hangs, or does not vote. */
function moneyOf(
  { seen }: StatusState,
  own: Own | undefined,
  { active, token, doubt }: Pick<Shown, 'active' | 'doubt'> & { token: string },
): StepView['money'] {
  const worst = active
    ? 'worst case: outbid later; then the stake comes back and the key is used up.'
    : 'worst case: outbid before the turn; watch the rank.'
  if (own === undefined) return { line: 'asking what is staked', worst }
  const staked = `staked ${formatGwei(own.balanceGwei)} ${token}`
  if (doubt !== undefined) return { line: `${staked} by the last answer · ${doubtMoney(doubt)}`, worst }
  if (seen.survey.status === 'failed' || seen.engine.status === 'failed')
    return { line: `${staked} by the last answer · not all of your node answers: look at it`, worst }
  if (known(seen.engine)?.catchingUp === true)
    return { line: `${staked} · your engine catches up and does not vote meanwhile`, worst }
  return { line: `${staked} · nothing to do · safe to close this window`, worst }
}

/** Who says what the beacon state holds, for someone who asks. */
function proofWords(survey: Survey | undefined): string {
  const proof = survey?.proof
  if (proof === undefined)
    return `The node API. Not proven${survey?.unproven === undefined ? '' : ` (${survey.unproven})`}.`
  const holders = proof.anchors === 1 ? 'the execution endpoint' : 'both execution endpoints'
  return `The chain: the whole state of slot ${proof.slot} was hashed here, and ${holders} held its root.`
}

type Seen = { own: Own | undefined; expected: ExpectedEpochs }

function statusRows(state: StatusState, { own, expected }: Seen, facts: Facts, setup: Setup): FactRow[] {
  const { token } = setup.network.names
  const survey = state.seen.survey
  const who = proofWords(known(survey))
  const changes = 'It changes with every epoch.'
  const ofSurvey = [
    factRow({
      id: 'status',
      label: 'status',
      observation: survey,
      judge: () => own !== undefined && !isLost(own),
      say: () => (own === undefined ? 'not in the beacon state' : statusWords(own, expected, setup)),
      explain: {
        what: 'Where the validator stands, from its epochs; the beacon API has a name of its own for each.',
        who,
        later: changes,
      },
    }),
    factRow({
      id: 'balance',
      label: 'balance',
      observation: survey,
      judge: () => own !== undefined,
      say: () =>
        own === undefined
          ? ''
          : `${formatGwei(own.balanceGwei)} ${token}, effective ${formatGwei(own.validator.effectiveBalanceGwei)}`,
      explain: {
        what: 'What is staked, and what of it counts: whole steps, updated at the epoch turn.',
        who,
        later: changes,
      },
    }),
    factRow({
      id: 'rank',
      label: 'rank',
      observation: survey,
      judge: (value) => rankOk(value, facts, setup),
      say: (value) =>
        own !== undefined && isLost(own) ? 'none: it left the set' : rankWords(value, facts, setup),
      explain: {
        what: 'The place among all that are or will be active at the next turn. Beyond the last seat a validator is exited.',
        who: `The consensus model on this computer. The set: ${proofWords(known(survey))}`,
        later: 'Others can raise their stake at any time.',
      },
    }),
  ]
  return [...ofSurvey.map((row) => ofNow(row, state)), powerRow(state, own, setup), nodeRow(state, setup)]
}

/** What a node that is in doubt said last is not proven of now. */
function ofNow(row: FactRow, { doubt }: StatusState): FactRow {
  return doubt !== undefined && row.mark === 'proven' ? { ...row, mark: 'unknown' } : row
}

/** No power yet is not a refusal: it is what the step waits for, until the seat is gone. */
function powerRow(state: StatusState, own: Own | undefined, setup: Setup): FactRow {
  const row = factRow({
    id: 'power',
    label: 'power',
    observation: state.seen.engine,
    ...(setup.endpoints.engine === undefined ? { unasked: 'not asked: no engine was given' } : {}),
    judge: (value) => value.powerGwei > 0n,
    say: (value) =>
      `${formatGwei(value.powerGwei)} of ${formatGwei(value.totalGwei)}, ${value.members} members`,
    explain: {
      what: 'The weight with which the engine counts the validator’s votes. Zero until it is in the engine’s set.',
      who: 'The consensus engine.',
      later: 'It changes with every epoch.',
    },
  })
  if (row.mark !== 'refused') return row
  if (own !== undefined && isLost(own)) return { ...row, value: 'none any more' }
  return { ...row, mark: 'asking', value: 'none yet' }
}

/** In a pending status the balance, what of it counts and the epochs follow one another: the row says how far it is. */
function statusWords(own: Own, { eligibleEpoch }: ExpectedEpochs, { network }: Setup): string {
  const status = validatorStatus(own.validator, own.epoch)
  if (status !== 'pending_initialized') return STATUS_WORDS[status]
  if (own.validator.effectiveBalanceGwei >= network.spec.activationBalanceGwei)
    return 'threshold passed, waits to be eligible'
  return eligibleEpoch === undefined ? STATUS_WORDS[status] : 'known, stake counts from the next epoch'
}
