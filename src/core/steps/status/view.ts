import { forkWarnings } from '../../consensus/fork-outlook.ts'
import { type ValidatorStatus, validatorStatus } from '../../consensus/state.ts'
import { type Survey, surveyDoubt, surveySource } from '../../consensus/survey.ts'
import type { Facts, Setup } from '../../facts.ts'
import { formatCount, formatGwei } from '../../format/amount.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { shellCommand } from '../../format/text.ts'
import { awaitedOf } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import { type ActionView, goTo, type Section, type StepView } from '../step-view.ts'
import type { FactRow, Problem } from '../view.ts'
import { checklistNotes, checklistView } from './checklist.ts'
import type { StatusState } from './machine.ts'
import { expectedEpochs, nodeRow, powerRow, rankOk, rankWords } from './node-row.ts'
import { aheadOf, dangerProblem, rescueAmount } from './outlook.ts'
import { isLost, type Own } from './own.ts'
import { contactOf, lostProblem, type Situation, situationOf } from './situation.ts'
import { doubtIntro, moneyOf, titleOf } from './situation-words.ts'
import { type ExpectedEpochs, timelineOf } from './timeline.ts'

const STATUS_WORDS: Readonly<Record<ValidatorStatus, string>> = {
  pending_initialized: 'known, below the threshold',
  pending_queued: 'accepted, waits for the next epoch',
  active_ongoing: 'active',
  active_exiting: 'active, leaves at the next epoch boundary',
  active_slashed: 'active, slashed',
  exited_unslashed: 'left the set; the stake comes back later',
  exited_slashed: 'left the set, slashed',
  withdrawal_possible: 'left the set; the stake is being paid back',
  withdrawal_done: 'left the set; the stake is paid back',
}

/** Whether the last top-up has come to its end, so that another one needs a payment of its own. */
export type Payments = { isPaidUp: boolean }

const SECTIONS: readonly Section[] = ['intro', 'timeline', 'facts', 'notes']
/** With an alarm on top, what decides comes next, so that all of it is in sight at once. */
const ALARM: readonly Section[] = ['facts', 'timeline', 'intro', 'notes']
const CHECKLIST: ActionView = {
  key: 'l',
  label: 'checklist',
  does: [{ step: 'status', type: 'turned', to: 'checklist' }],
}
const FINISH: ActionView = { key: 'return', label: 'finish', does: 'quit' }

/** Everything the status screen draws. */
export function statusView(state: StatusState, facts: Facts, setup: Setup, { isPaidUp }: Payments): StepView {
  const { network } = setup
  const survey = state.lastSurvey
  const situation = situationOf(state, facts, setup)
  const contact = contactOf(state, setup)
  const own = 'own' in situation ? situation.own : undefined
  const expected =
    own && survey
      ? expectedEpochs(survey, own.validator.pubkey, setup)
      : { eligibleEpoch: undefined, activationEpoch: undefined }
  const lost = own !== undefined && isLost(own)
  const active = situation.is === 'active' && contact.is !== 'doubt'
  const isIn = situation.is === 'active' || situation.is === 'before-engine'
  const problem = problemOf(situation, setup)
  const doubt = own?.doubt
  const view: StepView = {
    step: 'status',
    title: titleOf({ situation, contact }, setup),
    sections: problem === undefined ? SECTIONS : ALARM,
    intro: introOf(state, own),
    facts: statusRows(state, { situation, own, expected }, setup),
    fields: [],
    checks: [],
    ladder: [],
    timeline: own === undefined ? [] : timelineOf(own, expected, state, setup),
    notes: [
      ...(isIn ? checklistNotes(state) : []),
      ...(survey === undefined
        ? []
        : [...forksSoon(survey, facts, setup), surveySource(survey), ...surveyDoubt(survey)]),
    ],
    money: moneyOf({ situation, contact }, setup),
    ...(problem === undefined ? {} : { problem }),
    ...(doubt === undefined || problem !== undefined ? {} : { waiting: awaitedOf(doubt) }),
    actions: [
      ...(active ? [FINISH] : []),
      ...(lost ? [] : [topUpAction(state, { situation, isPaidUp }, facts, setup)]),
      ...(isIn ? [CHECKLIST] : []),
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
  // An alarm is never behind another page.
  return isIn && state.page === 'checklist' ? checklistView(view, state, setup) : view
}

function forksSoon({ timestampSeconds }: Survey, { genesis }: Facts, { network }: Setup): string[] {
  return forkWarnings(network.spec, timestampSeconds, genesis?.forksAhead)
}

function introOf({ seen, lastSurvey }: StatusState, own: Own | undefined): string {
  const silent = seen.survey.status === 'failed'
  if (own === undefined && lastSurvey !== undefined) return 'The beacon state does not hold the validator.'
  if (own === undefined)
    return silent ? 'Nothing could be asked about the validator yet.' : 'Asking for the validator.'
  if (own.doubt !== undefined) return doubtIntro(own.doubt, own.epoch)
  const now = `slot ${formatCount(own.slot)} · epoch ${formatCount(own.epoch)}`
  return silent ? `${now}, and no newer answer since` : now
}

function problemOf(situation: Situation, setup: Setup): Problem | undefined {
  switch (situation.is) {
    case 'leaving':
    case 'left':
    case 'paid':
      return lostProblem(situation.own, setup)
    case 'dropping':
      return dangerProblem(situation.danger, situation.own, setup)
    default:
      return undefined
  }
}

/**
 * Leads to the top-up. Where an amount keeps the place it stands ready there, as if it had been typed, in a payment of its
 * own when the last one has ended.
 */
function topUpAction(
  state: StatusState,
  { situation, isPaidUp }: Payments & { situation: Situation },
  facts: Facts,
  setup: Setup,
): ActionView {
  const text = rescueAmount(state, facts, setup)
  const key = { key: 't', label: topUpLabel(situation) }
  if (text === undefined) return { ...key, does: [goTo('topup')] }
  const ready: ActionView['does'] = [{ step: 'topup', type: 'chosen', text }, goTo('topup')]
  return { ...key, does: isPaidUp ? [{ step: 'topup', type: 'reopened' }, ...ready] : ready }
}

function topUpLabel(situation: Situation): string {
  const amountGwei = situation.is === 'dropping' ? situation.danger.rescue?.leastTopUpGwei : undefined
  return amountGwei === undefined ? 'top up' : `top up ${formatGwei(amountGwei)}`
}

/** Who says what the beacon state holds, for someone who asks. */
function proofWords(survey: Survey | undefined): string {
  const proof = survey?.proof
  if (proof === undefined)
    return `The node API. Not proven${survey?.unproven === undefined ? '' : ` (${survey.unproven})`}.`
  const holders = proof.anchors === 1 ? 'the execution endpoint' : 'both execution endpoints'
  return `The chain: the whole state of slot ${proof.slot} was hashed here, and ${holders} held its root.`
}

type Seen = { situation: Situation; own: Own | undefined; expected: ExpectedEpochs }

function statusRows(state: StatusState, { situation, own, expected }: Seen, setup: Setup): FactRow[] {
  const { token } = setup.network.names
  const survey = state.seen.survey
  const place =
    state.lastSurvey && own && !isLost(own)
      ? aheadOf(state.lastSurvey, own.validator.pubkey, setup).place
      : undefined
  const who = proofWords(known(survey))
  const changes = 'Yes, with every epoch.'
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
        what: 'What is staked, and how much of it counts (effective): in whole steps, updated at the epoch boundary.',
        who,
        later: changes,
      },
    }),
    factRow({
      id: 'rank',
      label: 'rank',
      observation: survey,
      judge: () => place !== undefined && rankOk(place),
      say: () => {
        if (own !== undefined && isLost(own)) return 'none: it left the set'
        return place === undefined || own === undefined ? 'needs no place yet' : rankWords(place, own.epoch)
      },
      explain: {
        what: 'The rank by stake among all validators that need a place in the active set, at the tightest of the next five epoch boundaries. A validator below the last place leaves the set for ever.',
        who: `The consensus model on this computer. The set: ${proofWords(known(survey))}`,
        later: 'Yes: others can raise their stake at any time.',
      },
    }),
  ]
  const rows = [
    ...ofSurvey.map((row) => ofNow(row, state)),
    powerRow(state, own, setup),
    nodeRow(state, setup),
  ]
  return situation.is === 'dropping' ? rows.toSorted((a, b) => urgency(a) - urgency(b)) : rows
}

/** Beside an alarm the place and the node come first. */
function urgency({ id }: FactRow): number {
  const place = ['rank', 'node'].indexOf(id)
  return place === -1 ? 2 : place
}

/** What a node that is in doubt said last is not proven of now. */
function ofNow(row: FactRow, { doubt }: StatusState): FactRow {
  return doubt !== undefined && row.mark === 'proven' ? { ...row, mark: 'unknown' } : row
}

/** In a pending status the balance, what of it counts and the epochs follow one another: the row says how far it is. */
function statusWords(own: Own, { eligibleEpoch }: ExpectedEpochs, { network }: Setup): string {
  const status = validatorStatus(own.validator, own.epoch)
  if (status !== 'pending_initialized') return STATUS_WORDS[status]
  if (own.validator.effectiveBalanceGwei >= network.spec.activationBalanceGwei)
    return 'threshold passed, waits to be eligible'
  return eligibleEpoch === undefined ? STATUS_WORDS[status] : 'known, stake counts from the next epoch'
}
