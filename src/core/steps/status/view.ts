import { formatCount, formatGwei, typedGwei } from '../../base/format/amount.ts'
import { forkWarnings } from '../../chain/consensus/fork-outlook.ts'
import { type SetSnapshot, snapshotDoubt, snapshotSource } from '../../chain/consensus/snapshot.ts'
import { FAR_FUTURE_EPOCH } from '../../chain/consensus/state.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { aheadOf, type ExpectedEpochs, expectedEpochs } from '../../chain/key-state/ahead.ts'
import { type GuardTurn, guardKeys, guardRows } from '../../observe/guard-rows.ts'
import { awaitedOf } from '../../observe/node-text.ts'
import type { AlarmView } from '../../view/alarm-view.ts'
import { tableRows } from '../../view/rows.ts'
import { type ActionView, goTo, type Section, type StepView } from '../../view/step-view.ts'
import type { FactRow, WentEvent } from '../../view/view.ts'
import { statusCommands } from './by-hand.ts'
import { checklistNotes, openOf } from './checklist.ts'
import { observedInRows, STATUS_FACTS } from './facts.ts'
import { STATUS_FACTS_TEXT } from './facts-text.ts'
import { chartOf } from './history.ts'
import { STATUS_LEAVE_TEXT } from './leave-text.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import type { Situation } from './situation.ts'
import { describeStanding, doubtIntro, type Standing } from './standing.ts'
import { STATUS_TEXT as TEXT } from './text.ts'
import { timelineOf } from './timeline.ts'

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
  const standing = describeStanding(state, { facts, setup, open: openOf(state) })
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
function topUpAction({ rescueGwei }: Standing, { isPaidUp }: Payments): ActionView<StatusEvent | TopUpAsked> {
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
  { situation, own, isOut }: Standing,
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
