import { jsonText } from '../../base/format/strict-json.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import { offeredValue } from '../../chain/network/offered.ts'
import type { NewestHead, NodeDoubt } from '../../chain/network/standstill.ts'
import { headAfter } from '../../chain/network/standstill.ts'
import { judgeNode } from '../../observe/findings.ts'
import type { GuardStanding, OperatorPicture } from '../../observe/picture.ts'
import type { AlarmView, InDanger } from '../../view/alarm-view.ts'
import {
  known,
  type Observations,
  type Observed,
  unobserved,
  withObservation,
} from '../../view/observation.ts'
import type { HistoryPoint } from './history.ts'
import {
  FOLLOW_LEAVE,
  initialLeaving,
  type Leaving,
  type LeavingCommand,
  type LeavingEvent,
  leavingTransition,
} from './leaving.ts'
import { STATUS_SOURCES, type StatusAnswers } from './values.ts'

/** What of the step is read: where the validator stands, what is to be seen to once it is active, or how it is left. */
type StatusPage = 'status' | 'checklist' | 'leave'

/** What is said of an alarm that is over, and when it ended. */
export type PastAlarm = { title: string; at: string }

export type StatusState = {
  observed: Observations<StatusAnswers>
  /** The last set that was heard of: what is drawn while nobody answers. */
  lastSnapshot: SetSnapshot | undefined
  /** Whether the engine was seen to count our power. */
  wasCounted: boolean
  /** Where no engine was given: whether the beacon state has the validator active. */
  isActiveInState: boolean
  /** The newest head, when it was first seen, and when a set was last heard of, by our own clock. */
  head: NewestHead | undefined
  /** Why what is drawn is not of now. */
  doubt: NodeDoubt | undefined
  /** Where the validator stood in the epochs that were looked at, oldest first. */
  history: readonly HistoryPoint[]
  /** The alarms that stand, the most severe one first, but for the one that is the problem of the screen. */
  alarms: readonly AlarmView[]
  /** What the rules of the watch say of a place in danger: how far the chain is, and whether paying still helps. */
  inDanger: InDanger | undefined
  /** The operator, and who is queued to be it. */
  operator: OperatorPicture | undefined
  /** The one that ended last, while the step is open. */
  pastAlarm: PastAlarm | undefined
  /** Why the user's limits for alarms don't count, or what was told of alarms before. */
  fileFaults: readonly string[]
  /** The guard of the validator, as it is held here, or as it lies; undefined where there is none. */
  guard: GuardStanding | undefined
  /** Whether anybody has looked for a guard: before that nothing is known of one. */
  isGuardSought: boolean
  page: StatusPage
  leaving: Leaving
  /** The file that was named last as a backup of the key. */
  backupPath: string | undefined
}

export type StatusEvent =
  | { step: 'status'; type: 'entered' }
  | ({ step: 'status'; type: 'observed' } & Observed<StatusAnswers>)
  | { step: 'status'; type: 'counted'; isActive: boolean }
  | { step: 'status'; type: 'doubted'; doubt: NodeDoubt | undefined }
  | { step: 'status'; type: 'stood'; history: readonly HistoryPoint[] }
  | ({ step: 'status'; type: 'alarmed'; past: PastAlarm | undefined } & Pick<
      StatusState,
      'alarms' | 'fileFaults' | 'inDanger' | 'operator'
    >)
  | { step: 'status'; type: 'guarded'; guard: GuardStanding | undefined }
  | { step: 'status'; type: 'acknowledged'; ids: readonly string[] }
  | { step: 'status'; type: 'turned'; to: StatusPage }
  | { step: 'status'; type: 'backupNamed'; text: string }
  | LeavingEvent

export type StatusCommand =
  | { step: 'status'; type: 'watch'; scope: 'here' }
  | { step: 'status'; type: 'readHome'; scope: 'here' }
  | { step: 'status'; type: 'readBackup'; scope: 'here'; path: string }
  | LeavingCommand

export const initialStatus: StatusState = {
  observed: unobserved<StatusAnswers>(Object.keys(STATUS_SOURCES) as (keyof StatusAnswers)[]),
  lastSnapshot: undefined,
  wasCounted: false,
  isActiveInState: false,
  head: undefined,
  doubt: undefined,
  history: [],
  alarms: [],
  inDanger: undefined,
  operator: undefined,
  pastAlarm: undefined,
  fileFaults: [],
  guard: undefined,
  isGuardSought: false,
  page: 'status',
  leaving: initialLeaving,
  backupPath: undefined,
}

/** Returns the seventh step: watch the validator into the engine's set. */
export function statusTransition(
  state: StatusState,
  event: StatusEvent,
): readonly [StatusState, readonly StatusCommand[]] {
  switch (event.type) {
    case 'entered':
      // What was held here when the step was left is not any more.
      return [
        { ...state, page: 'status', isGuardSought: false },
        [{ step: 'status', type: 'watch', scope: 'here' }, READ_HOME],
      ]
    case 'observed':
      return [stateAfter(state, event), []]
    case 'counted':
      return [{ ...state, isActiveInState: event.isActive }, []]
    case 'doubted':
      return [{ ...state, doubt: event.doubt }, []]
    case 'stood':
      return [{ ...state, history: event.history }, []]
    case 'alarmed':
      return [alarmed(state, event), []]
    case 'guarded':
      return [{ ...state, guard: event.guard, isGuardSought: true }, []]
    case 'acknowledged':
      return [{ ...state, alarms: state.alarms.map((alarm) => knownOf(alarm, event.ids)) }, []]
    case 'turned':
      return [{ ...state, page: event.to }, TURNED[event.to]]
    case 'backupNamed':
      return named(state, event.text.trim())
    default: {
      const [leaving, commands] = leavingTransition(state.leaving, event)
      return [{ ...state, leaving }, commands]
    }
  }
}

function alarmed(state: StatusState, event: StatusEvent & { type: 'alarmed' }): StatusState {
  const { alarms, inDanger, operator, past: pastAlarm, fileFaults } = event
  return { ...state, alarms, inDanger, operator, pastAlarm, fileFaults }
}

const knownOf = (alarm: AlarmView, ids: readonly string[]): AlarmView =>
  ids.includes(alarm.id) ? { ...alarm, acknowledged: true } : alarm

const READ_HOME: StatusCommand = { step: 'status', type: 'readHome', scope: 'here' }

/** What is looked at with each page. */
const TURNED: Readonly<Record<StatusPage, readonly StatusCommand[]>> = {
  status: [],
  checklist: [READ_HOME],
  leave: [FOLLOW_LEAVE],
}

/** Of another file nothing is known, whatever the one before it held. */
function named(state: StatusState, path: string): readonly [StatusState, readonly StatusCommand[]] {
  if (path === '') return [state, []]
  const observed = { ...state.observed, backup: initialStatus.observed.backup }
  return [
    { ...state, observed, backupPath: path },
    [{ step: 'status', type: 'readBackup', scope: 'here', path }],
  ]
}

function stateAfter(state: StatusState, event: StatusEvent & { type: 'observed' }): StatusState {
  const observed = withObservation(state.observed, event)
  // A question that hides no answer changes nothing, nor does the same answer: then nothing is looked at anew for it.
  if (observed === state.observed || saysTheSame(state.observed, event)) return state
  const lastSnapshot = known(observed.snapshot) ?? state.lastSnapshot
  const head = newestHead(state, event)
  const doubt = doubtAfter({ ...state, observed, head })
  return {
    ...state,
    observed,
    lastSnapshot,
    head,
    doubt,
    wasCounted: state.wasCounted || (known(observed.engine)?.powerGwei ?? 0n) > 0n,
  }
}

/** Of these nobody is told how old they are. */
const AGELESS: readonly (keyof StatusAnswers)[] = ['proposal', 'health', 'peers']

function saysTheSame(
  before: Observations<StatusAnswers>,
  { key, observation }: Observed<StatusAnswers>,
): boolean {
  const last = before[key]
  if (!AGELESS.includes(key) || observation.status !== 'known' || last.status !== 'known') return false
  return jsonText(last.value) === jsonText(observation.value)
}

function newestHead(
  { head, doubt }: StatusState,
  { key, observation }: StatusEvent & { type: 'observed' },
): StatusState['head'] {
  if (key !== 'snapshot' || observation.status !== 'known') return head
  return headAfter(head, { slot: observation.value.consensus.slot, atMs: observation.atMs, doubt })
}

/** A node that fails to answer is in doubt at once, before anybody else is asked. */
function doubtAfter(state: StatusState): NodeDoubt | undefined {
  const { doubt } = state
  const { newest, failing } = hearingOf(state)
  if (newest !== undefined && failing && doubt?.is !== 'silent')
    return { is: 'silent', slot: newest.slot, sinceMs: newest.atMs, beside: { is: 'unknown' } }
  return isOver(doubt, newest) ? undefined : doubt
}

/** A doubt ends with the answer that it lacks, without waiting for the next look at it. */
function isOver(doubt: NodeDoubt | undefined, head: NewestHead | undefined): boolean {
  if (doubt === undefined || head === undefined) return false
  return doubt.is === 'silent' ? head.atMs > doubt.sinceMs : head.slot > doubt.slot
}

/** What is heard of the node, for whoever watches whether it is heard at all. A state that is a lie is heard, too. */
export function hearingOf({ head, observed }: StatusState): {
  newest: NewestHead | undefined
  failing: boolean
} {
  const { snapshot } = observed
  if (snapshot.status !== 'failed') return { newest: head, failing: false }
  if (snapshot.error.code.startsWith('client.')) return { newest: head, failing: true }
  return { newest: head && { ...head, sinceMs: snapshot.atMs, atMs: snapshot.atMs }, failing: false }
}

/** Milliseconds between the last new head and the last answer; 0 while there is none of either. */
export function headStillMs({ head, observed }: StatusState): number {
  const last = Math.max(
    ...[observed.snapshot, observed.engine].map((observation) =>
      'atMs' in observation ? observation.atMs : 0,
    ),
  )
  return head === undefined ? 0 : Math.max(0, last - head.sinceMs)
}

/** Whether the engine counts this validator, or where none was given the beacon state does: the end of the way. */
export function validatorIsActive(state: StatusState): boolean {
  return state.isActiveInState || (known(state.observed.engine)?.powerGwei ?? 0n) > 0n
}

/** What node and engine say of their own state that is no good. */
export type Trouble = 'syncing' | 'not-ready' | 'no-peers'

/** Everything of that kind that they say. */
export function troublesOf({ observed }: StatusState, { network }: Setup): Trouble[] {
  const health = offeredValue(known(observed.health))
  const peers = offeredValue(known(observed.peers))
  const isReady = health === undefined || judgeNode('health', health, network) === true
  const troubles: Trouble[] = isReady ? [] : [health === 'syncing' ? 'syncing' : 'not-ready']
  const isAlone = peers !== undefined && judgeNode('peers', peers, network) === false
  return isAlone ? [...troubles, 'no-peers'] : troubles
}
