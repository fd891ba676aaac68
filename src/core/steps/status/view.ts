import { formatCount, formatGwei, typedGwei } from '../../base/format/amount.ts'
import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { shellCommand } from '../../base/format/text.ts'
import { forkWarnings } from '../../chain/consensus/fork-outlook.ts'
import { type SetSnapshot, snapshotDoubt, snapshotSource } from '../../chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH, setEpoch } from '../../chain/consensus/state.ts'
import { queuedCommands } from '../../chain/deposit/operator-command.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { aheadOf, type ExpectedEpochs, expectedEpochs } from '../../chain/key-state/ahead.ts'
import { ENGINE_DELAY_SLOTS, engineSlotOf, hasBegun, isLost, type Own } from '../../chain/key-state/own.ts'
import { awaitedOf } from '../../observe/findings.ts'
import { type GuardTurn, guardKeys, guardRows } from '../../observe/guard-rows.ts'
import type { AlarmView } from '../../view/alarm-view.ts'
import { known } from '../../view/observation.ts'
import { tableRows } from '../../view/rows.ts'
import { type ActionView, goTo, type Section, type StepView } from '../../view/step-view.ts'
import type { FactRow, TimelineRow, WentEvent } from '../../view/view.ts'
import { checklistNotes, openOf } from './checklist.ts'
import { observedInRows, STATUS_FACTS, STATUS_FACTS_TEXT } from './facts.ts'
import { chartOf } from './history.ts'
import { STATUS_LEAVE_TEXT } from './leave-text.ts'
import { type StatusEvent, type StatusState, validatorIsActive } from './machine.ts'
import type { Situation } from './situation.ts'
import { describePage, doubtIntro, type PageStanding } from './standing.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** Returns the commands of this step for somebody who does not trust the screen, or whose wallets must act. */
function statusCommands(
  { operator }: StatusState,
  { identity }: Facts,
  { network, endpoints, homePath }: Setup,
): string[] {
  const node = endpointLabel(endpoints.node)
  const id = identity?.pubkey ?? '<pubkey>'
  const about = identity && { pubkey: identity.pubkey, contract: network.spec.depositContract }
  return [
    ...(about === undefined ? [] : queuedCommands(operator, about).map(({ command }) => command)),
    shellCommand('curl', '-s', `${node}/eth/v1/beacon/states/head/validators?id=${id}`),
    ...(endpoints.engine === undefined
      ? []
      : [shellCommand('curl', '-s', `${endpointLabel(endpoints.engine)}/validators?per_page=100`)]),
    ...(homePath === undefined ? [] : [shellCommand(network.names.nodeTool, 'status', '--home', homePath)]),
  ]
}

const { countdown, timeline: TIMELINE_TEXT } = TEXT

type Step = { id: string; label: string; done: boolean; when: string; detail: string }

/** Returns the way from the registration to the engine's set, as far as the validator has come. */
function timelineOf(own: Own, expected: ExpectedEpochs, state: StatusState, setup: Setup): TimelineRow[] {
  const { spec } = setup.network
  const { validator, epoch } = own
  const eligible = setEpoch(validator.activationEligibilityEpoch) ?? expected.eligibleEpoch
  const activation = setEpoch(validator.activationEpoch) ?? expected.activationEpoch
  const reached = validator.effectiveBalanceGwei >= spec.activationBalanceGwei
  const threshold = reached || validator.activationEligibilityEpoch !== FAR_FUTURE_EPOCH
  const comes = eligible !== undefined
  const steps: Step[] = [
    {
      id: 'registered',
      label: TIMELINE_TEXT.registered,
      done: true,
      when: TIMELINE_TEXT.validator(own.index),
      detail: '',
    },
    {
      id: 'threshold',
      label: TIMELINE_TEXT.threshold(threshold),
      done: threshold,
      when: thresholdWords(own, { threshold, comes }),
      detail: threshold || !comes ? '' : countdown(epoch + 1n, own, setup),
    },
    {
      id: 'eligible',
      label: TIMELINE_TEXT.eligible,
      ...turnRow(eligible, own, setup),
    },
    {
      id: 'active',
      label: TIMELINE_TEXT.active,
      ...turnRow(activation, own, setup),
    },
    { id: 'engine', label: TIMELINE_TEXT.engine, ...engineRow(own, state, setup) },
    { id: 'block', label: TIMELINE_TEXT.block, ...blockRow(state) },
  ]
  // What no engine was asked for is not waited for.
  const asked = steps.filter(({ id }) => id !== 'engine' || setup.endpoints.engine !== undefined)
  const rows = isLost(own) ? [...stepsTaken(asked, own), ...stepsToCome(own, setup)] : asked
  const current = rows.findIndex((row) => !row.done)
  return rows.map(({ done, ...row }, place) => ({ ...row, state: rowState(done, place === current) }))
}

/** Of a validator that lost its place: what was never reached never comes, a place lost at the boundary that gave it was none. */
function stepsTaken(steps: readonly Step[], { validator }: Own): Step[] {
  const neverActive = validator.exitEpoch <= validator.activationEpoch
  return steps.filter(({ id, done }) => done && !(neverActive && id === 'active'))
}

/** What is left for one that lost its place. */
function stepsToCome(own: Own, setup: Setup): Step[] {
  const { exitEpoch, withdrawableEpoch } = own.validator
  const paid = own.balanceGwei === 0n
  const back = turnRow(withdrawableEpoch, own, setup)
  return [
    { id: 'left', label: TIMELINE_TEXT.left, ...turnRow(exitEpoch, own, setup) },
    {
      id: 'paid',
      label: TIMELINE_TEXT.paid,
      done: paid,
      when: paid ? '' : TIMELINE_TEXT.from(back.when),
      detail: back.done && !paid ? TIMELINE_TEXT.sweep : back.detail,
    },
  ]
}

/** An epoch that has begun is done; one to come is counted down to. */
function turnRow(epoch: bigint | undefined, own: Own, setup: Setup) {
  if (epoch === undefined) return { done: false, when: '', detail: '' }
  const done = epoch <= own.epoch
  return { done, when: TIMELINE_TEXT.epoch(epoch), detail: done ? '' : countdown(epoch, own, setup) }
}

/** When the engine began to count the validator, by its own epochs: never by when somebody looked. */
function engineRow(own: Own, state: StatusState, { network }: Setup) {
  const { validator, slot } = own
  const since = engineSlotOf(validator, network.spec)
  const wasIn = since !== undefined && since <= slot + 1n && validator.exitEpoch > validator.activationEpoch
  const isCounted = hasBegun(own) && (validatorIsActive(state) || state.wasCounted)
  const done = since !== undefined && (isCounted || (isLost(own) && wasIn))
  if (!done) return { done, when: TIMELINE_TEXT.slotsLater(ENGINE_DELAY_SLOTS), detail: '' }
  const when = TIMELINE_TEXT.slot(since)
  return { done, when: validator.activationEpoch === 0n ? TIMELINE_TEXT.genesis : when, detail: '' }
}

/**
 * The first sign that the node really signs; before the engine counts the validator there is none to wait for. Which
 * block was the first nobody says: only who looked at every slot since then knows it.
 */
function blockRow({ observed }: StatusState) {
  const blocks = known(observed.proposal)
  if (blocks === undefined) return { done: false, when: '', detail: '' }
  const { first, last, isWhole } = blocks
  if (first === undefined)
    return { done: false, when: isWhole ? TIMELINE_TEXT.chosen : TIMELINE_TEXT.notSeen, detail: '' }
  const newest = last === undefined || last === first.slot ? [] : [TIMELINE_TEXT.lastBlock(last)]
  const words = [...(first.isFirst ? [] : [TIMELINE_TEXT.notFirst]), ...newest]
  return { done: true, when: TIMELINE_TEXT.slot(first.slot), detail: words.join(' · ') }
}

function thresholdWords(own: Own, { threshold, comes }: { threshold: boolean; comes: boolean }): string {
  if (threshold) return effectiveWords(own)
  return comes ? TIMELINE_TEXT.epoch(own.epoch + 1n) : TIMELINE_TEXT.topUp
}

function rowState(done: boolean, now: boolean): TimelineRow['state'] {
  if (done) return 'done'
  return now ? 'now' : 'ahead'
}

/** Nothing counts any more once the stake was paid back. */
function effectiveWords({ validator }: Own): string {
  const { effectiveBalanceGwei } = validator
  return effectiveBalanceGwei === 0n ? '' : TIMELINE_TEXT.effective(effectiveBalanceGwei)
}

/** Whether the last top-up has come to its end, so that another one needs a payment of its own. */
export type Payments = { isPaidUp: boolean }

const SECTIONS: readonly Section[] = ['intro', 'timeline', 'facts', 'chart', 'notes']
/** With an alarm on top, what decides comes next, so that all of it is in sight at once. */
const ALARM: readonly Section[] = ['facts', 'timeline', 'intro', 'notes', 'chart']
const CHECKLIST: ActionView<StatusEvent | TopUpAsked> = {
  key: 'l',
  label: TEXT.keys.checklist,
  does: [{ step: 'status', type: 'turned', to: 'checklist' }],
}
/** Why a pool's validator is topped up from nowhere here. */
const POOL_ROW: FactRow = { id: 'pool', mark: 'given', source: '', advice: true, ...TEXT.pool }
const FINISH: ActionView<StatusEvent | TopUpAsked> = { key: 'return', label: TEXT.keys.finish, does: 'quit' }

/** Everything that the status page draws; the other pages of the step take its place in `pages.ts`. */
export function statusView(
  state: StatusState,
  facts: Facts,
  setup: Setup,
  { isPaidUp }: Payments,
): StepView<StatusEvent | TopUpAsked> {
  const snapshot = state.lastSnapshot
  const standing = describePage(state, { facts, setup, open: openOf(state) })
  const { situation, contact, own, isIn, isOut, isPools, problem } = standing
  const expected =
    own && snapshot && own.validator.activationEpoch === FAR_FUTURE_EPOCH
      ? expectedEpochs(snapshot, own.validator.pubkey, setup)
      : { eligibleEpoch: undefined, activationEpoch: undefined }
  const active = situation.is === 'active' && contact.is !== 'doubt'
  return {
    step: 'status',
    title: standing.title,
    sections: problem === undefined && state.alarms.length === 0 ? SECTIONS : ALARM,
    intro: introOf(state, situation, { counts: !active }),
    facts: [
      ...withAlarms(statusRows(standing, expected, { state, setup }), state, {
        isFirst: problem === undefined,
      }),
      ...(isPools && !isOut ? [POOL_ROW] : []),
      ...guardRows(state.guard, setup),
    ],
    fields: [],
    checks: [],
    ranks: [],
    chart: isOut ? [] : chartOf(state.history, setup),
    timeline: own === undefined ? [] : timelineOf(own, expected, state, setup),
    notes: [
      ...state.fileFaults,
      ...(isIn ? checklistNotes(state) : []),
      ...(snapshot === undefined
        ? []
        : [...forksSoon(snapshot, facts, setup), snapshotSource(snapshot), ...snapshotDoubt(snapshot)]),
      ...(state.pastAlarm === undefined ? [] : [TEXT.alarm.past(state.pastAlarm.title, state.pastAlarm.at)]),
    ],
    money: standing.money,
    ...(problem === undefined ? {} : { problem }),
    ...(own?.doubt === undefined || problem !== undefined ? {} : { waiting: awaitedOf(own.doubt) }),
    actions: [
      ...(active ? [FINISH] : []),
      ...(isOut || isPools || mayNotHelp(situation) ? [] : [topUpAction(standing, { isPaidUp })]),
      ...(isIn ? [CHECKLIST] : []),
      ...guardAction(state, { isPaidUp }, facts, setup),
      ...knowAction(state),
      ...leaveAction(situation),
    ],
    commands: statusCommands(state, facts, setup),
    done: active,
  }
}

/** The key that leads to the page of leaving from a validator that is leaving or has left: from an active one it is on the checklist. */
function leaveAction({ is }: Situation): ActionView<StatusEvent, never>[] {
  if (is !== 'leaving' && is !== 'left') return []
  return [
    { key: 'l', label: STATUS_LEAVE_TEXT.wayOut, does: [{ step: 'status', type: 'turned', to: 'leave' }] },
  ]
}

function forksSoon({ timestampSeconds }: SetSnapshot, { genesis }: Facts, { network }: Setup): string[] {
  return forkWarnings(network.spec, timestampSeconds, genesis?.forksAhead)
}

/** `counts`: something is counted down to. While the first answer is waited for, the title says all there is. */
function introOf({ observed }: StatusState, situation: Situation, { counts }: { counts: boolean }): string {
  const silent = observed.snapshot.status === 'failed'
  if (situation.is === 'unheard') return silent ? TEXT.intro.silent : ''
  if (!('own' in situation)) return TEXT.intro.absent
  const { own } = situation
  if (own.doubt !== undefined) return doubtIntro(own.doubt, own.epoch)
  const epoch = formatCount(own.epoch)
  const now = counts || silent ? TEXT.intro.now(formatCount(own.slot), epoch) : TEXT.intro.epoch(epoch)
  return silent ? TEXT.intro.noneSince(now) : now
}

/** Whether a place is in danger and it is not known that an amount still keeps it: then none is proposed. */
const mayNotHelp = (situation: Situation): boolean =>
  situation.is === 'dropping' && situation.inDanger?.instead !== undefined

/** What the step hands on to the one that tops up. */
export type TopUpAsked = { step: 'topup'; type: 'chosen'; text: string } | GuardTurn

/**
 * Leads to the top-up. Where an amount keeps the place it stands ready there, as if it had been typed, in a payment of its
 * own when the last one has ended.
 */
function topUpAction(
  { rescueGwei }: PageStanding,
  { isPaidUp }: Payments,
): ActionView<StatusEvent | TopUpAsked> {
  if (rescueGwei === undefined) return { key: 't', label: TEXT.keys.topUp(undefined), does: [goTo('topup')] }
  const ready: (TopUpAsked | WentEvent)[] = [
    { step: 'topup', type: 'chosen', text: typedGwei(rescueGwei) },
    goTo('topup'),
  ]
  const key = { key: 't', label: TEXT.keys.topUp(formatGwei(rescueGwei)) }
  return { ...key, does: isPaidUp ? [{ step: 'topup', type: 'reopened' }, ...ready] : ready }
}

/** Leads to the page on which a top-up is agreed to beforehand, or cancelled: a page of the sixth step. */
function guardAction(
  { lastSnapshot: snapshot, guard }: StatusState,
  payments: Payments,
  facts: Facts,
  setup: Setup,
): ActionView<StatusEvent | TopUpAsked>[] {
  return guardKeys({ facts, snapshot, guard, setup }, payments).map((action) => ({
    ...action,
    does: [goTo('topup'), ...action.does],
  }))
}

/** Takes all alarms for known that nobody knows of yet, as the table of a watch does. */
function knowAction({ alarms }: StatusState): ActionView<StatusEvent | TopUpAsked>[] {
  const ids = alarms.flatMap(({ id, acknowledged }) => (acknowledged ? [] : [id]))
  if (ids.length === 0) return []
  return [{ key: 'a', label: TEXT.keys.know, does: [{ step: 'status', type: 'acknowledged', ids }] }]
}

function statusRows(
  { situation, own, isOut }: PageStanding,
  expected: ExpectedEpochs,
  { state, setup }: { state: StatusState; setup: Setup },
): FactRow[] {
  const { lastSnapshot } = state
  const isAhead = lastSnapshot !== undefined && own !== undefined && !isOut
  const place = isAhead ? aheadOf(lastSnapshot, own.validator.pubkey, setup).place : undefined
  const about = { state, own, expected, place, setup }
  const rows = tableRows(STATUS_FACTS, STATUS_FACTS_TEXT.facts, observedInRows(state), about)
  return situation.is === 'dropping' || state.alarms.length > 0
    ? rows.toSorted((a, b) => urgency(a) - urgency(b))
    : rows
}

/** What the rules of the watch find stands on top; below a problem of the screen, behind what that is decided by. */
function withAlarms(
  rows: readonly FactRow[],
  { alarms }: StatusState,
  { isFirst }: { isFirst: boolean },
): FactRow[] {
  if (isFirst) return [...alarms.map((alarm, at) => alarmRow(alarm, { isWhole: at === 0 })), ...rows]
  const decides = (row: FactRow) => urgency(row) < LEAST_URGENT
  return [
    ...rows.filter(decides),
    ...alarms.map((alarm) => alarmRow(alarm, { isWhole: false })),
    ...rows.filter((row) => !decides(row)),
  ]
}

/** Returns the row of an alarm with its times; `isWhole`: and with its numbers and what to do, which `?` says in any case. */
export function alarmRow(alarm: AlarmView, { isWhole }: { isWhole: boolean }): FactRow {
  const { id, severity, title, what, next, command, since, until, acknowledged } = alarm
  const times = TEXT.alarm.times(since, until, acknowledged)
  const todo = command === undefined ? next : TEXT.alarm.topUp
  const words = [what, ...(todo === undefined ? [] : [todo])].join(' ')
  return {
    id,
    mark: severity === 'critical' ? 'refused' : 'unknown',
    label: TEXT.alarm.label,
    value: '',
    long: [title, times, ...(isWhole ? [words] : [])].join(' '),
    source: '',
    explain: { what: words, who: TEXT.alarm.who, later: TEXT.alarm.later(times) },
    advice: true,
  }
}

const LEAST_URGENT = 2

/** Beside an alarm the place and the node come first. */
function urgency({ id }: FactRow): number {
  const place = ['rank', 'node'].indexOf(id)
  return place === -1 ? LEAST_URGENT : place
}
